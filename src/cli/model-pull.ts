/** `genenv model pull`: a model from the hub, onto this machine. */
import { basename, join } from 'node:path';
import { pullModel } from '../hub/pull-model.ts';
import { hubOf } from '../hub/repository.ts';
import { progressBar } from './bars.ts';
import { counted, duration, fileSize } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { pulling } from './pulling.ts';
import { sayJson } from './say.ts';
import { visible } from './visible.ts';

export interface PullOptions extends CommonOptions {
  revision: string;
  files?: string[];
  to?: string;
}

export async function pullCommand(repository: string, options: PullOptions): Promise<void> {
  const hub = hubOf(process.env);
  const folder = options.to ?? join('models', basename(repository));
  const again = command(options, ...['model', 'pull', repository, ...flags(options)]);
  const started = performance.now();
  await pulling(again, options, async ({ screen, dispatcher, signal }) => {
    const { manifest, fetched, kept } = await pullModel({
      hub,
      repository,
      revision: options.revision,
      files: options.files ?? [],
      folder,
      dispatcher,
      signal,
      onProgress: (done, total, path) =>
        screen.move(() => progressLine(path, done, total, (performance.now() - started) / 1000)),
    });
    if (options.json) sayJson({ folder, fetched, kept, ...manifest });
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const what = fetched === 0 ? 'is here' : `pulled ${counted(fetched, 'file')}`;
    screen.say(`  ${manifest.repository} ${what}   ${fileSize(bytes)}   ${visible(folder)}`);
    screen.say(`  commit ${manifest.commit}`);
    const steps = nextSteps(
      [command(options, 'model', 'info', folder), 'what it is'],
      [command(options, 'train', '--engine', 'local', '--set', `engine.model=${folder}`), 'train it'],
    );
    for (const line of steps) screen.say(line);
  });
}

function flags({ revision, files, to }: PullOptions): string[] {
  return [
    ...(revision === 'main' ? [] : ['--revision', revision]),
    ...(files ?? []).flatMap((pattern) => ['--files', pattern]),
    ...(to === undefined ? [] : ['--to', to]),
  ];
}

function progressLine(path: string, done: number, total: number, seconds: number): string {
  const share = total > 0 ? done / total : 1;
  const left = share > 0 ? [`${duration((seconds * (1 - share)) / share)} left`] : [];
  return [`  ${progressBar(share)}`, `${fileSize(done)} of ${fileSize(total)}`, ...left, visible(path)].join('  ');
}
