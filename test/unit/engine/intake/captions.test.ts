import { hash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { parseCaptions } from '../../../../src/engine/intake/captions/parse-captions.ts';
import {
  isCaptionFile,
  checkCaptions,
  readCaptions,
  tooLate,
} from '../../../../src/engine/intake/captions/read-captions.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** The times and texts of a file, or why it is no good. */
function captionsIn(...lines: readonly string[]): unknown {
  const parsed = parseCaptions(lines.join('\n'));
  return parsed.kind === 'invalid'
    ? parsed.what.message
    : parsed.captions.map(({ from, to, text }) => [from, to, text]);
}

const FIRST = '00:00:01,000 --> 00:00:02,500';

describe('captions of an SRT file', () => {
  it('have their times and lines, without numbers and empty captions', () => {
    expect(
      captionsIn('1', FIRST, 'Hello,', 'you.', '', '2', '00:00:03,000 --> 00:00:04,000', ''),
    ).toEqual([[1, 2.5, 'Hello,\nyou.']]);
    const srt = ['1', FIRST, 'One', '', '2', '01:00:03,04 --> 01:00:04', '2024', '', ''];
    expect(captionsIn(...srt)).toEqual([
      [1, 2.5, 'One'],
      [3603.04, 3604, '2024'],
    ]);
  });

  it('are found without empty lines between them, and with empty lines inside', () => {
    const next = '00:00:05,000 --> 00:00:06,000 X1:10 X2:20';
    expect(captionsIn('1', FIRST, 'A', '', 'B', '2', next, 'C')).toEqual([
      [1, 2.5, 'A\nB'],
      [5, 6, 'C'],
    ]);
  });

  it('are read whatever the ends of their lines', () => {
    const lines = ['1', FIRST, 'A', ''];
    const expected = { kind: 'captions', captions: [{ from: 1, to: 2.5, text: 'A' }] };
    for (const end of ['\n', '\r\n', '\r']) {
      expect(parseCaptions(lines.join(end))).toEqual(expected);
    }
  });

  it('have no markup, and keep what only looks like it', () => {
    const markup = [
      '<i>Lean</i> and <font color="#ff0000">red</font>',
      '{\\an8}Up &amp; away&nbsp;&lt;3',
      'if a < b or c > d {sic}',
    ];
    expect(captionsIn(FIRST, ...markup)).toEqual([
      [1, 2.5, 'Lean and red\nUp & away\u00a0<3\nif a < b or c > d {sic}'],
    ]);
  });
});

describe('captions of a WebVTT file', () => {
  it('are without header, notes, styles, names and times of words', () => {
    expect(
      captionsIn(
        ...['WEBVTT - Kind: captions', '', 'NOTE', 'Not shown', '', 'STYLE', '::cue {}', ''],
        ...['intro', '00:01.000 --> 00:02.500 line:0 align:start', '<v Ada>Hello <c.loud>you</c>'],
        ...['', 'NOTE also not shown', '', '00:03.000 --> 00:04.000', 'One<00:03.500> two', ''],
      ),
    ).toEqual([
      [1, 2.5, 'Hello you'],
      [3, 4, 'One two'],
    ]);
  });
});

describe('a caption file is refused', () => {
  it.each([
    [['Hello'], 'is not a caption file. SRT and VTT are possible.'],
    [['\0\0\u0001-->'], 'is not a caption file. SRT and VTT are possible.'],
    [['1', FIRST, ' '], 'has no caption with text. Export it again.'],
    [
      ['1', '00:00:02,000 --> 00:00:01,000', 'Back'],
      'has a caption in line 2 that does not end after it begins. Correct its times.',
    ],
    [
      ['1', '00:00:02,000 --> 00:00:02,000', 'Never'],
      'has a caption in line 2 that does not end after it begins. Correct its times.',
    ],
    [
      ['1', '00:00:61,000 --> 00:00:62,000', 'Late'],
      'has a time that cannot be read in line 2: “00:00:61,000 --> 00:00:62,000”. Write times as 00:01:02,500 --> 00:01:04,000.',
    ],
    [[FIRST, 'x'.repeat(501)], 'has a caption of more than 500 characters in line 1. Divide it.'],
    [
      Array.from({ length: 2001 }, () => [FIRST, 'x']).flat(),
      'has too many captions or too much text. At most 2,000 captions with 200,000 characters are possible.',
    ],
  ])('with %j', (lines, reason) => {
    expect(captionsIn(...lines)).toBe(reason);
  });

  // abuse.md 70
  it('in time, however it is written', () => {
    const started = process.threadCpuUsage();
    for (const part of ['<i ', '{\\a', '&amp', '00:00:01,000 -', '<v x ', '-->', '\n1']) {
      parseCaptions(`${FIRST}\n${part.repeat(1_000_000 / part.length)}`);
    }
    // Of this thread: whatever else the machine does takes no time of it.
    expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      FIRST,
      '00:01 --> 00:02',
      'WEBVTT',
      '-->',
      '<i>',
      '{\\an8}',
      '&amp;',
      '12',
    ),
    fc.string({ unit: 'binary' }),
  );

  it('has captions with times and text, or is an error', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const parsed = parseCaptions(pieces.join(''));
        if (parsed.kind === 'invalid') return;
        for (const { from, to, text } of parsed.captions) {
          expect(to).toBeGreaterThan(from);
          expect(text.trim()).not.toBe('');
        }
      }),
    );
  });
});

describe('the caption file of a cell', () => {
  const SRT = `1\n${FIRST}\nMüllers „Café“\n`;

  async function read(content: Buffer | string, name = 'talk.srt') {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, name), content);
    const reading = await readCaptions(name, folder);
    return reading.kind === 'invalid' ? reading.what.message : reading.captions;
  }

  it.each(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'])('is read in %s', async (encoding) => {
    const bytes = iconv.encode(SRT, encoding, { addBOM: encoding.startsWith('utf-16') });
    expect(await read(bytes)).toEqual([{ from: 1, to: 2.5, text: 'Müllers „Café“' }]);
  });

  it('has the hash of its bytes', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'Media'));
    writeFileSync(path.join(folder, 'Media', 'talk.srt'), `${FIRST}\nA`);
    expect(await readCaptions('talk.srt', folder)).toMatchObject({
      kind: 'captions',
      path: path.join(folder, 'Media', 'talk.srt'),
      sha256: hash('sha256', `${FIRST}\nA`),
    });
  });

  it('is checked without keeping its captions', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'talk.srt'), SRT);
    expect(await checkCaptions('talk.srt', folder)).toEqual({
      kind: 'captions',
      path: path.join(folder, 'talk.srt'),
      sha256: hash('sha256', SRT),
      end: 2.5,
    });
  });

  it('is refused if it is too large, too long, damaged, outside or of another kind', async () => {
    expect(await read(`${FIRST}\nA${' '.repeat(1_000_000)}`)).toContain('more than 1 MB');
    expect(tooLate(605, 600)?.message).toBe('goes on until 10:05. A video can last 10:00 at most.');
    expect(tooLate(600, 600)).toBeNull();
    expect(await read(Buffer.from(`${FIRST}\nÄÖÜ \x81é`, 'utf8').subarray(0, -1))).toBe(
      'has characters that cannot be read. Save it as UTF-8.',
    );
    expect(await read('Hello', 'talk.docx')).toContain('is not a caption file');
    const folder = temporaryFolder();
    const inside = path.join(folder, 'inside');
    mkdirSync(inside);
    writeFileSync(path.join(folder, 'secret.srt'), SRT);
    symlinkSync(path.join(folder, 'secret.srt'), path.join(inside, 'link.srt'));
    for (const name of ['../secret.srt', 'link.srt']) {
      expect(await readCaptions(name, inside)).toMatchObject({
        what: { message: 'leads out of the table’s folder. Put the file into this folder.' },
      });
    }
  });

  it('is told from the text of captions by its name', () => {
    for (const name of ['talk.srt', 'Ein Film.VTT', 'talk.docx', 'talk.ass']) {
      expect(isCaptionFile(name), name).toBe(true);
    }
    for (const text of ['Hello.', 'Note: it is on example.com', 'See talk.docx', 'talk']) {
      expect(isCaptionFile(text), text).toBe(false);
    }
  });
});
