import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandBar, duration, progressBar } from './bars.ts';

const band = { alpha: 0.5, kMin: 0.1 };

describe('bandBar', () => {
  it('shows the band and where a rate stands against it', () => {
    expect(bandBar(undefined, band)).toBe('········▒▒▒▒········');
    expect(bandBar(0.14, band)).toBe('··●·····▒▒▒▒········');
    expect(bandBar(0.5, band)).toBe('········▒▒●▒········');
    expect(bandBar(0.4, band)).toBe('········●▒▒▒········');
    expect(bandBar(0, band, 10)).toBe('●···▒▒····');
    expect(bandBar(1, band, 10)).toBe('····▒▒···●');
  });

  it('has its width whatever it is given', () => {
    const unit = fc.double({ min: -1, max: 2, noNaN: true });
    fc.assert(
      fc.property(unit, unit, fc.double({ min: 0, max: 1, noNaN: true }), (value, alpha, kMin) => {
        expect([...bandBar(value, { alpha, kMin })]).toHaveLength(20);
      }),
    );
  });
});

describe('progressBar', () => {
  it('fills from nothing to its width, and not beyond', () => {
    expect(progressBar(0, 4)).toBe('────');
    expect(progressBar(0.5, 4)).toBe('━━──');
    expect(progressBar(1, 4)).toBe('━━━━');
    expect(progressBar(-1, 4)).toBe('────');
    expect(progressBar(7, 4)).toBe('━━━━');
  });
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
