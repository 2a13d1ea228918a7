/** A sequence of int32 numbers and arrays, written and read back in the same order. */

export interface IntWriter {
  number(value: number): void;
  /** Its length, then its ids. */
  array(ids: Int32Array): void;
  done(): Int32Array;
}

export function intWriter(): IntWriter {
  let ints = new Int32Array(1024);
  let length = 0;
  const reserve = (count: number) => {
    if (length + count <= ints.length) return;
    const grown = new Int32Array(Math.max(2 * ints.length, length + count));
    grown.set(ints);
    ints = grown;
  };
  const number = (value: number) => {
    reserve(1);
    ints[length++] = value;
  };
  return {
    number,
    array(ids) {
      number(ids.length);
      reserve(ids.length);
      ints.set(ids, length);
      length += ids.length;
    },
    done: () => ints.subarray(0, length),
  };
}

export interface IntReader {
  number(): number;
  array(): Int32Array;
}

export function intReader(ints: Int32Array): IntReader {
  let at = 0;
  const number = () => ints[at++] ?? 0;
  return {
    number,
    array() {
      const length = number();
      at += length;
      return ints.slice(at - length, at);
    },
  };
}
