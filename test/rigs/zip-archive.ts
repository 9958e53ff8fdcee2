/** Writes ZIP archives, also such as no program writes. */
import { crc32, deflateRawSync } from 'node:zlib';

/** What an archive says about a part, where it differs from what the part is. */
export interface PartLies {
  readonly size?: number;
  readonly crc?: number;
  readonly isEncrypted?: boolean;
  /** The name of an earlier part whose bytes this one has, too. */
  readonly sameAs?: string;
}

/** An archive with these parts (APPNOTE.TXT 4.3). */
export function zipArchive(
  parts: Readonly<Record<string, string | Buffer>>,
  lies: Readonly<Record<string, PartLies>> = {},
): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  const places = new Map<string, number>();
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const { size, crc, isEncrypted = false, sameAs } = lies[name] ?? {};
    const data = deflateRawSync(content);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc ?? crc32(content), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(size ?? Buffer.byteLength(content), 18);
    head.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 0);
    central.writeUInt16LE(20, 4);
    head.copy(central, 6, 0, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(places.get(sameAs ?? '') ?? at, 42);
    centrals.push(central, Buffer.from(name));
    if (sameAs !== undefined) continue;
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), data]);
    places.set(name, at);
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0);
  end.writeUInt16LE(Math.min(0xffff, centrals.length / 2), 8);
  end.writeUInt16LE(Math.min(0xffff, centrals.length / 2), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
