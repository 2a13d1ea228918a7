/** One task, G rollouts: sample, read, act, observe, until an answer, a limit or an error. Every stop has a reason. */
import { agentReward, isSuccess } from '../core/agent-reward.ts';
import type { Benchmark, School, Session } from '../core/benchmark.ts';
import { type Completion, EngineStopped, type Sample, type SampleRequest, type Sampler } from '../core/engine.ts';
import { type Rng, seedOf } from '../core/rng.ts';
import type { Json, Message, StopReason, Task, ToolCall, Trace, Turn } from '../core/types.ts';
import { type Reading, readAnswer, textAnswer } from './answer.ts';
import { mapPool } from './map-pool.ts';
import { boundedTerms } from './reward-terms.ts';

export interface RolloutLimits {
  /** Tokens the agent may write in one turn. */
  maxTokens: number;
  maxTurns: number;
  /** Tokens the agent may write in one rollout, over all turns. */
  tokenBudget: number;
  successThreshold: number | 'auto';
}

export interface RolloutContext extends RolloutLimits {
  sampler: Sampler;
  benchmark: Pick<Benchmark, 'session'>;
  /** The shorthand of models that were taught one; they are not shown the tools. */
  readCalls?: School['readCalls'];
  temperature: number;
  signal: AbortSignal;
}

/** The first turn is one request for all G, so that an engine can share the prompt; then each goes its own way. */
export async function rolloutTask(task: Task, count: number, rng: Rng, context: RolloutContext): Promise<Trace[]> {
  const first = await attempt(context, () =>
    context.sampler.sample(request(task.prompt, task, count, rng, context, 0)),
  );
  const indices = Array.from({ length: count }, (_, index) => index);
  return mapPool(indices, count, async (index) => {
    const rollout = new Rollout(task, index, context);
    if ('error' in first) return rollout.end('error', first.error);
    return rollout.run(first.value, first.value.samples[index], rng.fork('turns', index));
  });
}

/** The moving parts of one rollout while it runs. */
class Rollout {
  readonly messages: Message[] = [];
  readonly turns: Turn[] = [];
  readonly calls: ToolCall[] = [];
  readonly task: Task;
  readonly index: number;
  readonly context: RolloutContext;
  session: Session | undefined;
  written = 0;

  constructor(task: Task, index: number, context: RolloutContext) {
    this.task = task;
    this.index = index;
    this.context = context;
  }

  async run(completion: Completion, sample: Sample | undefined, rng: Rng): Promise<Trace> {
    const { task, context } = this;
    let prompt = completion.prompt;
    let current = sample;
    for (let turn = 1; ; turn++) {
      if (!current) return this.end('error', 'the engine returned fewer samples than were asked for');
      this.record(prompt, current);
      if (current.stop === 'length') return this.end(this.spent() ? 'tokenBudget' : 'truncated');
      const last = turn >= context.maxTurns;
      const over = await attempt(
        context,
        async () => (await this.act(current!)) ?? (last ? this.outOfTurns() : undefined),
      );
      if ('error' in over) return this.end('error', over.error);
      if (over.value) return over.value;
      if (this.spent()) return this.end('tokenBudget');
      const history = [...task.prompt, ...this.messages];
      const next = await attempt(context, () =>
        context.sampler.sample(request(history, task, 1, rng.fork(turn), context, this.written)),
      );
      if ('error' in next) return this.end('error', next.error);
      prompt = next.value.prompt;
      current = next.value.samples[0];
    }
  }

  /** What a turn does: ends the rollout with a trace, or changes the world and goes on. */
  private async act(sample: Sample): Promise<Trace | undefined> {
    const { task } = this;
    this.session ??= this.context.benchmark.session?.(task);
    const { session } = this;
    if (session && 'say' in session) {
      const { content, done } = await session.say(sample.text);
      if (done) return this.answer(sample.text);
      this.messages.push({ role: 'user', content });
      return undefined;
    }
    const reading = this.read(sample);
    if (reading.kind === 'malformed') return this.end('malformed', reading.why);
    if (reading.kind === 'text') {
      // After calls, words end the conversation; alone they answer only a task that wants none.
      const wanted = task.eval.kind === 'toolCalls' ? task.eval.target.length : 0;
      if (wanted > 0 && this.calls.length === 0) return this.end('malformed', 'no tool call found');
      const final = textAnswer(reading.text, task.eval);
      if ('why' in final) return this.end('malformed', final.why);
      return this.answer(task.eval.kind === 'toolCalls' ? this.called() : final.answer);
    }
    this.calls.push(...reading.calls);
    if (!session) return this.answer(this.called());
    // The next turn's prompt shows them as calls; a last turn's are its answer already.
    this.messages.at(-1)!.toolCalls = reading.calls;
    for (const call of reading.calls) {
      const { content, done } = await session.call(call);
      this.messages.push({ role: 'tool', content });
      if (done) return this.answer(this.called());
    }
    return undefined;
  }

  private read(sample: Sample): Reading {
    const { readCalls } = this.context;
    if (!readCalls) return readAnswer(sample, this.task.eval);
    const calls = readCalls(sample.text);
    return calls ? { kind: 'calls', calls, said: '' } : { kind: 'text', text: sample.text };
  }

  private record(prompt: Int32Array, { text, tokens, logprobs }: Sample): void {
    this.turns.push({ prompt, tokens, logprobs });
    this.messages.push({ role: 'assistant', content: text, tokens });
    this.written += tokens.length;
  }

  private spent = () => this.written >= this.context.tokenBudget;

  private called = (): Json => this.calls.map(({ name, args }) => ({ name, args }));

  private answer(answer: Json): Trace {
    const { task, session, context } = this;
    const reward = session?.judge ? session.judge(answer) : agentReward(answer, task.eval);
    if (!(reward >= 0 && reward <= 1))
      return this.end('error', `the checker returned ${reward}, not a reward in [0, 1]`);
    const success = isSuccess(reward, task.eval, context.successThreshold);
    const terms = session?.terms && boundedTerms(session.terms(answer));
    return { ...this.end('answer'), answer, reward, ...(terms ? { terms } : {}), success };
  }

  /** A world can be judged wherever it was left, so running out of turns in one is an attempt like any other. */
  private outOfTurns(): Trace {
    if (!this.session?.judge) return this.end('turnLimit');
    const judged = this.answer(this.called());
    return judged.valid ? { ...judged, stop: 'turnLimit' } : judged;
  }

  end(stop: StopReason, error?: string): Trace {
    return {
      index: this.index,
      policy: this.context.sampler.version,
      messages: this.messages,
      turns: this.turns,
      answer: null,
      reward: 0,
      success: false,
      valid: stop === 'answer' || stop === 'malformed',
      stop,
      ...(error === undefined ? {} : { error }),
    };
  }
}

function request(
  messages: readonly Message[],
  task: Task,
  n: number,
  rng: Rng,
  context: RolloutContext,
  written: number,
): SampleRequest {
  const maxTokens = Math.min(context.maxTokens, context.tokenBudget - written);
  const { temperature, signal } = context;
  const tools = context.readCalls ? [] : task.tools;
  return { messages, tools, n, maxTokens, temperature, seed: seedOf(rng.fork('sample')), signal };
}

/** A refused request or a crashed tool is data with a reason; only cancellation and the end of the engine go through. */
async function attempt<T>(
  { signal }: { signal: AbortSignal },
  work: () => Promise<T>,
): Promise<{ value: T } | { error: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineStopped) throw error;
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
