/** `genenv show <run> <epoch>.<slot>.<variation>`: what the environment wrote, and why it was turned down. */
import type { Generation } from '../core/types.ts';
import type { RunReader } from '../store/index.ts';
import { UsageError } from './errors.ts';
import { type Field, fields, LABEL_WIDTH } from './fields.ts';
import { tokenLine } from './log-probs.ts';
import { excerpt } from './messages.ts';
import { command, nextSteps } from './next-step.ts';
import { paint, say, sayJson, terminalWidth } from './say.ts';
import type { Place } from './task-lookup.ts';
import { clip } from './text-width.ts';
import { brief, visible } from './visible.ts';

export function showGeneration(reader: RunReader, id: string, place: Place): void {
  const generation = reader.generation(id);
  if (!generation) {
    throw new UsageError(
      `${visible(place.run)} has no generation ${id}. Ids are <epoch>.<seed slot>.<variation>, counted from 0; ` +
        `the run's own page names some: ${command(place, 'show', place.run)}`,
    );
  }
  if (place.json) {
    sayJson({ run: place.run, ...generation });
    return;
  }
  const width = terminalWidth();
  const { text, turn, task, seedId } = generation;
  const page: Field[] = [
    ['verdict', verdictLines(generation)],
    ['seed', [seedId]],
    ['task', task ? [task.id] : []],
    ['written', [tokenLine([turn])]],
    ['text', text === '' ? ['(nothing)'] : excerpt(text, TEXT_LINES)],
    ...contextFields(generation, width),
  ];
  say(
    '',
    `  ${paint('bold', id)}   written by ${authorOf(generation)} in epoch ${generation.epoch} of ${visible(place.run)}`,
    '',
    ...fields(page, width),
    ...nextSteps(
      task
        ? [command(place, 'show', place.run, task.id), 'the task it became']
        : [command(place, 'show', place.run, seedId), 'the task it was to be a variation of'],
    ),
  );
}

const TEXT_LINES = 40;
const CONTEXT_LINES = 12;

export const authorOf = ({ author }: Generation): string =>
  ({
    environment: 'the environment',
    initial: 'the environment as it was before training',
    teacher: 'the teacher',
  })[author];

export function verdictLines({ verdict }: Generation): string[] {
  if (verdict.kind === 'rejected') return [`rejected, ${verdict.reason}: ${brief(verdict.detail)}`];
  return [verdict.repaired === undefined ? 'accepted' : `accepted after a repair: ${brief(verdict.repaired)}`];
}

/** What the author saw, a line for each of its lines: instructions and the seed are long, and the statistics come last. */
export const contextFields = ({ context }: Generation, width: number): Field[] =>
  context.map(({ role, content }) => [
    `saw ${role}`,
    excerpt(content, CONTEXT_LINES).map((line) => clip(line, width - LABEL_WIDTH - 2)),
  ]);
