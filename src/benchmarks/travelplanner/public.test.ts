import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/types.ts';
import { openData } from './data.ts';
import type { Query } from './query.ts';

const prepared = join(process.env.GENENV_DATA ?? '', 'travelplanner');

describe.skipIf(!process.env.GENENV_DATA)('what is pulled from public sources alone (needs GENENV_DATA)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-travel-public-'));
  for (const file of [
    'database',
    'std_travelplanner.jsonl',
    'example_evaluation.jsonl',
    'validation_with_hidden_profile.csv',
  ]) {
    symlinkSync(join(prepared, file), join(folder, file));
  }
  const pulled = openData(folder);
  const known = openData(prepared);
  const sorted = ({ local_constraint: local, ...query }: Query) => ({
    ...query,
    local_constraint: { ...local, cuisine: local.cuisine?.toSorted() ?? null },
  });

  it('gives the same 45 training queries and plans', () => {
    const rows = pulled.rows('train');
    expect(rows.map(({ query }) => sorted(query))).toEqual(known.rows('train').map(({ query }) => sorted(query)));
    for (const { idx, annotated } of rows) {
      const plan = known.row('train', idx)!.annotated as JsonObject[];
      expect((annotated as JsonObject[]).filter((day) => Object.keys(day).length > 0)).toEqual(
        plan.filter((day) => Object.keys(day).length > 0),
      );
    }
  });

  it('gives 101 of the 105 validation queries, with the same places and flights', () => {
    const rows = pulled.rows('validation');
    expect(rows).toHaveLength(101);
    for (const { idx, query, reference } of rows) {
      const own = known.row('validation', idx)!;
      expect(sorted(query)).toEqual(sorted(own.query));
      expect(Object.keys(reference)).toEqual(Object.keys(own.reference));
      const names = (content: JsonObject) =>
        Object.values(content).map((rows) =>
          Array.isArray(rows)
            ? (rows as JsonObject[]).map(
                (row) => row.Name ?? row.NAME ?? [row['Flight Number'], row.Price, row.FlightDate],
              )
            : rows,
        );
      expect(names(reference)).toEqual(names(own.reference));
    }
  });
});
