/** A WebAssembly module as bytes: just enough of an assembler for straight loops over memory. */

export type ValueType = 'i32' | 'f32' | 'f64' | 'v128';
const TYPE: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b };

export interface WasmFunction {
  name: string;
  params: readonly ValueType[];
  result: ValueType | null;
  locals: readonly ValueType[];
  code: readonly number[];
}

export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    bytes.push((value & 127) | (value > 127 ? 128 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (;;) {
    const low = value & 127;
    value >>= 7;
    if ((value === 0 && (low & 64) === 0) || (value === -1 && (low & 64) !== 0)) return [...bytes, low];
    bytes.push(low | 128);
  }
}

const simd = (code: number): number[] => [0xfd, ...unsigned(code)];

type Code = readonly number[];
type Plain = 'i32Add' | 'i32LessThan' | 'splatF32' | 'splatF64' | 'sqrt' | 'add' | 'sub' | 'mul' | 'div';
type Double = 'promoteLow' | 'addF64' | 'mulF64' | 'f64Const0' | 'scalarAddF64' | 'upperHalf';
type Indexed = 'get' | 'set' | 'i32Const' | 'load' | 'store' | 'laneF64';
type Instructions = Readonly<Record<Plain | Double, Code>> &
  Readonly<Record<Indexed, (operand: number) => Code>> & { loop: (body: Code) => Code };

/** The instructions the kernels use, by their names in the specification. */
export const op: Instructions = {
  get: (local: number) => [0x20, ...unsigned(local)],
  set: (local: number) => [0x21, ...unsigned(local)],
  i32Const: (value: number) => [0x41, ...signed(value)],
  i32Add: [0x6a],
  i32LessThan: [0x49],
  load: (offset: number) => [...simd(0), 4, ...unsigned(offset)],
  store: (offset: number) => [...simd(11), 4, ...unsigned(offset)],
  splatF32: simd(0x13),
  splatF64: simd(0x14),
  sqrt: simd(0xe3),
  add: simd(0xe4),
  sub: simd(0xe5),
  mul: simd(0xe6),
  div: simd(0xe7),
  promoteLow: simd(0x5f),
  addF64: simd(0xf0),
  mulF64: simd(0xf2),
  laneF64: (lane: number) => [...simd(0x21), lane],
  f64Const0: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
  scalarAddF64: [0xa0],
  /** Bytes 8…15 to the front: the upper two of four floats. */
  upperHalf: [...simd(13), 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15],
  /** do { body } while (condition left by body) */
  loop: (body: readonly number[]) => [0x03, 0x40, ...body, 0x0d, 0, 0x0b],
};

/** A module that exports its functions and one memory of the given number of 64 KiB pages. */
export function assemble(functions: readonly WasmFunction[], pages: number): Uint8Array {
  const section = (id: number, items: readonly (readonly number[])[]) => {
    const body = [...unsigned(items.length), ...items.flat()];
    return [id, ...unsigned(body.length), ...body];
  };
  const text = (name: string) => [...unsigned(name.length), ...new TextEncoder().encode(name)];
  const types = functions.map((f) => [
    0x60,
    ...unsigned(f.params.length),
    ...f.params.map((type) => TYPE[type]),
    ...(f.result ? [1, TYPE[f.result]] : [0]),
  ]);
  const bodies = functions.map((f) => {
    const body = [...unsigned(f.locals.length), ...f.locals.flatMap((type) => [1, TYPE[type]]), ...f.code, 0x0b];
    return [...unsigned(body.length), ...body];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(5, [[0, ...unsigned(pages)]]),
    ...section(7, [
      [...text('memory'), 2, 0],
      ...functions.map((f, index) => [...text(f.name), 0, ...unsigned(index)]),
    ]),
    ...section(10, bodies),
  ]);
}

/** The part of the global that is used here: TypeScript declares it only together with the DOM. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Readonly<Record<string, unknown>> };
};

export function instantiate(module: Uint8Array): Readonly<Record<string, unknown>> {
  return new WebAssembly.Instance(new WebAssembly.Module(module)).exports;
}
