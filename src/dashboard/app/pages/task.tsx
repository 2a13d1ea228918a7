/** The passport of a task: where it came from, what its author saw, how it was judged, how the agent did, where it ended. */

import type { JSX } from 'preact';
import type { PassportPage } from '../../api.ts';
import { to, withQuery } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { Rate } from '../bars.tsx';
import { GenerationBody, verdictText } from '../generation-body.tsx';
import { Lineage } from '../lineage.tsx';
import { ChartPanel, Panel } from '../panel.tsx';
import { navigate } from '../route.ts';
import { runLive } from '../run-live.ts';
import { Scroll } from '../scroll.tsx';
import { Answered } from '../states.tsx';
import { TaskBody } from '../task-body.tsx';
import { Line } from '../text.tsx';
import { SolverVotes } from '../votes.tsx';

export function TaskPage({ run, task }: { run: string; task: string }): JSX.Element {
  const live = runLive.value;
  const answer = useAnswer<PassportPage>(
    to('api', 'runs', run, 'tasks', task),
    live?.overview?.head.status === 'running' ? live.version : 0,
  );
  return (
    <Answered answer={answer} what="Reading the passport">
      {(page) => <Passport run={run} page={page} />}
    </Answered>
  );
}

function Passport({ run, page }: { run: string; page: PassportPage }): JSX.Element {
  const { task, outcomes, relatives, variations, generations, quarantine } = page;
  const last = outcomes.at(-1);
  return (
    <>
      <div class="heading">
        <h1>Task passport</h1>
        <p>
          <code>{task.id}</code> · {BORN[task.origin]}
          {task.epoch > 0 && (
            <>
              {' '}
              in <a href={to('r', run, 'epoch', task.epoch)}>epoch {task.epoch}</a>
            </>
          )}
        </p>
        {last && (
          <p>
            <a class="button" href={rolloutsLink(run, task.id, last)}>
              Its rollouts side by side
            </a>
          </p>
        )}
        <Verdicts page={page} />
        {quarantine && (
          <p class="banner" role="status">
            Quarantined since epoch {quarantine.epoch}: <Line text={quarantine.reason} />
          </p>
        )}
      </div>
      <div class="panels two">
        <Panel title="What it asks">
          <TaskBody task={task} />
        </Panel>
        <Panel title="Lineage" about="From the base task it descends from. Each with its last success.">
          <Lineage run={run} relatives={relatives} variations={variations} />
        </Panel>
        <History run={run} page={page} />
        <Attempts run={run} page={page} />
        <SolverVotes run={run} task={task} version={outcomes.length} />
        <Credit page={page} />
        {generations.length > 0 && (
          <Panel title="How it was written" about="What its author saw, what it wrote, and the guards’ verdict.">
            {generations.map((generation, i) => (
              <details key={generation.id} open={i === 0}>
                <summary>
                  {generation.id} by {generation.author}: <Line text={verdictText(generation.verdict)} />
                </summary>
                <a href={to('r', run, 'generation', generation.id)}>on a page of its own</a>
                <GenerationBody run={run} generation={generation} />
              </details>
            ))}
          </Panel>
        )}
      </div>
    </>
  );
}

/** What was said of it, each in a word; the panels below say why. */
function Verdicts({ page: { generations, scores, pools, quarantine } }: { page: PassportPage }): JSX.Element {
  const written = generations.at(-1);
  const scored = scores.at(-1);
  return (
    <dl class="verdicts">
      {written && (
        <div>
          <dt>Guards</dt>
          <dd>
            <Line text={verdictText(written.verdict)} most={160} />
            {generations.length > 1 ? `, ${generations.length} times` : ''}
          </dd>
        </div>
      )}
      <div>
        <dt>Filter</dt>
        <dd>{scored ? `${scored.kept ? 'kept' : 'left out'} in epoch ${scored.epoch}` : 'not asked'}</dd>
      </div>
      <div>
        <dt>Weight in the last update</dt>
        <dd>{scored ? scored.weight.toFixed(3) : 'none'}</dd>
      </div>
      <div>
        <dt>Pools</dt>
        <dd>
          {[...new Set(pools.map(({ pool }) => (pool === 'agent' ? 'agent' : 'simulator')))].join(', ') || 'neither'}
        </dd>
      </div>
      <div>
        <dt>Quarantine</dt>
        <dd>{quarantine ? `since epoch ${quarantine.epoch}` : 'no'}</dd>
      </div>
    </dl>
  );
}

const BORN = {
  base: 'a base task',
  validation: 'a held-out task',
  test: 'a test task',
  generated: 'written by the simulator',
  teacher: 'written by the teacher',
};

const rolloutsLink = (run: string, id: string, { epoch, role }: { epoch: number; role: string }) =>
  withQuery(to('r', run, 'task', id, 'rollouts'), { epoch, role });

function History({ run, page: { task, outcomes } }: { run: string; page: PassportPage }): JSX.Element {
  return (
    <ChartPanel
      title="Success over epochs"
      about="p̂ = k / n each time the agent attempted it."
      spec={{
        label: 'Success on this task by epoch',
        x: outcomes.map(({ epoch }) => epoch),
        xName: 'epoch',
        yName: 'success',
        yRange: [0, 1],
        height: 180,
        band: runLive.value?.overview?.head.band,
        lines: [
          {
            name: 'p̂',
            values: outcomes.map(({ successes, attempts }) => (attempts > 0 ? successes / attempts : null)),
            colour: 'agent',
            points: true,
          },
        ],
        onPick: (i) => navigate(rolloutsLink(run, task.id, outcomes[i]!)),
        pickHint: 'Click or Enter opens the rollouts',
      }}
      absent="The agent has not attempted it yet."
    />
  );
}

function Attempts({ run, page: { task, outcomes } }: { run: string; page: PassportPage }): JSX.Element {
  return (
    <Panel title="Attempts">
      {outcomes.length === 0 && <p class="absent">None yet.</p>}
      {outcomes.length > 0 && (
        <Scroll label="Attempts">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">epoch</th>
                <th scope="col">as</th>
                <th scope="col">success p̂</th>
                <th scope="col" class="number">
                  mean reward
                </th>
                <th scope="col" class="number">
                  not judged
                </th>
                <th scope="col" class="number">
                  tokens
                </th>
              </tr>
            </thead>
            <tbody>
              {outcomes.map((outcome) => (
                <tr key={`${outcome.epoch} ${outcome.role}`}>
                  <th scope="row">
                    <a href={rolloutsLink(run, task.id, outcome)}>epoch {outcome.epoch}</a>
                  </th>
                  <td>{outcome.role}</td>
                  <td>
                    <Rate k={outcome.successes} n={outcome.attempts} />
                  </td>
                  <td class="number">{outcome.meanReward.toFixed(3)}</td>
                  <td class="number">{outcome.invalid}</td>
                  <td class="number">{outcome.responseTokens.toFixed(1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Panel>
  );
}

/** What the curriculum made of it, and which pools it is in. */
function Credit({ page: { scores, pools } }: { page: PassportPage }): JSX.Element {
  return (
    <Panel
      title="Credit and pools"
      about="p̂ the simulator is credited with (by curriculum.successScope), R_env (Eq. 3), the filter |p̂ − α| ≤ k_min and the weight in the simulator’s update."
    >
      {scores.length === 0 ? (
        <p class="absent">It was never scored: nobody was to be credited for it.</p>
      ) : (
        <Scroll label="Scores">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">epoch</th>
                <th scope="col">generation</th>
                <th scope="col" class="number">
                  p̂ credited
                </th>
                <th scope="col" class="number">
                  R_env
                </th>
                <th scope="col">filter</th>
                <th scope="col" class="number">
                  weight
                </th>
              </tr>
            </thead>
            <tbody>
              {scores.map((score) => (
                <tr key={`${score.epoch} ${score.generationId}`}>
                  <th scope="row">{score.epoch}</th>
                  <td>{score.generationId}</td>
                  <td class="number">{score.successRate.toFixed(3)}</td>
                  <td class="number">{score.envReward.toFixed(3)}</td>
                  <td>{score.kept ? 'kept' : 'left out'}</td>
                  <td class="number">{score.weight.toFixed(3)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <ul class="notes">
        {pools.map(({ pool, memberId, epoch, weight }) => (
          <li key={`${pool} ${memberId}`}>
            in the {pool === 'agent' ? 'agent’s' : 'simulator’s'} pool
            {pool === 'environment' ? ` as ${memberId}` : ''} since epoch {epoch} or before, weight {weight.toFixed(3)}
          </li>
        ))}
        {pools.length === 0 && <li>in neither pool</li>}
      </ul>
    </Panel>
  );
}
