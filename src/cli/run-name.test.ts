import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { newRunName } from './run-name.ts';

describe('newRunName', () => {
  it('is two words that a configuration accepts as a name', () => {
    for (let i = 0; i < 50; i++) {
      const name = newRunName(() => false);
      expect(name).toMatch(/^[a-z]+-[a-z]+$/);
      expect(loadConfig({ overrides: { name } }).config.name).toBe(name);
    }
  });

  it('is not always the same', () => {
    expect(new Set(Array.from({ length: 30 }, () => newRunName(() => false))).size).toBeGreaterThan(10);
  });

  it('is never one that is taken', () => {
    const taken = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const name = newRunName((candidate) => taken.has(candidate));
      expect(taken.has(name)).toBe(false);
      taken.add(name);
    }
  });

  it('gets a number when all pairs seem to be taken', () => {
    expect(newRunName((name) => /^[a-z]+-[a-z]+$/.test(name))).toMatch(/^[a-z]+-[a-z]+-\d{1,4}$/);
  });
});
