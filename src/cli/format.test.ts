import { expect, it } from 'vitest';
import { count, counted, decimal, fileSize, fromTo, moment, percent, place } from './format.ts';

it('says numbers, and says when there is none', () => {
  expect([decimal(0.125), decimal(null), percent(0.066), percent(undefined), count(1234567)]).toEqual([
    '0.13',
    '–',
    '7 %',
    '–',
    '1,234,567',
  ]);
  expect([counted(1, 'task'), counted(0, 'task'), fromTo({ first: 0.1, last: 0.5 })]).toEqual([
    '1 task',
    '0 tasks',
    '0.10 → 0.50',
  ]);
  expect([0, 999, 1000, 9_240_000, 123e9].map(fileSize)).toEqual(['0 B', '999 B', '1.0 kB', '9.2 MB', '123 GB']);
});

it('says where a run stands', () => {
  expect(place(null)).toBe('start');
  expect(place({ epoch: 3, phase: 'aggregate', done: 1, units: 1 })).toBe('end of epoch 3');
  expect(place({ epoch: 4, phase: 'rollout', done: 64, units: 213 })).toBe('epoch 4 rollout');
});

it('says when, in ISO where nobody sits at a terminal', () => {
  expect(moment('2026-11-15T06:39:04.999Z')).toBe('2026-11-15T06:39:04.999Z');
  expect(moment(null)).toBe('–');
  expect(moment('not a date')).toBe('–');
});
