import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandBar, progressBar } from './bars.ts';

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
