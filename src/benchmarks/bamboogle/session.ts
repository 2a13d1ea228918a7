/** One rollout of a question, turn by turn, by the rules of the examination: the same reading, observations and nudges. */
import type { Observation, TextWorld } from '../../core/benchmark.ts';
import type { Task } from '../../core/types.ts';
import { readTurn } from './answer.ts';
import { librarySearch } from './library.ts';
import { queryText } from './loop.ts';
import { normalise } from './normalise.ts';
import { MAX_TURNS, nudge, observation, render } from './prompt.ts';
import { isExactMatch } from './score.ts';
import { type Search, searchText } from './search.ts';
import { goalOf } from './tasks.ts';

/** Tasks with evidence are searched in it; real questions wherever the user's search looks. */
export function sessionOf({ eval: spec }: Pick<Task, 'eval'>, userSearch?: Search): TextWorld | undefined {
  const goal = goalOf(spec);
  if (!goal) return undefined;
  const search = goal.twoHop ? librarySearch(goal.twoHop) : userSearch;
  let turn = 0;
  let answer = '';
  const isRight = () => answer !== '' && isExactMatch(answer, goal.golds);
  return {
    async say(reply): Promise<Observation> {
      turn++;
      const read = readTurn(reply);
      if (read.kind === 'answer') {
        answer = read.answer;
        return { content: '', done: true };
      }
      if (turn >= MAX_TURNS) return { content: '', done: true };
      // The rollout keeps what was said, so a lost turn is followed by the user's words alone.
      if (read.kind === 'ignored_turn') return { content: render([nudge(turn)]) };
      const results = await searchText(search, queryText(read.query));
      return { content: render([observation(results), nudge(turn)]) };
    },
    // Exact match cannot be won by saying a lot.
    judge: () => Number(isRight()),
    terms: () => [
      {
        name: 'exact match after normalisation',
        score: Number(isRight()),
        detail:
          answer === '' ? 'no answer' : `“${normalise(answer)}” for “${goal.golds.map(normalise).join('” or “')}”`,
      },
    ],
  };
}
