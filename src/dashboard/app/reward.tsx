/** The reward of a rollout, term by term: what was asked for beside what was answered, as the reward itself compares them. */
import type { JSX } from 'preact';
import { agentReward, thresholdOf } from '../../core/agent-reward.ts';
import type { EvalSpec } from '../../core/types.ts';
import { rate } from '../../report/number.ts';
import type { RolloutPage, TraceView } from '../api.ts';
import { CallTerms } from './reward/calls.tsx';
import { FieldTerms } from './reward/fields.tsx';
import { JudgeTerms } from './reward/judge.tsx';
import { WordTerms } from './reward/words.tsx';
import { ruleOf } from './task-body.tsx';

interface Props {
  trace: TraceView;
  spec: EvalSpec;
  threshold: RolloutPage['threshold'];
}

export function Rewarded({ trace, spec, threshold }: Props): JSX.Element {
  const { reward, valid, success } = trace;
  const again = recomputed(trace, spec);
  return (
    <section class="reward">
      <h3>
        Reward {valid ? rate(reward) : '–'} {success ? '✓' : ''}
      </h3>
      <p class="soft">
        {valid
          ? `R_agent (Eq. 1) from ${ruleOf(spec)}; a success from ${thresholdOf(spec, threshold)}.`
          : 'It could not be judged, so it counts neither in p̂ nor in an update.'}
      </p>
      {again !== null && again !== reward && (
        <p class="rejected">
          This version of GenEnv would give {rate(again)}: the rule has changed since, or the world has one of its own.
        </p>
      )}
      <Terms trace={trace} spec={spec} />
    </section>
  );
}

/** What today's code says of the stored answer; null where there is none, or only a world can say. */
const recomputed = ({ answer, valid }: TraceView, spec: EvalSpec) =>
  !valid || answer === null || spec.kind === 'world' || spec.kind === 'script' ? null : agentReward(answer, spec);

function Terms({ trace, spec }: { trace: TraceView; spec: EvalSpec }): JSX.Element {
  const { answer, terms } = trace;
  switch (spec.kind) {
    case 'toolCalls':
      return <CallTerms answer={answer} target={spec.target} />;
    case 'json':
      return <FieldTerms answer={answer} target={spec.target} />;
    case 'text':
      return <WordTerms answer={answer} spec={spec} />;
    case 'world':
    case 'script':
      return <JudgeTerms answer={answer} spec={spec} terms={terms ?? []} />;
    default:
      return spec satisfies never;
  }
}
