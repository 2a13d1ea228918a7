/** What the simulator supplies: pools, verdicts and diversity. */
import type { JSX } from 'preact';
import type { EpochPage, EpochRow, PoolPage, RunHead } from '../../api.ts';
import { to } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { LOOKS } from '../chart/colours.ts';
import type { Line } from '../chart/types.ts';
import { ChartPanel } from '../panel.tsx';
import { navigate } from '../route.ts';
import { StructureList } from '../structures.tsx';
import { metric } from './columns.ts';

interface Props {
  head: RunHead;
  rows: readonly EpochRow[];
  version: number;
}

export function Supply({ head, rows, version }: Props): JSX.Element {
  const x = rows.map(({ epoch }) => epoch);
  const open = (index: number) => navigate(to('r', head.id, 'epoch', rows[index]!.epoch));
  const common = { x, xName: 'epoch', sync: 'epochs', onPick: open, pickHint: 'Click or Enter opens the epoch' };
  const pools = useAnswer<PoolPage>(to('api', 'runs', head.id, 'pools'), version);
  const last = rows.findLast(({ facts }) => (facts?.tasks.length ?? 0) > 0)?.epoch;
  const shapes = useAnswer<EpochPage>(last === undefined ? null : to('api', 'runs', head.id, 'epochs', last), version, {
    keep: true,
  });
  return (
    <>
      <ChartPanel
        title="Pools"
        about="D_train: tasks the agent can meet again. D_env: generations the simulator learned from. Both only grow."
        note={`${head.pools.agent} tasks, ${head.pools.environment} generations now`}
        spec={{
          ...common,
          label: 'Size of both pools by epoch',
          yName: 'members',
          yWhole: true,
          yRange: [0, null],
          lines: poolLines(rows, pools.data),
        }}
        absent={pools.data === null ? 'Loading …' : 'Nothing has entered the pools yet.'}
      />
      <ChartPanel
        title="Verdicts on what was written"
        about="What the simulator wrote, by what the guards said of it: accepted, or why it was rejected. Rejections earn nothing."
        keys={['env/rejectedShare', 'env/duplicateShare']}
        note={<a href={`${to('r', head.id, 'tasks')}?verdict=rejected`}>rejected ones</a>}
        spec={{
          ...common,
          label: 'Generations by verdict and epoch',
          yName: 'generations',
          yWhole: true,
          yRange: [0, null],
          lines: verdictLines(rows),
        }}
        absent="Nothing has been written yet."
      />
      <ChartPanel
        title="Diversity"
        about="How many shapes of task there are, and how evenly they are used: entropy over its maximum, 1 all different, 0 all alike. Duplicates are rejected."
        keys={['env/diversity', 'env/structures', 'env/duplicateShare']}
        spec={{
          ...common,
          label: 'Diversity of generated tasks by epoch',
          yName: 'share',
          yRange: [0, 1],
          rightName: 'shapes',
          rightRange: [0, null],
          lines: [
            { name: 'evenness', values: metric(rows, 'env/diversity'), colour: 'env' },
            {
              name: 'duplicates',
              values: metric(rows, 'env/duplicateShare'),
              colour: 'grey',
              dash: [2, 3],
              width: 1.5,
            },
            {
              name: 'distinct shapes',
              values: metric(rows, 'env/structures'),
              colour: 'good',
              dash: [6, 4],
              axis: 'right',
              format: (value) => String(Math.round(value)),
            },
          ],
        }}
        absent="No epoch is over yet."
      />
      {last !== undefined && <StructureList run={head.id} epoch={shapes.data?.epoch ?? last} page={shapes.data} />}
    </>
  );
}

function poolLines(rows: readonly EpochRow[], page: PoolPage | null): Line[] {
  const sums = { agent: 0, environment: 0 };
  const growth = [...(page?.growth ?? [])];
  const sizes = rows.map(({ epoch }) => {
    while (growth[0] && growth[0].epoch <= epoch) {
      const { agent, environment } = growth.shift()!;
      sums.agent += agent;
      sums.environment += environment;
    }
    return { ...sums };
  });
  const known = (name: 'agent' | 'environment') =>
    page && page.growth.length > 0 ? sizes.map((size) => size[name]) : [];
  const whole = (value: number) => String(value);
  return [
    { name: 'agent’s tasks', values: known('agent'), colour: 'agent', format: whole },
    { name: 'simulator’s generations', values: known('environment'), colour: 'env', dash: [6, 4], format: whole },
  ];
}

/** Most frequent reason first, on top of what was accepted. */
function verdictLines(rows: readonly EpochRow[]): Line[] {
  const totals = new Map<string, number>();
  for (const { facts } of rows) {
    for (const [verdict, count] of Object.entries(facts?.verdicts ?? {})) {
      totals.set(verdict, (totals.get(verdict) ?? 0) + count);
    }
  }
  const reasons = [...totals.keys()]
    .filter((name) => name !== 'accepted')
    .sort((a, b) => totals.get(b)! - totals.get(a)!);
  const palette = LOOKS.filter((name) => name !== 'good' && name !== 'grey');
  const line = (name: string, colour: Line['colour'], title = name): Line => ({
    name: title,
    colour,
    stacked: true,
    values: rows.map(({ facts }) =>
      facts && Object.keys(facts.verdicts).length > 0 ? (facts.verdicts[name] ?? 0) : null,
    ),
    format: (value) => String(value),
  });
  if (totals.size === 0) return [];
  return [...reasons.map((reason, i) => line(reason, palette[i % palette.length]!)), line('accepted', 'grey')];
}
