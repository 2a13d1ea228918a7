/**
 * The protobuf wire format, written. Small fields go into a growing buffer; large ones are only remembered and copied once,
 * at the end.
 */
const text = new TextEncoder();
const LARGE = 4096;

export class ProtoWriter {
  /** What comes before the buffer. */
  #parts: Uint8Array[] = [];
  #partsLength = 0;
  #bytes: Uint8Array = new Uint8Array(256);
  #length = 0;

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + extra));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  #varint(value: number | bigint): void {
    this.#reserve(10);
    if (typeof value === 'number' && value >= 0 && value < 2 ** 31) {
      let small = value;
      while (small > 127) {
        this.#bytes[this.#length++] = (small & 127) | 128;
        small >>>= 7;
      }
      this.#bytes[this.#length++] = small;
      return;
    }
    // Negative int64 values are ten bytes of two's complement.
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  int(field: number, value: number | bigint): this {
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  float(field: number, value: number): this {
    this.#varint((field << 3) | 5);
    this.#reserve(4);
    new DataView(this.#bytes.buffer).setFloat32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  double(field: number, value: number): this {
    this.#varint((field << 3) | 1);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  /** `value` must stay as it is until `finish`. */
  bytes(field: number, value: Uint8Array): this {
    this.#varint((field << 3) | 2);
    this.#varint(value.length);
    this.#append(value);
    return this;
  }

  #append(value: Uint8Array): void {
    if (value.length >= LARGE) {
      this.#flush();
      this.#part(value);
      return;
    }
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  #part(value: Uint8Array): void {
    this.#parts.push(value);
    this.#partsLength += value.length;
  }

  #flush(): void {
    this.#part(this.#bytes.slice(0, this.#length));
    this.#length = 0;
  }

  string(field: number, value: string): this {
    return this.bytes(field, text.encode(value));
  }

  message(field: number, write: (inner: ProtoWriter) => void): this {
    const inner = new ProtoWriter();
    write(inner);
    this.#varint((field << 3) | 2);
    this.#varint(inner.#partsLength + inner.#length);
    for (const part of inner.#parts) this.#append(part);
    this.#append(inner.#bytes.subarray(0, inner.#length));
    return this;
  }

  finish(): Uint8Array {
    this.#flush();
    const out = new Uint8Array(this.#partsLength);
    let at = 0;
    for (const part of this.#parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}
