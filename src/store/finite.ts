import { StoreError } from './errors.ts';

/** A NaN is a bug upstream. It stops the step that made it instead of spreading through weights and reports. */
export function finite(value: number, what: string): void {
  if (!Number.isFinite(value)) {
    throw new StoreError('invalid', `Refused to store ${what}: it is ${value}, and must be a finite number.`);
  }
}
