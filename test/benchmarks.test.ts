/**
 * The benchmarks' commands as a user meets them. What needs a data set runs where GENENV_DATA is; the rest brings its own
 * targets. Slow because each case starts Node.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFolder } from '../src/data/folder.ts';
import { type Scored, scoreGold } from '../src/eval/score.ts';
import { EXAMINED, type ExaminedName, openExams } from '../src/exams.ts';
import { serveAnswers } from './loopback-openai.ts';
import { recordAnswers } from './recorded-answers.ts';
import { type CliResult, jsonLines, runCli, startCli } from './run-cli.ts';

const hasData = Boolean(process.env.GENENV_DATA);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-benchmarks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genenv = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder });
const nothing = () => ({ GENENV_DATA: join(folder, 'nothing') });

describe('score', () => {
  const book = { name: 'Book', parameters: { room: '4' } };
  const line = (id: string, call: object) =>
    JSON.stringify({ id, output: `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`, target: [book] });

  it('gives a verdict a line and a summary last, names bad lines, and exits with 0 whatever the answers', async () => {
    const lines = [
      line('a', book),
      '{"id":"b"',
      line('c', { ...book, name: 'Look' }),
      line('a', book),
      '{"output":""}',
    ];
    writeFileSync(join(folder, 'out.jsonl'), lines.join('\n'));
    const { code, stdout, stderr } = await genenv('score', 'api-bank', '--predictions', 'out.jsonl');
    expect(code).toBe(0);
    const said = jsonLines(stdout);
    expect(
      said.slice(0, -1).map(({ line, id, correct, error }) => [line, id, correct ?? error?.split(':')[0]]),
    ).toEqual([
      [1, 'a', true],
      [2, null, 'is not JSON'],
      [3, 'c', false],
      [4, 'a', 'duplicate'],
      [5, null, 'has no id'],
    ]);
    expect(said.at(-1)).toMatchObject({ type: 'summary', suite: 'soft', total: 2, correct: 1, score: 0.5, errors: 3 });
    expect(said.at(-1).metrics[0]).toMatchObject({
      n: 2,
      score: 0.5,
      interval: [expect.any(Number), expect.any(Number)],
    });
    expect(stderr).toContain('95 % interval');
    expect(stderr).toContain("The paper's own numbers");
    expect(stderr).toContain('3 lines could not be judged; line 2');
  });

  it('reads standard input, says nothing but JSON with --json, and picks the suite', async () => {
    const options = { cwd: folder, stdin: line('a', book), env: nothing() };
    const args = ['score', 'api-bank', '--predictions', '-', '--suite', 'strict', '--json'];
    const { code, stdout, stderr } = await runCli(args, options);
    expect([code, stderr]).toEqual([0, '']);
    expect(jsonLines(stdout).map(({ type, suite, correct }) => [type, suite, correct])).toEqual([
      [undefined, undefined, true],
      ['summary', 'strict', 1],
    ]);
  });

  it('exits with 1 if nothing could be judged, and says what to do about missing data', async () => {
    const options = { cwd: folder, stdin: '{"id":"level-1/0","output":"x"}', env: nothing() };
    const { code, stdout, stderr } = await runCli(['score', 'api-bank', '--predictions', '-'], options);
    expect(code).toBe(1);
    expect(jsonLines(stdout)[0].error).toMatch(/is not there\. Run: genenv data pull api-bank/);
    expect(stderr).toContain('Nothing was judged');
  });

  it('tells what was typed wrongly', async () => {
    const wrong = [
      ['score', 'bfl', '--gold'],
      ['score', 'bfcl'],
      ['score', 'bfcl', '--gold', '--suite', 'asst'],
      ['score', 'bfcl', '--predictions', 'nowhere.jsonl'],
      ['score', 'api-bank', '--gold', '--judge', 'x.yaml'],
    ];
    const results = await Promise.all(wrong.map((args) => genenv(...args)));
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    const said = results.map(({ stderr }) => stderr).join('\n');
    expect(said).toContain('Did you mean "bfcl"?');
    expect(said).toContain('--predictions FILE.jsonl');
    expect(said).toContain('Did you mean "ast"?');
    expect(said).toContain('There is no file nowhere.jsonl');
    expect(said).not.toMatch(/at .*\.js:\d+/);
  });

  it.skipIf(!hasData).each([
    ['bfcl', 'per-turn', 201],
    ['bfcl', 'per-turn-train', 544],
    ['bfcl', 'ast', 1000],
    ['bfcl', 'relevance', 240],
    ['api-bank', 'soft', 597],
    ['api-bank', 'strict', 597],
    ['alfworld', 'step', 1600],
    ['alfworld', 'simulate', 274],
    ['travelplanner', 'plan', 45],
    ['travelplanner', 'plan-strict', 45],
    ['bamboogle', 'qa', 125],
  ] as const)('the ground truth of %s %s is right, all %i of it (in GENENV_DATA)', async (name, suite, count) => {
    const exam = (await openExams({ name }, dataFolder(name)))[suite]!;
    const scored: Scored[] = [];
    for await (const one of scoreGold(exam)) scored.push(one);
    expect(scored.filter((one) => 'error' in one || !one.correct)).toEqual([]);
    expect(scored).toHaveLength(count);
  });
});

describe('data', () => {
  it('lists what is missing and how to get it', async () => {
    const { code, stdout } = await runCli(['data', 'ls', '--json'], { cwd: folder, env: nothing() });
    expect(code).toBe(0);
    const rows = jsonLines(stdout);
    expect(rows.map(({ benchmark }) => benchmark)).toEqual([...EXAMINED]);
    for (const row of rows) {
      expect(row).toMatchObject({ state: 'missing', from: 'GENENV_DATA', files: expect.any(Number) });
    }
    const list = await runCli(['data', 'ls'], { cwd: folder, env: nothing() });
    expect(list.stdout).toContain('genenv data pull bfcl');
  });

  it('verify names every bad file with the fix, and exits with 1', async () => {
    const { code, stdout } = await runCli(['data', 'verify', 'api-bank'], { cwd: folder, env: nothing() });
    expect(code).toBe(1);
    expect(stdout.match(/missing +.*level-\d-api_processed\.json is not there/g)).toHaveLength(3);
    expect(stdout).toContain('genenv data pull api-bank');
  });

  it('pull stops at Ctrl-C and says how to go on', async () => {
    // A proxy that takes the connection and never says a word.
    const proxy = createServer();
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { ...nothing(), HTTPS_PROXY, NO_PROXY: '', no_proxy: '' };
    const { child, stderr, ended } = startCli(['data', 'pull', 'api-bank'], { cwd: folder, env });
    await once(proxy, 'connection');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stderr()).toContain('genenv data pull api-bank');
    proxy.close();
  });
});

describe.skipIf(!hasData)('eval against a server of recorded answers (in GENENV_DATA)', () => {
  const LIMIT = 24;

  /** The first questions, three of four answered right; what is wrong is nonsense. */
  async function record(name: ExaminedName, suite: string, write: (gold: unknown) => string[]) {
    const exam = (await openExams({ name }, dataFolder(name)))[suite]!;
    const ids = (await exam.ids()).slice(0, LIMIT);
    const gold = new Map((await exam.gold()).map(({ id, output }) => [String(id), output]));
    return recordAnswers(exam, ids, (id) => (ids.indexOf(id) % 4 === 3 ? ['No idea.'] : write(gold.get(id))));
  }

  const serverFile = (url: string) => {
    const file = join(folder, `server-${new URL(url).port}.yaml`);
    writeFileSync(file, `engine: { kind: openai, url: "${url}", model: recorded }\n`);
    return file;
  };

  const one = (gold: unknown) => [String(gold)];
  it.each([
    ['bfcl', 'per-turn', one],
    ['bfcl', 'ast', one],
    ['api-bank', 'soft', one],
    ['api-bank', 'strict', one],
    ['alfworld', 'step', one],
    ['alfworld', 'simulate', (gold: unknown) => gold as string[]],
    ['bamboogle', 'qa', (gold: unknown) => [`<response>${gold}</response>`]],
  ] as const)('%s %s scores what is known', async (name, suite, write) => {
    const recording = await record(name, suite, write);
    await using server = await serveAnswers(recording.reply);
    const args = ['eval', name, serverFile(server.url), '--suite', suite, '--limit', String(LIMIT), '--json'];
    const { code, stdout, stderr } = await genenv(...args, '--name', `${name}-${suite}`);
    expect([code, stderr.includes('error')]).toEqual([0, false]);
    const [result] = jsonLines(stdout);
    expect(result).toMatchObject({ type: 'evaluation', total: LIMIT, correct: 18, score: 0.75, complete: true });
    expect(result.metrics[0]).toMatchObject({ n: LIMIT, score: 0.75 });
    expect(result.metrics[0].interval[0]).toBeCloseTo(0.551, 3);
  });

  it('travelplanner scores the official example as the official evaluator does', async () => {
    const data = dataFolder('travelplanner');
    const exam = (await openExams({ name: 'travelplanner' }, data))['plan-strict']!;
    const plans = new Map(
      jsonLines(readFileSync(join(data, 'example_evaluation.jsonl'), 'utf8')).map(({ idx, plan }) => [idx, plan]),
    );
    const planFor = (id: string) => [JSON.stringify(plans.get(Number(id.split('-')[1])) ?? null)];
    const recording = await recordAnswers(exam, await exam.ids(), planFor);
    await using server = await serveAnswers(recording.reply);
    const args = ['eval', 'travelplanner', serverFile(server.url), '--suite', 'plan-strict', '--name', 'trips'];
    const { stdout } = await genenv(...args, '--json');
    const official = JSON.parse(readFileSync(join(data, 'conformance_summary.json'), 'utf8'))['validation-example'];
    const [{ metrics, total }] = jsonLines(stdout);
    expect(total).toBe(official.n);
    const ours = metrics.map(({ score }: { score: number }) => score);
    for (const rate of ['delivery', 'cs_micro', 'cs_macro', 'hd_micro', 'hd_macro', 'final']) {
      expect(ours, rate).toContainEqual(expect.closeTo(official[rate], 10));
    }
    expect(ours[0]).toBeCloseTo(
      (official.cs_micro + official.cs_macro + official.hd_micro + official.hd_macro) / 4,
      10,
    );
  });

  it('goes on after Ctrl-C with what is left, and refuses other settings', async () => {
    const recording = await record('api-bank', 'soft', one);
    await using server = await serveAnswers(async (messages) => {
      await sleep(20);
      return recording.reply(messages);
    });
    const file = serverFile(server.url);
    const args = ['eval', 'api-bank', file, '--limit', String(LIMIT), '--concurrency', '2', '--name', 'cut'];
    const { child, stdout: said, ended } = startCli(args, { cwd: folder });
    const predictions = join(folder, 'runs', 'cut', 'predictions.jsonl');
    const answered = () => {
      try {
        return readFileSync(predictions, 'utf8').trim().split('\n').filter(Boolean).length;
      } catch {
        return 0;
      }
    };
    while (answered() < 3) await sleep(10);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(said()).toContain('genenv eval api-bank');
    const kept = answered();
    expect(kept).toBeLessThan(LIMIT);

    const { stdout } = await genenv(...args, '--json');
    expect(jsonLines(stdout)[0]).toMatchObject({ kept, total: LIMIT, correct: 18, complete: true });
    expect(JSON.parse(readFileSync(join(folder, 'runs', 'cut', 'results.json'), 'utf8'))).toMatchObject({
      correct: 18,
    });

    const other = await genenv(...args, '--temperature', '1');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('temperature was 0 and is now 1');
  });

  it('judges what it saved as it judged while asking', async () => {
    const predictions = join('runs', 'api-bank-soft', 'predictions.jsonl');
    const { stdout } = await genenv('score', 'api-bank', '--predictions', predictions, '--json');
    expect(jsonLines(stdout).at(-1)).toMatchObject({ total: LIMIT, correct: 18, unanswered: 597 - LIMIT });
  });
});

describe('eval', () => {
  it('wants to know who is examined, and says when data is missing before it makes anything', async () => {
    const nobody = await genenv('eval', 'bfcl');
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain('Say who is examined');
    const args = ['eval', 'bfcl', '--engine', 'scripted', '--name', 'unmade'];
    const missing = await runCli(args, { cwd: folder, env: nothing() });
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('genenv data pull bfcl');
    expect(() => readFileSync(join(folder, 'runs', 'unmade', 'evaluation.json'))).toThrow();
  });
});

/** Small enough for a test: what is shown is that the loop turns in each world, not that anybody learns much. */
const SMALL = ['baseTasks=16', 'seedsPerEpoch=4', 'variations=2', 'evaluation.every=2', 'evaluation.tasks=4'];

describe('co-evolution on the scripted engine', () => {
  // Bamboogle's training tasks are made up; the others start from their data.
  const playable = EXAMINED.filter((name) => hasData || name === 'bamboogle');
  it.each(playable)('turns on %s, and its agent can be examined', async (name) => {
    const settings = [...SMALL, `benchmark=${name}`, 'rollout.maxTurns=50'].flatMap((one) => ['--set', one]);
    const args = ['train', '--engine', 'scripted', '--epochs', '2', '--name', `small-${name}`, ...settings];
    const { code, stdout, stderr } = await genenv(...args, '--json', '--quiet');
    expect([code, stderr]).toEqual([0, '']);
    const summary = jsonLines(stdout).at(-1);
    expect(summary).toMatchObject({ type: 'summary', status: 'finished', epochs: 2 });
    expect(summary.ledger.rejectedGenerations).toBeLessThan(summary.ledger.generations / 2);
    expect(summary.ledger.invalidRollouts).toBe(0);
    const { first, last } = summary.usefulGroups;
    expect(Math.max(first, last)).toBeGreaterThan(0);
    if (!hasData) return;
    const examined = await genenv('eval', name, '--run', `small-${name}`, '--limit', '5', '--json', '--quiet');
    expect([examined.code, examined.stderr]).toEqual([0, '']);
    expect(jsonLines(examined.stdout)[0]).toMatchObject({
      total: 5,
      complete: true,
      settings: { run: `small-${name}` },
    });
  });
});
