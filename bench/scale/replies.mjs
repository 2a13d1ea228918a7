/** What a model of the errands world might say, without one: the right calls or not all of them, a variation of a seed. */
import { interpret } from '../../dist/benchmarks/errands/interpret.js';
import { read } from '../../dist/benchmarks/errands/read.js';
import { teacher } from '../../dist/benchmarks/errands/teacher.js';
import { isQuestion, worldOf } from '../../dist/benchmarks/errands/world.js';
import { createRng } from '../../dist/core/rng.js';
import { loadChat } from '../../dist/tokens/index.js';

const WORDS =
  'first look at what is asked and then think about the order of the steps before anything is called '.repeat(400);

/** Numbers of a normal distribution, by Box and Muller. */
const normal = (rng) => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());

/** How many tokens a reply has: log-normal, so that a few are long, as replies of models are. */
export const drawLength = ({ medianTokens, sigma }, rng) => Math.round(medianTokens * Math.exp(sigma * normal(rng)));

export async function errandReplies(folder, law) {
  const { tokenizer, chat } = await loadChat(folder);
  const thought = tokenizer.encode(WORDS);
  const [open, close] = [tokenizer.encodeMarked('<think>\n'), tokenizer.encodeMarked('\n</think>\n\n')];
  const logprobs = Array.from({ length: 8192 }, (_, i) => -Math.fround(Math.abs(Math.sin(i * 12.9898)) * 0.7));

  const says = (text, length, rng) => {
    const said = tokenizer.encodeMarked(text);
    const room = Math.max(0, length - open.length - close.length - said.length - 1);
    const from = rng.int(1000);
    return [...open, ...thought.slice(from, from + room), ...close, ...said, chat.end];
  };

  /** The turns of carrying a request out: one ends where something has to be found out. */
  const turnsOf = (request) => {
    const parsed = read(request);
    const plan = 'problem' in parsed ? parsed : interpret(parsed, worldOf(request));
    if ('problem' in plan) return [[]];
    const turns = [[]];
    for (const call of plan.calls) {
      turns.at(-1).push(call);
      if (isQuestion(call) && call !== plan.calls.at(-1)) turns.push([]);
    }
    return turns;
  };
  const written = (calls) =>
    calls.map(({ name, args }) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`).join('\n');

  return {
    sample(prompt, n, { seed, max_tokens }) {
      const text = tokenizer.decode(prompt);
      const turns = text.split('<|im_start|>').map((part) => part.replace(/<\|im_end\|>\s*$/, ''));
      const asked = turns.find((part) => part.startsWith('user\n')).slice(5);
      const writes = /^was \w+ aim \w+: /.test(asked);
      const turn = turns.filter((part) => part.startsWith('assistant')).length - 1;
      const plan = writes ? undefined : turnsOf(asked);
      return Array.from({ length: n }, (_, i) => {
        const rng = createRng(seed).fork(i);
        const calls = plan?.[turn] ?? [];
        const right = rng.next() < law.successRate;
        const said = writes
          ? teacher([{ role: 'user', content: asked }], rng)
          : calls.length === 0
            ? 'done'
            : written(right ? calls : [...calls.slice(0, -1), { name: 'feed', args: { pet: 'nobody' } }]);
        const tokens = says(said, drawLength(law, rng), rng).slice(0, max_tokens);
        const stop_reason = tokens.at(-1) === chat.end ? 'stop' : 'length';
        return { stop_reason, tokens, logprobs: logprobs.slice(0, tokens.length) };
      });
    },
  };
}
