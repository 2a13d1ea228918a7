/**
 * Record an engine's answers, and answer from the recording: to look at a run again without its models, to share a failure,
 * to test against a server that is not there.
 */
import { createReadStream, createWriteStream, existsSync, fstatSync, openSync, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Reference, Sampler, Trainer, TrainingEngine } from '../../core/engine.ts';
import type { Player } from '../../core/types.ts';
import { callKey, decode, encode } from './recording.ts';

/** Answers a question put to a player's model; recording asks the real one, replaying looks it up. */
type Answer = <R>(player: Player, method: string, question: unknown, real?: () => Promise<R>) => Promise<R>;

/** A recording that the user must look for, or put elsewhere. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

type TeachingEngine = TrainingEngine & { teacher?(): Sampler };

/** The same engine, with every answer written to `path` as it is given. */
export function recordingEngine(engine: TeachingEngine, path: string): TeachingEngine {
  const out = appendTo(path);
  let failure: Error | undefined;
  out.on('error', (error) => {
    failure ??= error;
  });
  const write = (key: string, result: unknown) => out.write(`{"key":"${key}","answer":${encode(result)}}\n`);
  const answer: Answer = async (player, method, question, real) => {
    const result = await real!();
    if (!failure) write(callKey(player, method, question), result);
    return result;
  };
  const { teacher } = engine;
  if (teacher) write(HAS_TEACHER, true);
  return {
    ...engineOver(engine.name, answer, engine),
    ...(teacher && { teacher: () => samplerOver(answer, 'environment', TEACHER, teacher()) }),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => out.end(() => resolve()));
      await engine[Symbol.asyncDispose]();
      // The run itself is whole, so it was not stopped for this.
      if (failure) throw new Error(`The recording ${path} is incomplete: ${failure.message}.`, { cause: failure });
    },
  };
}

const TEACHER = 'teacher';
const HAS_TEACHER = callKey('environment', TEACHER, null);

function appendTo(path: string): WriteStream {
  try {
    const fd = openSync(path, 'a');
    const out = createWriteStream(path, { fd });
    // A recorder that was killed leaves half a line; the next one must not go on in it.
    if (fstatSync(fd).size > 0) out.write('\n');
    return out;
  } catch (error) {
    const why = (error as Error).message;
    throw new RecordingError(`The recording ${path} cannot be written: ${why}. Check engine.record.`, { cause: error });
  }
}

/** An engine that only knows what was recorded; a question that was never asked is an error that says so. */
export async function replayEngine(path: string): Promise<TeachingEngine> {
  if (!existsSync(path)) throw new RecordingError(`There is no recording ${path}. Make one with engine.record.`);
  const answers = await readRecording(path);
  const answer: Answer = async <R>(player: Player, method: string, question: unknown) => {
    const given = answers.get(callKey(player, method, question));
    if (!given)
      throw new Error(
        `The recording has no answer to this ${method} of the ${player}: replay the configuration it was made with.`,
      );
    // The same question asked again gets the next answer, then the last one for ever.
    return decode(given.length > 1 ? given.shift()! : given[0]!) as R;
  };
  return {
    ...engineOver('replay', answer),
    ...(answers.has(HAS_TEACHER) && { teacher: () => samplerOver(answer, 'environment', TEACHER) }),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function readRecording(path: string): Promise<Map<string, string[]>> {
  const answers = new Map<string, string[]>();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const match = /^\{"key":"([0-9a-f]+)","answer":(.*)\}$/.exec(line);
    // A recording cut short ends in half a line: what is whole counts.
    if (match && isJson(match[2]!)) answers.set(match[1]!, [...(answers.get(match[1]!) ?? []), match[2]!]);
  }
  return answers;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function engineOver(
  name: string,
  answer: Answer,
  real?: TrainingEngine,
): Omit<TrainingEngine, typeof Symbol.asyncDispose> {
  return {
    name,
    sampler: async (player) => samplerOver(answer, player, `${player}-initial`, await real?.sampler(player)),
    trainer: async (player) => trainerOver(answer, player, await real?.trainer(player)),
    async reference(player): Promise<Reference> {
      const inner = await real?.reference(player);
      return {
        ...samplerOver(answer, player, `${player}-initial`, inner),
        logprobs: (data) => answer(player, 'reference', data, inner && (() => inner.logprobs(data))),
      };
    },
  };
}

function samplerOver(answer: Answer, player: Player, version: string, real?: Sampler): Sampler {
  return {
    version: real?.version ?? version,
    sample(request) {
      const { signal: _, ...question } = request;
      return answer(player, 'sample', [version, question], real && (() => real.sample(request)));
    },
  };
}

function trainerOver(answer: Answer, player: Player, real?: Trainer): Trainer {
  return {
    player,
    encode: (messages, tools) =>
      answer(player, 'encode', [messages, tools], real && (() => real.encode(messages, tools))),
    forward: (data, signal) => answer(player, 'forward', data, real && (() => real.forward(data, signal))),
    forwardBackward: (data, loss, signal) =>
      answer(player, 'forwardBackward', [data, loss], real && (() => real.forwardBackward(data, loss, signal))),
    optimStep: (step) => answer(player, 'optimStep', step, real && (() => real.optimStep(step))),
    publish: async (version) => samplerOver(answer, player, version, await real?.publish(version)),
    save: (name) => answer(player, 'save', name, real && (() => real.save(name))),
    load: async (checkpoint) => real?.load(checkpoint),
    discard: async (checkpoint) => real?.discard(checkpoint),
    [Symbol.asyncDispose]: async () => real?.[Symbol.asyncDispose](),
  };
}
