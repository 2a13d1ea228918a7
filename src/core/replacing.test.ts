import { expect, it } from 'vitest';
import { replacing } from './replacing.ts';

class Counter {
  readonly name = 'counter';
  #count = 0;
  up(): number {
    this.#count++;
    return this.#count;
  }
  read(): number {
    return this.#count;
  }
}

it('replaces members of an instance, and leaves the others their private state', () => {
  const counter = new Counter();
  const wrapped = replacing(counter, { read: () => -counter.read() });
  wrapped.up();
  expect(wrapped.up()).toBe(2);
  expect(wrapped.read()).toBe(-2);
  expect(wrapped.name).toBe('counter');
});
