import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, duration, listed, pValue, signed, signedPercent, tick, withInterval } from './number.ts';

it('keeps three digits of large counts', () => {
  expect([0, 7, 412, 999.9, 1234, 45_600, 1_234_567, 2e9].map(compact)).toEqual([
    '0',
    '7',
    '412',
    '1k',
    '1.23k',
    '45.6k',
    '1.23M',
    '2G',
  ]);
});

it('gives differences a sign, and zero none', () => {
  expect([0.0312, -0.0312, 0.0001, -0.0001].map(signed)).toEqual(['+0.031', '−0.031', '0.000', '0.000']);
  expect([0.124, -0.124, 0.001, -0.001].map(signedPercent)).toEqual(['+12 %', '−12 %', '0 %', '0 %']);
  expect(withInterval({ mean: 0.1, interval: [-0.1, 0.3] }, signed)).toBe('+0.100 [−0.100, +0.300]');
  expect(withInterval({ mean: 0.1, interval: null }, signed)).toBe('+0.100');
});

it('says what is below what it can show', () => {
  expect([0.0625, 0.00001].map(pValue)).toEqual(['0.063', '< 0.001']);
  expect([-0.05, 20_000].map(tick)).toEqual(['−0.05', '20k']);
  expect([['a'], ['a', 'b', 'c'], []].map(listed)).toEqual(['a', 'a, b and c', '']);
});

describe('duration', () => {
  it.each([
    [0, '0.0s'],
    [0.25, '0.3s'],
    [9.44, '9.4s'],
    [9.96, '10s'],
    [59.4, '59s'],
    [59.6, '1m00'],
    [60, '1m00'],
    [119.7, '2m00'],
    [125, '2m05'],
    [3599.4, '59m59'],
    [3599.6, '1h00'],
    [7384, '2h03'],
    [360_000, '100h00'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it('never writes sixty of anything', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e5, noNaN: true }), (seconds) => !/^60s|m60|h60/.test(duration(seconds))),
    );
  });
});
