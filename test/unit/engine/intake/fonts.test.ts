import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { charactersOf } from '../../../../src/engine/intake/fonts/font-characters.ts';
import { fontFormatOf } from '../../../../src/engine/intake/fonts/font-tables.ts';
import { checkFont, lackingCharacters } from '../../../../src/engine/intake/fonts/read-font.ts';
import { rectangles, sfnt, u16, u32 } from '../../../rigs/fonts.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const FONTS = path.join(import.meta.dirname, '../../../../resources/fonts');
const bundled = (name: string): Buffer => readFileSync(path.join(FONTS, name));

/** A font of one letter's outline, with these characters. */
function fontWith(subtable: Buffer, platform = 3, encoding = 1): Buffer {
  return fontOf(Buffer.concat([u16(0, 1), u16(platform, encoding), u32(12), subtable]));
}

function fontOf(cmap: Buffer): Buffer {
  return sfnt({ ...TABLES, cmap });
}

const TABLES = rectangles(null);

/** “A” and “B” by a difference; “a” by a list in which “b” has no glyph. */
const SEGMENTS = Buffer.concat([
  u16(4, 0, 0, 6, 0, 0, 0),
  u16(0x42, 0x62, 0xffff, 0),
  u16(0x41, 0x61, 0xffff),
  u16(0x10000 - 0x40, 0, 1),
  u16(0, 4, 0),
  u16(5, 0),
]);
const GROUPS = Buffer.concat([u16(12, 0), u32(28, 0, 1), u32(0x1f600, 0x1f610, 7)]);

const CMAP = Buffer.concat([u16(0, 1), u16(3, 1), u32(12), SEGMENTS]);
const COMPLETE = { ...TABLES, cmap: CMAP };

async function namesIn(bytes: Buffer, characters: string): Promise<string | undefined> {
  const has = await charactersOf(bytes, fontFormatOf(bytes)!);
  return (
    has &&
    Array.from(characters)
      .filter((each) => has(each.codePointAt(0)!))
      .join('')
  );
}

describe('the characters of a font', () => {
  it('are those of its table, in 16 bits and in 32', async () => {
    expect(await namesIn(fontWith(SEGMENTS), '@ABCabc')).toBe('ABa');
    expect(await namesIn(fontWith(GROUPS, 0, 4), 'A😀🙀')).toBe('😀');
  });

  it('are found in compressed fonts', async () => {
    expect(await namesIn(bundled('newsreader-latin.woff2'), 'Aé€Ω中')).toBe('Aé€');
    expect(await namesIn(bundled('noto-sans-arabic.woff2'), 'مZ中')).toContain('م');
    expect(await namesIn(bundled('inter.woff2'), 'AΩж中')).toBe('AΩж');
  });

  it.each(Object.keys(COMPLETE))('are unknown in a font without %s', async (table) => {
    const others = Object.entries(COMPLETE).filter(([name]) => name !== table);
    expect(await namesIn(sfnt(Object.fromEntries(others)), 'A')).toBeUndefined();
  });

  it.each([
    ['without Unicode', fontWith(SEGMENTS, 1, 0)],
    ['of another kind', fontWith(u16(2, 0, 0))],
    ['cut off', fontWith(SEGMENTS).subarray(0, 60)],
    ['cut off in its last table', fontWith(SEGMENTS).subarray(0, -1)],
    ['of 8 units to the em', sfnt({ ...COMPLETE, head: Buffer.alloc(54).fill(8, 19, 20) })],
    ['of no letters', sfnt({ ...COMPLETE, maxp: Buffer.alloc(6) })],
    ['of its first bytes only', Buffer.from('OTTO')],
    ['compressed and cut off', bundled('newsreader-latin.woff2').subarray(0, 4000)],
    ['compressed and empty', Buffer.concat([Buffer.from('wOF2'), Buffer.alloc(60)])],
    ['of huge tables', hugeFont()],
  ])('are unknown in a font %s', async (_what, bytes) => {
    expect(await namesIn(bytes, 'A')).toBeUndefined();
  });
});

describe('a font made to need much memory', () => {
  /** @param offsets of its subtables, in the subtables' bytes */
  function fontOfMany(offsets: readonly number[], subtables: Buffer): Buffer {
    const start = 4 + 8 * offsets.length;
    const records = offsets.flatMap((offset) => [u16(3, 1), u32(start + offset)]);
    return fontOf(Buffer.concat([u16(0, offsets.length), ...records, subtables]));
  }

  it('has a subtable that many records name read once', async () => {
    const read = vi.spyOn(Buffer.prototype, 'readUInt16BE');
    onTestFinished(() => read.mockRestore());
    const font = fontOfMany(new Array<number>(500).fill(0), SEGMENTS);
    read.mockClear();
    expect(await namesIn(font, 'AC')).toBe('A');
    // Two for each record.
    expect(read.mock.calls.length).toBeLessThan(500 * 2 + 100);
  });

  it('has eight subtables at most', async () => {
    const groups = (code: number): Buffer =>
      Buffer.concat([u16(12, 0), u32(28, 0, 1, code, code, 7)]);
    const nine = Array.from('ABCDEFGHI', (letter) => groups(letter.charCodeAt(0)));
    const font = fontOfMany(
      Array.from(nine, (each, index) => index * each.length),
      Buffer.concat(nine),
    );
    expect(await namesIn(font, 'ABCDEFGHI')).toBe('ABCDEFGH');
  });

  it('is damaged if it has a larger table of characters than any font', async () => {
    const padded = (bytes: number): Buffer => Buffer.concat([GROUPS, Buffer.alloc(bytes)]);
    expect(await namesIn(fontWith(padded(1_900_000), 0, 4), '😀')).toBe('😀');
    expect(await namesIn(fontWith(padded(2_000_000), 0, 4), '😀')).toBeUndefined();
  });

  it('is damaged if it names more groups than it has', async () => {
    const groups = Buffer.concat([u16(12, 0), u32(28, 0, 2), u32(0x1f600, 0x1f610, 7)]);
    expect(await namesIn(fontWith(groups, 0, 4), '😀')).toBeUndefined();
  });
});

describe('any change of a font', () => {
  // abuse.md 70
  it('leaves characters, or is an error, and never more', async () => {
    const fonts = [fontWith(SEGMENTS), fontWith(GROUPS, 0, 4), bundled('noto-sans-hebrew.woff2')];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fonts),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 8 }),
        async (font, changes) => {
          const bytes = Buffer.from(font);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const has = await charactersOf(bytes, fontFormatOf(bytes) ?? 'ttf');
          if (has) for (const code of [0, 65, 0xffff, 0x1f600, 0x10ffff]) has(code);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** A small file of a table of 70 MB. */
function hugeFont(): Buffer {
  const packed = brotliCompressSync(Buffer.alloc(70_000_000), { params: {} });
  const head = Buffer.concat([
    Buffer.from('wOF2'),
    u32(0x00010000, 0),
    u16(7, 0),
    u32(0, packed.length),
    Buffer.alloc(24),
  ]);
  // All that are needed, of lengths that it says are small.
  const tables = [0, 1, 2, 3, 4, 0xc0 + 10, 0xc0 + 11].flatMap((tag) => [tag, 100]);
  return Buffer.concat([head, Buffer.from(tables), packed]);
}

describe('the font file of a cell', () => {
  async function read(bytes: Buffer) {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.font'), bytes);
    const reading = await checkFont('a.font', folder);
    return reading.kind === 'invalid' ? reading.what.message : reading.font.format;
  }

  it('is known by its content, and refused if nothing can be drawn with it', async () => {
    expect(await read(fontWith(SEGMENTS))).toBe('ttf');
    expect(await read(bundled('inter.woff2'))).toBe('woff2');
    expect(await read(Buffer.from('PK\u0003\u0004'))).toMatch(/^is not a font\./);
    expect(await read(Buffer.from('wOFF'))).toMatch(/^is a font in the older format WOFF\./);
    expect(await read(Buffer.from('ttcf'))).toMatch(/^is a collection of several fonts/);
    expect(await read(Buffer.from('OTTO'))).toMatch(/^is a font that is damaged/);
    const large = Buffer.concat([fontWith(SEGMENTS), Buffer.alloc(10_000_000)]);
    expect(await read(large)).toMatch(/^is a font of more than 10 MB/);
  });

  it('names the characters that it lacks, but no spaces and emoji', () => {
    const has = (code: number): boolean => code < 0x100;
    expect(lackingCharacters('Aé\u00a0\n 😀👩‍👧 🇩🇪', has)).toBeNull();
    expect(lackingCharacters('Łódź, Łąka', has)?.message).toBe(
      'has no Ł ź ą. These characters are drawn in another font.',
    );
    expect(lackingCharacters('абвгдежзиклмнопр', has)?.message).toContain('м …');
  });
});
