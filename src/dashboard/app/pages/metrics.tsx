/** Every raw metric of a run, found by a regular expression. */
import type { JSX } from 'preact';
import { counted } from '../../../report/number.ts';
import type { BinnedSeries, MetricList } from '../../api.ts';
import { to } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { ChartPanel } from '../panel.tsx';
import { query, setQuery } from '../route.ts';
import { runLive } from '../run-live.ts';
import { Answered } from '../states.tsx';

const A_PAGE = 12;

export function MetricsPage({ run }: { run: string }): JSX.Element {
  const version = runLive.value?.version ?? 0;
  const answer = useAnswer<MetricList>(to('api', 'runs', run, 'metrics'), version);
  return (
    <>
      <h1>Metrics</h1>
      <Answered answer={answer} what="Reading the metrics">
        {({ metrics }) => <Metrics run={run} list={metrics} version={version} />}
      </Answered>
    </>
  );
}

/** A filter that is no regular expression yet, while it is being typed, is a plain text. */
function matcher(filter: string): (key: string) => boolean {
  try {
    const pattern = new RegExp(filter, 'i');
    return (key) => pattern.test(key);
  } catch {
    return (key) => key.includes(filter);
  }
}

function Metrics({ run, list, version }: { run: string; list: MetricList['metrics']; version: number }): JSX.Element {
  const filter = query.value.get('filter') ?? '';
  const page = Math.max(0, Number(query.value.get('page') ?? 0) || 0);
  const found = list.filter(({ key }) => matcher(filter)(key));
  const shown = found.slice(page * A_PAGE, (page + 1) * A_PAGE);
  const keys = shown.map(({ key }) => `key=${encodeURIComponent(key)}`).join('&');
  const series = useAnswer<BinnedSeries[]>(keys === '' ? null : `${to('api', 'runs', run, 'series')}?${keys}`, version);
  return (
    <>
      <div class="bar">
        <label>
          Filter{' '}
          <input
            type="search"
            data-search
            class="code"
            value={filter}
            placeholder="a regular expression: ^env/ or kl$"
            onInput={(event) => setQuery({ filter: event.currentTarget.value, page: null })}
          />
        </label>
        <span class="soft" role="status">
          {found.length === list.length
            ? counted(list.length, 'metric')
            : `${found.length} of ${counted(list.length, 'metric')}`}
        </span>
        <Pages page={page} pages={Math.ceil(found.length / A_PAGE)} />
      </div>
      {found.length === 0 && <p class="absent">No metric matches “{filter}”.</p>}
      <div class="panels">
        {shown.map(({ key, points, perStep }) => {
          const data = series.data?.find((one) => one.key === key);
          return <MetricPanel key={key} name={key} points={points} perStep={perStep} data={data} />;
        })}
      </div>
    </>
  );
}

interface PanelProps {
  name: string;
  points: number;
  perStep: boolean;
  data: BinnedSeries | undefined;
}

function MetricPanel({ name, points, perStep, data }: PanelProps): JSX.Element {
  const { mean = [], min = [], max = [], size = 1 } = data ?? {};
  return (
    <ChartPanel
      title={name}
      note={`${counted(points, 'point')}${size > 1 ? `, ${size} a bin` : ''}`}
      spec={{
        label: name,
        x: (perStep ? data?.index : data?.epoch) ?? [],
        xName: perStep ? 'step' : 'epoch',
        yName: '',
        height: 180,
        lines: [
          {
            name: size > 1 ? 'mean' : 'value',
            values: mean,
            colour: name.startsWith('env/') ? 'env' : 'agent',
            width: 1.5,
            ...(size > 1 ? { range: { low: min, high: max } } : {}),
          },
        ],
      }}
      absent="Loading …"
    />
  );
}

function Pages({ page, pages }: { page: number; pages: number }): JSX.Element | null {
  if (pages < 2) return null;
  const go = (next: number) => setQuery({ page: next === 0 ? null : String(next) }, false);
  return (
    <span class="pager">
      <button type="button" disabled={page === 0} onClick={() => go(page - 1)}>
        ← before
      </button>
      <span>
        {page + 1} of {pages}
      </span>
      <button type="button" disabled={page >= pages - 1} onClick={() => go(page + 1)}>
        after →
      </button>
    </span>
  );
}
