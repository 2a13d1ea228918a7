/** A sequence of int32 numbers and arrays, written and read back in the same order. */

export class IntWriter {
  #ints = new Int32Array(1024);
  #length = 0;

  number(value: number): void {
    this.#reserve(1);
    this.#ints[this.#length++] = value;
  }

  /** Its length, then its ids. */
  array(ids: Int32Array): void {
    this.number(ids.length);
    this.#reserve(ids.length);
    this.#ints.set(ids, this.#length);
    this.#length += ids.length;
  }

  done(): Int32Array {
    return this.#ints.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#ints.length) return;
    const grown = new Int32Array(Math.max(2 * this.#ints.length, this.#length + count));
    grown.set(this.#ints);
    this.#ints = grown;
  }
}

export class IntReader {
  readonly #ints: Int32Array;
  #at = 0;

  constructor(ints: Int32Array) {
    this.#ints = ints;
  }

  number(): number {
    return this.#ints[this.#at++] ?? 0;
  }

  array(): Int32Array {
    const length = this.number();
    this.#at += length;
    return this.#ints.slice(this.#at - length, this.#at);
  }
}
