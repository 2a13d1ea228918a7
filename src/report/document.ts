/** What a report says, in which order. */
import type { Block, Document } from './blocks.ts';
import type { Comparison } from './comparison.ts';
import { curriculum } from './figures/curriculum.ts';
import { drift } from './figures/drift.ts';
import { dataEfficiency } from './figures/efficiency.ts';
import { generatedSuccess } from './figures/generated-success.ts';
import { outcomes } from './figures/outcomes.ts';
import { finalScores } from './figures/scores.ts';
import { strata } from './figures/strata.ts';
import { training } from './figures/training.ts';
import { notes } from './notes.ts';
import { count, counted, moment } from './number.ts';
import type { Figure } from './svg/figure.ts';
import {
  changesTable,
  efficiencyTable,
  generatedTable,
  resultsTable,
  runsTable,
  settingsTable,
  verdictsTable,
} from './tables.ts';
import { summary } from './words.ts';

/** What needs several arms is left out of the report of one. */
export function document(comparison: Comparison): Document {
  const { arms } = comparison;
  const several = arms.length > 1;
  const title = `${several ? 'Comparison' : 'Run'} ${comparison.title}`;
  const efficiency = several ? efficiencyTable(arms) : null;
  const verdicts = verdictsTable(arms);
  const changes = changesTable(arms);
  const generated = several ? generatedTable(comparison) : null;
  const drawn = (draw: (comparison: Comparison) => Figure): Block => ({ kind: 'figure', figure: draw(comparison) });
  const opening: Block[] = [facts(comparison), ...summary(comparison).map((text): Block => ({ kind: 'lead', text }))];
  if (arms.length === 0) return { title, blocks: opening };
  const blocks: Block[] = [
    ...opening,
    { kind: 'heading', text: several ? 'Results by arm' : 'Result' },
    resultsTable(comparison),
    ...(generated ? [generated] : []),
    { kind: 'heading', text: 'Figures' },
    ...[generatedSuccess, training, curriculum, outcomes].map(drawn),
    ...(several ? [finalScores, dataEfficiency].map(drawn) : []),
    ...(efficiency ? [efficiency] : []),
    ...[strata, drift].map(drawn),
    ...(verdicts ? [verdicts] : []),
    { kind: 'heading', text: several ? 'Arms and runs' : 'Runs' },
    ...(several ? [settingsTable(arms)] : []),
    runsTable(arms),
    ...(changes ? [changes] : []),
    { kind: 'heading', text: 'How to read the numbers' },
    { kind: 'list', items: notes(arms) },
  ];
  return { title, blocks };
}

function facts({ command, benchmark, engine, seeds, arms, machine, version, createdAt }: Comparison): Block {
  const epochs = Math.max(0, ...arms.flatMap(({ runs }) => runs.map((run) => run.epochs.at(-1)?.epoch ?? 0)));
  return {
    kind: 'facts',
    command,
    facts: [
      { name: 'benchmark', value: benchmark },
      { name: 'engine', value: engine },
      { name: seeds.length === 1 ? 'seed' : 'seeds', value: seeds.join(', ') },
      { name: 'epochs', value: count(epochs) },
      { name: 'machine', value: `${machine.cpu}, ${counted(machine.cores, 'core')}, Node ${machine.node}` },
      { name: 'version', value: `GenEnv ${version}` },
      { name: 'date', value: moment(createdAt) },
    ],
  };
}
