/** The page: finds out where the reader is and shows it. */
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/parts.css';
import './style/pages.css';
import './style/control.css';
import { type JSX, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Route } from './address.ts';
import { Confirmation } from './control/confirm.tsx';
import { followControl } from './control/desk.ts';
import { takeTokenFromAddress } from './control/token.ts';
import { Frame } from './frame.tsx';
import { Help } from './help.tsx';
import { listenForKeys } from './keys.ts';
import { BatchPage } from './pages/batch.tsx';
import { ComparePage } from './pages/compare.tsx';
import { DiffPage } from './pages/diff.tsx';
import { EpochPage } from './pages/epoch.tsx';
import { GenerationPage } from './pages/generation.tsx';
import { MetricsPage } from './pages/metrics.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { RolloutsPage } from './pages/rollouts.tsx';
import { RunsPage } from './pages/runs.tsx';
import { TaskPage } from './pages/task.tsx';
import { TasksPage } from './pages/tasks.tsx';
import { followLinks, route } from './route.ts';
import { followRun } from './run-live.ts';
import { Empty } from './states.tsx';
import { followTheme } from './theme.ts';

function App(): JSX.Element {
  const [help, setHelp] = useState(false);
  const current = route.value;
  useEffect(() => listenForKeys(() => setHelp((open) => !open)), []);
  useEffect(() => {
    document.title = `${titleOf(current)} · GenEnv`;
  }, [current]);
  return (
    <Frame onHelp={() => setHelp(true)}>
      <Page current={current} />
      <Confirmation />
      {help && <Help onClose={() => setHelp(false)} />}
    </Frame>
  );
}

function Page({ current }: { current: Route }): JSX.Element {
  switch (current.page) {
    case 'runs':
      return <RunsPage />;
    case 'compare':
      return <ComparePage />;
    case 'overview':
      return <OverviewPage />;
    case 'metrics':
      return <MetricsPage run={current.run} />;
    case 'tasks':
      return <TasksPage run={current.run} />;
    case 'diff':
      return <DiffPage run={current.run} />;
    case 'epoch':
      return <EpochPage run={current.run} epoch={current.epoch} />;
    case 'batch':
      return <BatchPage run={current.run} epoch={current.epoch} seed={current.seed} />;
    case 'task':
      return <TaskPage run={current.run} task={current.task} />;
    case 'rollouts':
      return <RolloutsPage run={current.run} task={current.task} />;
    case 'generation':
      return <GenerationPage run={current.run} id={current.id} />;
    case 'nowhere':
      return (
        <Empty title="There is nothing at this address">
          <p>
            <a href="/">All runs</a>
          </p>
        </Empty>
      );
    default:
      return current satisfies never;
  }
}

function titleOf(current: Route): string {
  if (current.page === 'runs' || current.page === 'nowhere') return 'Runs';
  if (current.page === 'compare') return 'Compare';
  return current.page === 'overview' ? current.run : `${current.page} · ${current.run}`;
}

takeTokenFromAddress();
followTheme();
followLinks();
followRun();
followControl();
render(<App />, document.getElementById('page')!);
