/** One right line for every suite, with a target of its own: what a stranger's file of predictions may hold. */
import { KITCHEN } from '../src/benchmarks/alfworld/fixtures.ts';
import type { JsonObject } from '../src/core/types.ts';
import type { ExaminedName } from '../src/exams.ts';

const WEATHER: JsonObject = {
  name: 'get_weather',
  description: 'Tells the weather.',
  parameters: {
    type: 'dict',
    properties: {
      city: { type: 'string', description: 'Where.' },
      days: { type: 'integer', description: 'How many days.' },
    },
    required: ['city'],
  },
};

const turn = (id: string): JsonObject => ({
  id,
  output: '[get_weather(city="Oslo", days=3)]',
  target: ['get_weather(city="Oslo", days=3)'],
  functions: [WEATHER],
});

const booking = (id: string): JsonObject => ({
  id,
  output: '<tool_call>\n{"name":"Book","parameters":{"room":"4","date":"2026-01-02"}}\n</tool_call>',
  target: [{ name: 'Book', parameters: { room: '4', date: '2026-01-02' } }],
});

export const RIGHT_LINES: Record<ExaminedName, Record<string, JsonObject>> = {
  bfcl: {
    'per-turn': turn('a:turn_0'),
    'per-turn-train': turn('b:turn_0'),
    ast: {
      id: 'simple_python_0',
      output: '[get_weather(city="Oslo", days=3)]',
      target: [{ get_weather: { city: ['Oslo'], days: [3, ''] } }],
      functions: [WEATHER],
    },
    relevance: { id: 'relevance_0', output: '[get_weather(city="Oslo")]', functions: [WEATHER] },
  },
  'api-bank': { soft: booking('a'), strict: booking('b') },
  alfworld: {
    step: { id: 'kitchen/1#0', output: '> go to countertop 1', target: 'go to countertop 1' },
    simulate: {
      id: 'kitchen/1',
      output: KITCHEN.walkthrough!.map((command) => `<action>${command}</action>`),
      world: KITCHEN as unknown as JsonObject, // Plain data, but an interface has no index signature.
    },
  },
  travelplanner: {},
  bamboogle: { qa: { id: '0', output: '<response>James Madison</response>', target: ['james madison', 'Madison'] } },
};
