/** What the agent is shown: how a plan is written, what is known, and what is asked. Sole planning, direct prompting. */
import type { JsonObject, Message } from '../../core/types.ts';
import type { Query } from './query.ts';
import { type Rendering, renderReference } from './reference.ts';

const INSTRUCTIONS = `You plan trips. Work only with the places, flights and drives in the reference information, and copy their names letter by letter.

Answer with a JSON list and nothing else: one object per day, with these keys, all of them texts except "days":
- "days": 1 for the first day, and so on.
- "current_city": the city of the day, or "from A to B" on a day of travel.
- "transportation": on a day of travel, one of
  "Flight Number: F0000000, from A to B, Departure Time: 08:00, Arrival Time: 09:30"
  "Self-driving, from A to B"
  "Taxi, from A to B"
- "breakfast", "lunch", "dinner": "Name, City".
- "attraction": "Name, City;" for each, every one followed by a semicolon: "Old Mill, Dover;Harbour Museum, Dover;".
- "accommodation": "Name, City".
Write "-" where nothing is needed. Add no prices and no remarks.

A good plan
- starts and ends in the city of departure, visits each city once and stays on the way inside the state that is asked for;
- travels on the first day, on the last, and when it changes cities; who drives a car can neither fly nor take a taxi;
- has all three meals and an attraction on every day that is spent in one city, and a place to sleep on every day but the last;
- names no restaurant and no attraction twice;
- keeps to minimum nights, books enough rooms, cars (5 people) and taxis (4 people) for everyone, and stays within the budget;
- respects what the traveller says about house rules, rooms, food and transport.

Example of one day of travel, for a trip with other places:
{"days": 1, "current_city": "from Salem to Dover", "transportation": "Self-driving, from Salem to Dover", "breakfast": "-", "attraction": "Old Mill, Dover;", "lunch": "-", "dinner": "Blue Door, Dover", "accommodation": "Quiet attic, Dover"}`;

export function promptFor(query: Query, reference: JsonObject, rendering: Rendering): Message[] {
  return [
    { role: 'system', content: INSTRUCTIONS },
    {
      role: 'user',
      content: `Reference information:\n\n${renderReference(reference, rendering)}\n\nRequest: ${query.query}`,
    },
  ];
}

/** The request at the end of a prompt. */
export function requestIn(messages: readonly Message[]): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return content.slice(content.lastIndexOf('\n\nRequest: ') + '\n\nRequest: '.length);
}
