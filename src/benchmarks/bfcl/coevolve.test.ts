/** Both players, the loop and this benchmark together, on the scripted engine. */
import { expect, it } from 'vitest';
import { whole } from '../../core/fixtures.ts';
import { smallWorld } from './fixtures.ts';
import { bfclBenchmark, bfclScripts } from './index.ts';

const EPOCHS = 3;

it('both players take steps on turns of BFCL, and what the simulator writes is accepted', async () => {
  const benchmark = bfclBenchmark({ data: smallWorld() });
  const known = [...(await benchmark.base()), ...(await benchmark.validation()), ...(await benchmark.test!())];
  using played = await whole({
    world: { benchmark, scripts: bfclScripts(known) },
    game: { epochs: EPOCHS, rollouts: { count: 8, temperature: 1 } },
  });
  const { run } = played;
  const last = Object.fromEntries(
    run.metricRows({ limit: 10_000 }).flatMap(({ key, epoch, value }) => (epoch === EPOCHS ? [[key, value]] : [])),
  );
  expect(last['agent/steps']).toBeGreaterThan(0);
  expect(last['env/steps']).toBeGreaterThan(0);
  expect(last['env/rejectedShare']).toBeLessThan(0.25);
  expect(last['rollout/invalidShare']).toBe(0);
  const written = run.tasks({ limit: 1000 }).filter(({ origin }) => origin === 'generated');
  expect(written.length).toBeGreaterThan(20);
});
