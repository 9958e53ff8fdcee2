/** TrueType fonts made for tests. */

export function u16(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([(value >> 8) & 255, value & 255])));
}

export function u32(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value % 65_536)));
}

/** A font file of these tables. */
export function sfnt(tables: Readonly<Record<string, Buffer>>): Buffer {
  const all = Object.entries(tables);
  let offset = 12 + 16 * all.length;
  const directory = all.map(([name, { length }]) => {
    const entry = Buffer.concat([Buffer.from(name), u32(0, offset, length)]);
    offset += length;
    return entry;
  });
  const head = [u32(0x00010000), u16(all.length, 0, 0, 0)];
  return Buffer.concat([...head, ...directory, ...Object.values(tables)]);
}

const CODES = Array.from({ length: 94 }, (_, index) => 0x21 + index);

/**
 * The tables of a font that has all letters of ASCII, each a rectangle. Lengths are in thousandths of the size.
 */
export function rectangles(
  box: { left: number; bottom: number; right: number; top: number } | null,
  advance = 600,
) {
  const { left = 0, bottom = 0, right = 0, top = 0 } = box ?? {};
  const outline =
    box === null
      ? Buffer.alloc(0)
      : Buffer.concat([
          u16(1, left, bottom, right, top),
          // The last point, no instructions, four points on the outline.
          u16(3, 0),
          Buffer.from([1, 1, 1, 1]),
          u16(left, 0, right - left, 0, bottom, top - bottom, 0, bottom - top),
        ]);
  return {
    cmap: Buffer.concat([
      u16(0, 1, 3, 10),
      u32(12),
      u16(12, 0),
      u32(16 + 12 * CODES.length, 0, CODES.length, ...CODES.flatMap((code) => [code, code, 1])),
    ]),
    glyf: Buffer.concat([outline, Buffer.alloc(2)]),
    head: Buffer.concat([
      u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      u16(0, 1000),
      Buffer.alloc(16),
      u16(left, bottom, right, top, 0, 8, 2, 0, 0),
    ]),
    hhea: Buffer.concat([u32(0x10000), u16(800, -200, 0, advance), Buffer.alloc(22), u16(1)]),
    hmtx: u16(advance, left, 0),
    loca: u16(0, 0, outline.length / 2),
    maxp: Buffer.concat([u32(0x10000), u16(2, 4, 1), Buffer.alloc(22)]),
  };
}
