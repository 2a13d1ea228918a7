/** `genenv show <run> <task>`: the passport of a task, from where it came to what became of it. */
import type { Band } from '../core/curriculum.ts';
import type { EvalSpec, Group, Task, ToolSpec, Trace } from '../core/types.ts';
import type { Passport, RunReader } from '../store/index.ts';
import { bandBar } from './bars.ts';
import { type Field, fields, LABEL_WIDTH } from './fields.ts';
import { counted, decimal, NONE } from './format.ts';
import { meanLogprob, tokenCount } from './log-probs.ts';
import { callsText, excerpt, messageFields } from './messages.ts';
import { command, nextSteps } from './next-step.ts';
import { configOf } from './run-overview.ts';
import { paint, say, sayJson, terminalWidth } from './say.ts';
import { authorOf, contextFields, verdictLines } from './show-generation.ts';
import { firstWords } from './show-tasks.ts';
import { type Column, table } from './table.ts';
import type { Place } from './task-lookup.ts';
import { clip } from './text-width.ts';
import { brief, visible } from './visible.ts';

export function showTask(reader: RunReader, id: string, place: Place): void {
  // The id was just looked up in the same file.
  const passport = reader.passport(id)!;
  const groups = passport.outcomes.flatMap(({ epoch, role }) => reader.group(epoch, id, role) ?? []);
  if (place.json) {
    sayJson({ run: place.run, ...passport, groups: groups.map((group) => summaryOf(group, groups)) });
    return;
  }
  const width = terminalWidth();
  const lineage = passport.lineage.map((head) => reader.task(head.id)!);
  const { curriculum } = configOf(reader).config;
  say(
    '',
    header(passport, place),
    '',
    ...fields([...content(passport.task), ...origins(passport, lineage, width), ...writing(passport, width)], width),
    ...attempts(groups, curriculum, width),
    ...credit(passport, width),
    '',
    ...fields(fate(passport), width),
    ...nextStep(passport, groups, place),
  );
}

const PROMPT_LINES = 40;

function header({ task }: Passport, { run }: Place): string {
  const when = task.epoch === 0 ? 'before training' : `in epoch ${task.epoch}`;
  const born = {
    base: 'a base task',
    validation: 'a held-out task',
    test: 'a test task',
    generated: `written ${when}`,
    teacher: `written by the teacher ${when}`,
  };
  return `  ${paint('bold', task.id)}   ${born[task.origin]} · ${visible(run)}`;
}

/** Seed → variation → …, one a line. */
function origins({ task, variations }: Passport, lineage: readonly Task[], width: number): Field[] {
  const chain = lineage.map((ancestor, depth) => {
    const label = `${'  '.repeat(depth)}${depth > 0 ? '→ ' : ''}${ancestor.id}  ${ancestor.origin}, epoch ${ancestor.epoch}`;
    return clip(
      ancestor.id === task.id ? `${label}  this one` : `${label}  ${visible(firstWords(ancestor.prompt))}`,
      width - LABEL_WIDTH - 2,
    );
  });
  return [
    ['lineage', chain],
    ['variations', [variations === 0 ? 'none yet' : counted(variations, 'task')]],
  ];
}

function content({ prompt, tools, eval: spec, features, structure }: Task): Field[] {
  const measured = Object.entries(features).map(([name, value]) => `${brief(name)} ${value}`);
  return [
    ...messageFields(prompt, PROMPT_LINES),
    ['tools', tools.map(toolText)],
    ['judged by', targetLines(spec)],
    ['features', measured.length > 0 ? [measured.join(' · ')] : []],
    ['shape', [structure]],
  ];
}

function toolText({ name, description, parameters }: ToolSpec): string {
  const { properties } = parameters;
  const isObject = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
  return brief(`${name}(${isObject ? Object.keys(properties).join(', ') : ''})  ${description}`).trimEnd();
}

export function targetLines(spec: EvalSpec): string[] {
  switch (spec.kind) {
    case 'toolCalls':
      return [`these calls, ${spec.order === 'any' ? 'in any order' : 'in this order'}:`, callsText(spec.target)];
    case 'json':
      return ['this value:', ...excerpt(JSON.stringify(spec.target), PROMPT_LINES)];
    case 'text':
      return [`${spec.metric} against this text:`, ...excerpt(spec.target, PROMPT_LINES)];
    case 'script':
      return ['this script:', ...excerpt(spec.source, PROMPT_LINES)];
    case 'world':
      return [`the world ${visible(spec.world)} reaching:`, ...excerpt(JSON.stringify(spec.goal), PROMPT_LINES)];
    default:
      return spec satisfies never;
  }
}

/** How it was written; what the author saw only once, for the first time. */
function writing({ generations }: Passport, width: number): Field[] {
  const times = generations.map(
    (generation) => `${generation.id} by ${authorOf(generation)}: ${verdictLines(generation).join(' ')}`,
  );
  return [['written', times], ...generations.slice(0, 1).flatMap((first) => contextFields(first, width))];
}

function attempts(groups: readonly Group[], band: Band, width: number): string[] {
  const valid = ({ traces }: Group) => traces.filter((trace) => trace.valid);
  const solved = (group: Group) => valid(group).filter(({ success }) => success).length;
  const rate = (group: Group) => (valid(group).length > 0 ? solved(group) / valid(group).length : undefined);
  const columns: Column<Group>[] = [
    { title: 'epoch', cell: ({ epoch }) => String(epoch), align: 'right' },
    { title: 'role', cell: ({ role }) => role },
    { title: 'p̂', cell: (group) => `${decimal(rate(group)).padStart(4)} ${bandBar(rate(group), band, 10)}` },
    { title: 'k/n', cell: (group) => `${solved(group)}/${valid(group).length}`, align: 'right' },
    { title: 'rewards', cell: ({ traces }) => traces.map(rewardText).join(' '), shrinkTo: 16 },
    { title: 'stopped by', cell: stopsOf, drop: 1 },
    {
      title: 'agent',
      cell: ({ traces }) => visible([...new Set(traces.map(({ policy }) => policy))].join(', ')),
      drop: 2,
    },
  ];
  if (groups.length === 0) return ['', '  The agent has not attempted it.'];
  return ['', ...table(columns, groups, width)];
}

/** A rollout that could not be judged has no reward. */
const rewardText = ({ reward, valid }: Trace) => (valid ? String(Number(reward.toFixed(2))) : NONE);

function stopsOf({ traces }: Group): string {
  const counts = new Map<string, number>();
  for (const { stop } of traces) counts.set(stop, (counts.get(stop) ?? 0) + 1);
  return [...counts].map(([stop, n]) => `${stop} ${n}`).join(', ');
}

/** What the curriculum made of it (Eq. 2, Eq. 3, the filter). Its p̂ may be that of the whole seed, by `successScope`. */
function credit({ scores }: Passport, width: number): string[] {
  if (scores.length === 0) return [];
  const columns: Column<Passport['scores'][number]>[] = [
    { title: 'epoch', cell: ({ epoch }) => String(epoch), align: 'right' },
    { title: 'generation', cell: ({ generationId }) => generationId },
    { title: 'p̂ credited', cell: ({ successRate }) => decimal(successRate, 3), align: 'right' },
    { title: 'R_env', cell: ({ envReward }) => decimal(envReward, 3), align: 'right' },
    { title: 'filter', cell: ({ kept }) => (kept ? 'kept' : 'left out') },
    { title: 'weight', cell: ({ weight }) => decimal(weight, 3), align: 'right' },
  ];
  return ['', ...table(columns, scores, width)];
}

function fate({ pools, quarantine }: Passport): Field[] {
  const entries = pools.map(({ pool, memberId, epoch, weight }) => {
    const as = pool === 'environment' ? ` as ${memberId}` : '';
    return `${pool}${as}, weight ${decimal(weight, 3)}, last entered in epoch ${epoch}`;
  });
  return [
    ['pools', entries.length > 0 ? entries : ['in neither']],
    ['quarantine', quarantine ? [`since epoch ${quarantine.epoch}: ${brief(quarantine.reason)}`] : []],
  ];
}

/** What is typed to see a rollout. The role is part of it only where a task was attempted twice in one epoch. */
export function rolloutId({ task, epoch, role }: Group, index: number, groups: readonly Group[]): string {
  const twice = groups.filter((group) => group.epoch === epoch).length > 1;
  return `${task.id}/${epoch}/${twice ? `${role}/` : ''}${index}`;
}

const summaryOf = (group: Group, groups: readonly Group[]) => ({
  epoch: group.epoch,
  role: group.role,
  rollouts: group.traces.map(({ index, policy, reward, success, valid, stop, error, answer, turns }) => ({
    id: rolloutId(group, index, groups),
    policy,
    reward,
    success,
    valid,
    stop,
    error: error ?? null,
    answer,
    tokens: tokenCount(turns),
    meanLogprob: meanLogprob(turns),
  })),
});

function nextStep({ task }: Passport, groups: readonly Group[], place: Place): string[] {
  const last = groups.at(-1);
  const look = (id: string) => command(place, 'show', place.run, id);
  const steps: [string, string][] = [];
  if (last?.traces[0]) {
    const indices = last.traces.length > 1 ? `, 0 to ${last.traces.length - 1}` : '';
    steps.push([look(rolloutId(last, last.traces[0].index, groups)), `its rollouts${indices}`]);
  }
  if (task.seedId !== null) steps.push([look(task.seedId), 'what it is a variation of']);
  if (steps.length === 0) steps.push([look('--tasks'), 'other tasks']);
  return nextSteps(...steps);
}
