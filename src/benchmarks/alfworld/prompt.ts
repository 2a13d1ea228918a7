/** What the agent is shown: the rules, then what it sees and did as turns of a conversation. */
import type { Message } from '../../core/types.ts';
import type { Dialect } from './action.ts';

const putting = (dialect: Dialect) => (dialect === 'new' ? 'move OBJECT to PLACE' : 'put OBJECT in/on PLACE');

const rules = (
  dialect: Dialect,
) => `You are in a room and have a task to do there. Each turn you read what you see and answer with ONE command.

Commands:
go to PLACE
open PLACE
close PLACE
take OBJECT from PLACE
${putting(dialect)}
clean OBJECT with PLACE (at a sinkbasin)
heat OBJECT with PLACE (at a microwave)
cool OBJECT with PLACE (at a fridge)
use OBJECT (turns on a lamp)
slice OBJECT with KNIFE
examine PLACE, examine OBJECT, look, inventory

Names are a word and a number, as in "drawer 2". You see what is in a place when you are there and it is open. You can hold one object. What you write as OBJECT and PLACE must be exactly the names that you read. A command that is not possible is answered with "Nothing happens."

Think if you need to, then end with the command in tags: <action>go to drawer 2</action>`;

/** The conversation up to a step: observations and actions in turn, the last observation without an answer yet. */
export function conversation(
  observations: readonly string[],
  actions: readonly string[],
  { admissible, dialect = 'new' }: { admissible?: readonly string[] | undefined; dialect?: Dialect } = {},
): Message[] {
  const messages: Message[] = [{ role: 'system', content: rules(dialect) }];
  for (const [index, observation] of observations.entries()) {
    messages.push({ role: 'user', content: observation });
    if (index < actions.length) messages.push({ role: 'assistant', content: tagged(actions[index]!) });
  }
  if (admissible) messages.at(-1)!.content += `\n\nPossible commands:\n${admissible.join('\n')}`;
  return messages;
}

export const tagged = (action: string): string => `<action>${action}</action>`;
