/** The pieces that requests and results share. Unknown fields are let through everywhere: clients and servers move on. */
import * as z from 'zod';
import type { Dtype, Numbers, Tensor } from './messages.ts';

export const id: z.ZodString = z.string().min(1).max(200);
export const count: z.ZodInt = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
export const finite: z.ZodNumber = z.number();

/** Arrays of numbers are checked in one loop: they are long, and a schema per element would cost more than the work. */
export function numbers(most: number): z.ZodType<Numbers> {
  return z
    .custom<Numbers>((value) => isNumbers(value), { error: 'must be an array of finite numbers' })
    .refine((value) => value.length <= most, { error: `has more than ${most} entries` });
}

export function wholeNumbers(most: number): z.ZodType<Numbers> {
  return numbers(most).refine((value) => everyWhole(value), { error: 'must hold whole numbers of 32 bits' });
}

const dtype: z.ZodType<Dtype> = z.enum(['float32', 'int64']);

export function tensor(most: number): z.ZodType<Tensor> {
  return z
    .object({
      data: numbers(most),
      dtype,
      shape: z.array(count).max(8).nullish(),
      sparse_crow_indices: z.null({ error: 'sparse tensors are not understood: send dense ones' }).optional(),
    })
    .refine(({ data, shape }) => !shape || shape.reduce((a, b) => a * b, 1) === data.length, {
      error: 'the shape and the number of entries do not agree',
    });
}

function isNumbers(value: unknown): value is Numbers {
  if (value instanceof Int32Array) return true;
  if (value instanceof Float32Array) return finiteFloats(value);
  if (value instanceof Float64Array) return finiteDoubles(value);
  return Array.isArray(value) && allFinite(value);
}

/** A function each: a loop that meets arrays of one kind only is several times as fast. */
function finiteFloats(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

function finiteDoubles(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

function allFinite(values: readonly unknown[]): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

function everyWhole(values: Numbers): boolean {
  if (values instanceof Int32Array) return true;
  for (let i = 0; i < values.length; i++) if (values[i] !== (values[i]! | 0)) return false;
  return true;
}

/** The first few things wrong with a message, each with its place. */
export function problemsOf(error: z.ZodError): string {
  const said = error.issues.slice(0, 3).map(({ path, message }) => {
    const place = path.map(String).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  const more = error.issues.length - said.length;
  return said.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
