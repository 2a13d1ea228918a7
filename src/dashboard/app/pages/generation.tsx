/** One thing the simulator wrote, accepted or not. */
import type { JSX } from 'preact';
import type { GenerationView } from '../../api.ts';
import { to } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { GenerationBody, verdictText } from '../generation-body.tsx';
import { Panel } from '../panel.tsx';

import { Answered } from '../states.tsx';
import { Line } from '../text.tsx';

export function GenerationPage({ run, id }: { run: string; id: string }): JSX.Element {
  const answer = useAnswer<GenerationView>(to('api', 'runs', run, 'generations', id));
  return (
    <Answered answer={answer} what="Reading the generation">
      {(generation) => (
        <>
          <div class="heading">
            <h1>Generation {generation.id}</h1>
            <p>
              by {AUTHORS[generation.author]} in{' '}
              <a href={to('r', run, 'epoch', generation.epoch)}>epoch {generation.epoch}</a>, from{' '}
              <a href={to('r', run, 'task', generation.seedId)}>{generation.seedId}</a>
              {generation.taskId !== null && (
                <>
                  ; it became <a href={to('r', run, 'task', generation.taskId)}>{generation.taskId}</a>
                </>
              )}
            </p>
          </div>
          <Panel title={generation.verdict.kind === 'accepted' ? 'Accepted' : 'Rejected'}>
            <p>
              <Line text={verdictText(generation.verdict)} most={600} />
            </p>
            <GenerationBody run={run} generation={generation} />
          </Panel>
        </>
      )}
    </Answered>
  );
}

const AUTHORS = {
  environment: 'the simulator',
  initial: 'the simulator as it was before training',
  teacher: 'the teacher',
};
