/** `genenv doctor`: what a configuration will do, before it costs anything. */
import { styleText } from 'node:util';
import { loadConfig } from '../config.ts';
import { type Diagnosis, diagnose } from '../doctor.ts';

export interface DoctorOptions {
  json?: boolean;
  preset?: string;
  engine?: string;
  set?: string[];
}

export function doctor(file: string | undefined, { json, preset, engine, set }: DoctorOptions): void {
  const { config } = loadConfig({ file, preset, flags: { engine }, set });
  const diagnosis = diagnose(config);
  if (json) {
    process.stdout.write(`${JSON.stringify(diagnosis)}\n`);
    return;
  }
  for (const line of render(diagnosis, config.curriculum)) process.stdout.write(`${line}\n`);
  const again = file === undefined ? 'genenv train' : `genenv train ${file}`;
  process.stdout.write(`\n  Next:  ${again}\n\n`);
}

function render(
  d: Diagnosis,
  { alpha, kMin, filter, successScope }: { alpha: number; kMin: number; filter: string; successScope: string },
): string[] {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: process.stdout });
  const cells = (values: number[]) => values.map((v) => v.toFixed(3).padStart(8)).join('');
  const { perEpoch: cost } = d;
  const amount = (n: number | null) => (n === null ? 'depends on the seed file' : n.toLocaleString('en'));
  return [
    '',
    `  ${paint('bold', 'Success rates')} are counted over ${d.attempts} attempts (scope ${successScope}).`,
    '',
    `  true success rate             ${cells(d.survival.map((s) => s.p))}`,
    `  pass |p̂ − ${alpha}| ≤ ${kMin}`.padEnd(32) + cells(d.survival.map((s) => s.expected)),
    ...(filter === 'strict'
      ? []
      : [`  pass the ${filter} filter in use`.padEnd(32) + cells(d.survivalInUse.map((s) => s.expected))]),
    `  groups without a gradient     ${cells(d.zeroGradient.map((s) => s.expected))}`,
    '',
    `  ${paint('bold', 'Ranking')} a task at ${alpha} above one that is off by     ${cells(d.misranking.map((m) => m.gap))}`,
    `    goes wrong with probability at most (Theorem 1)  ${cells(d.misranking.map((m) => m.bound))}`,
    `    and exactly                                      ${cells(d.misranking.map((m) => m.exact))}`,
    '',
    `  ${paint('bold', 'One epoch')}  ${amount(cost.generations)} generations · ${amount(cost.tasks)} tasks · ${amount(cost.rollouts)} rollouts`,
    `    at most ${amount(cost.maxAgentTokens)} agent tokens and ${amount(cost.maxEnvironmentTokens)} environment tokens`,
    '',
    ...(d.warnings.length > 0
      ? d.warnings.map((w) => `  ${paint('yellow', 'warning')}  ${w.message}`)
      : [`  ${paint('green', 'ok')}  nothing to warn about`]),
  ];
}
