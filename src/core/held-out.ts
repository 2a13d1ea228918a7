/** What nobody learns from: validation, looked at while training, and test, looked at once when it is over. */
import type { Origin, Role } from './types.ts';

export const isHeldOut = (of: Origin | Role): boolean => of === 'validation' || of === 'test';
