/** The ranges that settings share. */
import * as z from 'zod';

export const share = (): z.ZodNumber => z.number().min(0).max(1);
export const positive = (): z.ZodNumber => z.number().gt(0);
export const atLeastZero = (): z.ZodNumber => z.number().min(0);
/** Counts stop here: beyond it, one meets a slip of the keyboard more often than a wish. */
export const maxCount = 1_000_000;
export const count = (least = 1): z.ZodInt => z.int().min(least).max(maxCount);
export const path = (): z.ZodString => z.string().regex(/^[^\0]+$/, 'must be a path');
export const orAuto = (number: z.ZodNumber): z.ZodType<number | 'auto'> => z.union([z.literal('auto'), number]);
export const orAll = (number: z.ZodInt): z.ZodType<number | 'all'> => z.union([z.literal('all'), number]);
