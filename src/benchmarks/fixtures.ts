/** ZIP archives for tests. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Member {
  name: string;
  text: string;
  method?: number;
  checksum?: number;
}

/** An archive as any packer writes it. */
export function zipOf(members: readonly Member[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, method = 8, checksum } of members) {
    const whole = Buffer.from(text);
    const packed = method === 8 ? deflateRawSync(whole) : whole;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(checksum ?? crc32(whole), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(whole.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...locals, listed, Buffer.from('PK\x05\x06', 'latin1'), end, Buffer.from(comment)]);
}
