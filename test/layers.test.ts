/** The arrows between folders, as the linter enforces them: each of these imports must be refused, or allowed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = process.cwd();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-layers-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the linter says of files that import these, by place. All at once: the linter takes longer to start than to lint. */
function refused(cases: readonly [file: string, from: string][]): boolean[] {
  cases.forEach(([file, from], i) => {
    const path = join(folder, file, `case-${i}.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import { x } from '${from}';\n\nx();\n`);
  });
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
  let report = '';
  try {
    execFileSync(join(root, 'node_modules/.bin/biome'), ['lint', '--max-diagnostics=none', '--reporter=json', '.'], {
      cwd: folder,
      stdio: 'pipe',
    });
  } catch (error) {
    report = String((error as { stdout: Buffer }).stdout);
  }
  const found = (
    JSON.parse(report) as { diagnostics: { category: string; location: { path: string | { file: string } } }[] }
  ).diagnostics
    .filter((d) => d.category === 'lint/style/noRestrictedImports')
    .map((d) => (typeof d.location.path === 'string' ? d.location.path : d.location.path.file));
  return cases.map((_, i) => found.some((path) => path.endsWith(`case-${i}.ts`)));
}

describe('the layers', () => {
  it('refuse every arrow that points outward or sideways, and allow those to the core', () => {
    const bad: [string, string][] = [
      ['src/core', 'node:fs'],
      ['src/core', 'zod'],
      ['src/core', '../store/index.ts'],
      ['src/policies', '../store/index.ts'],
      ['src/policies', '../run.ts'],
      ['src/compare', '../cli/view.ts'],
      ['src/report', '../compare/plan.ts'],
      ['src/eval', '../cli/view.ts'],
      ['src', './eval/score.ts'],
      ['src/data', '../benchmarks/toy/index.ts'],
      ['src/data', '../run.ts'],
      ['src', './compare/plan.ts'],
      ['src/store', '../policies/agent.ts'],
      ['src/engines/scripted', '../replay/index.ts'],
      ['src/engines/scripted', '../../config.ts'],
      ['src/engines/local/graph', '../../scripted/index.ts'],
      ['src/benchmarks/toy', '../../engines/scripted/index.ts'],
      ['src', './cli/view.ts'],
      ['src/wire', 'node:fs'],
      ['src/wire', '../store/index.ts'],
      ['src/store', '../wire/messages.ts'],
      ['src/server', '../engines/local/index.ts'],
      ['src/server', '../run.ts'],
      ['src/engines/tinker', '../local/index.ts'],
      ['src/engines/tinker', '../../server/host.ts'],
      ['src/report', '../store/index.ts'],
      ['src/report', 'zod'],
      ['src/control', '../store/index.ts'],
      ['src/control', 'zod'],
      ['src/metrics', '../store/index.ts'],
      ['src/metrics', '../config.ts'],
      ['src/report/svg', '../comparison.ts'],
      ['src/report/figures', '../../store/index.ts'],
      ['src/tokens', '../engines/local/index.ts'],
      ['src/tokens', 'zod'],
      ['src/engines/scripted', '../../tokens/chat.ts'],
      ['src/engines/local', '../scripted/index.ts'],
      ['src/engines/tinker/wire', '../../local/index.ts'],
      ['src/policies', '../tokens/chat.ts'],
      ['src/data', '../benchmarks/toy/index.ts'],
      ['src/data', '../run.ts'],
      ['src/hub', '../tokens/chat.ts'],
      ['src/hub', '../run.ts'],
      ['src/dashboard', '../cli/view.ts'],
      ['src/dashboard', './app/route.ts'],
      ['src/store', '../dashboard/server.ts'],
      ['src', './dashboard/server.ts'],
      ['src/dashboard/app', 'node:fs'],
      ['src/dashboard/app', 'hono'],
      ['src/dashboard/app/pages', '../../../store/index.ts'],
      ['src/dashboard/app/pages', '../../server.ts'],
    ];
    const good: [string, string][] = [
      ['src/core', './types.ts'],
      ['src/policies', '../core/types.ts'],
      ['src/policies', 'zod'],
      ['src/compare', '../run.ts'],
      ['src/compare', '../report/arm-rows.ts'],
      ['src/cli', '../compare/plan.ts'],
      ['src/eval', '../run.ts'],
      ['src/data', '../benchmarks/data.ts'],
      ['src/data', 'undici'],
      ['src/engines/scripted', '../../core/types.ts'],
      ['src/engines/local/graph', '../../../core/types.ts'],
      ['src/engines/local/graph', '../sampler.ts'],
      ['src/cli', '../run.ts'],
      ['src/wire', '../core/types.ts'],
      ['src/wire', 'zod'],
      ['src/wire', 'fzstd'],
      ['src/server', '../wire/messages.ts'],
      ['src/server', '../core/engine.ts'],
      ['src/server', 'node:http'],
      ['src/engines/tinker', '../../wire/messages.ts'],
      ['src/engines/local/graph', '../../../wire/proto-writer.ts'],
      ['src', './store/index.ts'],
      ['src/report', '../core/types.ts'],
      ['src/control', '../core/types.ts'],
      ['src/control', 'node:fs'],
      ['src/metrics', '../core/types.ts'],
      ['src/metrics', './crc32c.ts'],
      ['src/metrics', 'node:timers/promises'],
      ['src/report', './svg/scale.ts'],
      ['src/report', 'node:fs/promises'],
      ['src/report/figures', '../svg/scale.ts'],
      ['src/report/figures', '../comparison.ts'],
      ['src/tokens', '../core/types.ts'],
      ['src/tokens', './chat.ts'],
      ['src/tokens', 'node:fs/promises'],
      ['src/tokens', '@huggingface/jinja'],
      ['src/engines/local', '../../tokens/chat.ts'],
      ['src/engines/local/model', '../../../tokens/chat.ts'],
      ['src/engines/tinker', '../../tokens/chat.ts'],
      ['src/data', '../benchmarks/data.ts'],
      ['src/data', 'undici'],
      ['src/hub', '../data/download.ts'],
      ['src/cli', '../dashboard/server.ts'],
      ['src/dashboard', '../store/index.ts'],
      ['src/dashboard', 'hono'],
      ['src/dashboard/app', 'preact'],
      ['src/dashboard/app', '../api.ts'],
      ['src/dashboard/app/pages', '../route.ts'],
      ['src/dashboard/app/pages', '../../api.ts'],
      ['src/dashboard/app/pages', '../../../report/number.ts'],
    ];
    const verdicts = refused([...bad, ...good]);
    expect(bad.filter((_, i) => !verdicts[i])).toEqual([]);
    expect(good.filter((_, i) => verdicts[bad.length + i])).toEqual([]);
  });
});
