/** Tables that people reported as read wrongly by other programs, each with what is right for it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TableReading } from '../../../../src/contract/table-reading.ts';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const FOLDER = path.join(import.meta.dirname, '../../../rigs/tables');

interface Expected {
  /** `title | message` of each row without an error, with the row's number. */
  readonly rows: readonly string[];
  /** A part of each error. */
  readonly errors?: readonly string[];
  readonly how?: Partial<TableReading>;
}

const GERMAN = ['2 Grüße aus München | Öffnung für alle', '3 Café Zoë | Über 20 € gespart'];

const CASES: Readonly<Record<string, Expected>> = {
  'cell-backslash-n.csv': { rows: ['2 Two\\nlines | One<br>Two', '3 Tom &amp; Jerry | It&#39;s'] },
  'cell-breaks.csv': { rows: ['2 Two\nlines | One\r\nTwo\r\rFour', '3 A\u000bB | C\u2028D'] },
  'cell-c1.csv': {
    rows: [],
    errors: ['Row 2, title: has damaged characters.', 'Row 2, message: has damaged characters.'],
  },
  'cell-control.csv': { rows: ['2 First\u001b[31mred | One\u0007', '3 Sub\u001a | Two'] },
  'cell-ctrlz-end.csv': { rows: ['2 First | One'] },
  'cell-long-emoji.csv': {
    rows: [`2 ${'👨‍👩‍👧‍👦'.repeat(12)} | x`],
    errors: ['Row 3, title: “😀😀'],
  },
  'cell-mac-cr.csv': { rows: ['2 First | One', '3 Second | Two'] },
  'cell-mixed-ends.csv': { rows: ['2 First | One', '3 Second | Two', '4 Third | Three'] },
  'cell-nul-late.csv': {
    rows: Array.from({ length: 300 }, (_, at) => `${at + 2} Video ${at} | Some text here`),
    errors: ['Row 302, message: has damaged characters.'],
  },
  'cell-nul.csv': { rows: ['3 Second | Two'], errors: ['Row 2, message: has damaged'] },
  'cell-points-bullets.csv': { rows: ['2 A | ', '3 B | ', '4 C | ', '5 D | '] },
  'cell-rtl.csv': {
    rows: [
      '2 مرحبا بالعالم | خصم 20% اليوم فقط',
      '3 שלום עולם | מבצע 1+1',
      '4 مرحبا Spool 2026! | ok',
    ],
  },
  'cell-scripts.csv': {
    rows: [
      '2 नमस्ते दुनिया | आज की छूट',
      '3 สวัสดีชาวโลก | ส่วนลดวันนี้',
      '4 你好，世界 | 今天半价',
      '5 こんにちは世界 | 本日限定',
      '6 안녕하세요 세계 | 오늘만 할인',
      '7 🎉 Party 👩🏽‍💻 🏳️‍🌈 🇩🇪 ❤️ ① | 1️⃣ 2️⃣ ™️',
      '8 বাংলা தமிழ் తెలుగు | ქართული հայերեն አማርኛ',
      '9 𝓕𝓪𝓷𝓬𝔂 𝗕𝗼𝗹𝗱 | ﬁﬂ № ½ ⅓ ﷼ ₹ ₿ ₽',
    ],
  },
  'enc-bom-in-middle.csv': { rows: ['2 First | One', '3 Hello, world | Two'] },
  'enc-bom-quoted.csv': { rows: ['2 Hello, world | One'], how: { encodingSample: null } },
  'enc-cp1250.csv': {
    rows: ['2 Łódź świętuje | Zapraszamy wszystkich gości'],
    how: { encoding: 'windows-1250', encodingSample: 'Łódź świętuje', separator: ';' },
  },
  'enc-cp1252.csv': {
    rows: ['2 Grüße aus München | 20 € – „neu“'],
    how: { encoding: 'windows-1252', encodingSample: 'Grüße aus München' },
  },
  'enc-cp850.csv': {
    rows: ['2 Grüße aus München | Öffnung für alle'],
    how: { encoding: 'cp850', encodingSample: 'Grüße aus München' },
  },
  'enc-double-bom.csv': { rows: ['2 Hello, world | One'] },
  'enc-macroman.csv': {
    rows: ['2 Grüße aus München | Öffnung für alle', '3 Café Zoë | Schön'],
    how: { encoding: 'macintosh', encodingSample: 'Grüße aus München' },
  },
  'enc-shiftjis.csv': {
    rows: ['2 新商品のご案内 | 今日だけ半額です'],
    how: { encoding: 'shift_jis', encodingSample: '新商品のご案内' },
  },
  'enc-utf16be-bom-tab.txt': { rows: GERMAN, how: { encoding: 'utf-16be', separator: '\t' } },
  'enc-utf16le-bom.csv': { rows: GERMAN, how: { encoding: 'utf-16le', separator: ';' } },
  'enc-utf16le-nobom.csv': { rows: GERMAN, how: { encoding: 'utf-16le', separator: ';' } },
  'enc-utf8-bad-in-other-column.csv': {
    rows: ['2 München grüßt | Für alle', '3 Köln grüßt | Für alle'],
    how: { encoding: 'utf-8' },
  },
  'enc-utf8-cut-emoji.csv': {
    rows: ['2 München grüßt | Für alle'],
    errors: ['Row 3, message: has damaged characters.'],
  },
  'enc-utf8-one-bad-byte.csv': {
    rows: GERMAN,
    errors: ['Row 4, message: has damaged characters.'],
    how: { encoding: 'utf-8' },
  },
  'head-case.csv': { rows: ['2 First | '] },
  'head-colon.csv': { rows: ['2 First | One'] },
  'head-cyrillic.csv': { rows: [], errors: ['There is no “title” column.'] },
  'head-dup.csv': { rows: [], errors: ['Two columns match the same field'] },
  'head-missing-with-text.csv': { rows: ['2 A | b'] },
  'head-nbsp.csv': { rows: ['2 First | '] },
  'head-star.csv': { rows: ['2 First | One'] },
  'head-zwsp-optional.csv': { rows: ['2 First | One'] },
  'head-zwsp.csv': { rows: ['2 First | One'] },
  'json-array-named.jsonl': { rows: ['1 First | ', '2 Second | '], how: { kind: 'json' } },
  'json-bigint.json': {
    rows: ['1 12345678901234567890 | ', '2 b | ', '3 19.90 | ', '4 1e21 | '],
  },
  'json-bom.json': { rows: ['1 First | '] },
  'json-bool.json': { rows: ['1 true | false'] },
  'json-comment.json': {
    rows: [],
    errors: ['“json-comment.json” is not valid JSON: line 2, column 3.'],
  },
  'json-cut.json': { rows: [], errors: ['“json-cut.json” is not valid JSON: line 1, column 33.'] },
  'json-emptyrows.json': {
    rows: ['1 First | ', '4 Last | '],
    errors: ['Entry 2, title: is empty', 'Entry 3, title: is empty'],
  },
  'json-lines-named.json': { rows: ['1 First | ', '2 Second | '], how: { kind: 'json-lines' } },
  'json-name-title.json': {
    rows: [],
    errors: [
      'Entry 1, title: has two different values',
      'Entry 2, title: has two different values',
    ],
  },
  'json-name-title.jsonl': {
    rows: [],
    errors: ['Line 1, title: has two different values', 'Line 2, title: has two different values'],
  },
  'json-nested.json': {
    rows: ['1 First | '],
    errors: ['Entry 1, theme: must be text', 'Entry 1, points: must be text'],
  },
  'json-null-synonym.json': { rows: ['1 A | '] },
  'json-null-title.json': { rows: [], errors: ['Entry 1, title: is empty'] },
  'json-numkey.json': { rows: ['1 He said \\\\"5": ok | '] },
  'json-pretty.jsonl': {
    rows: [],
    errors: ['“json-pretty.jsonl” is not valid JSON: line 4, column 1.'],
  },
  'json-quotedcolon.json': { rows: ['1 Route "66": the trip | "7" : eight'] },
  'json-single.json': { rows: ['1 First | '] },
  'json-surrogate.json': { rows: [], errors: ['Entry 1, title: has damaged characters.'] },
  'json-synonyms.json': {
    rows: [],
    errors: ['Entry 1, message: has two', 'Entry 1, duration: has two'],
  },
  'json-trailing-comma.json': {
    rows: [],
    errors: ['“json-trailing-comma.json” is not valid JSON: line 1, column 39.'],
  },
  'json-trimmed-keys.json': {
    rows: ['1 First | '],
    errors: ['Entry 1, title: has two different values.'],
  },
  'json-utf16.json': { rows: ['1 Grüße | '], how: { encoding: 'utf-16le' } },
  'json-wrapped.json': { rows: ['1 First | ', '2 Second | '], how: { list: 'videos' } },
  'quote-backslash.csv': { rows: ['2 He said "hi", twice | One', '3 Second | Two'] },
  'quote-inches.csv': {
    rows: ['2 5" tablet | A 5" screen', '3 27" monitor | Good', '4 19" rack | 19" rack, black'],
  },
  'quote-one-open.csv': {
    rows: ['2 First | One', '4 Third | Three'],
    errors: ['Row 3 has a quotation mark that is opened and never closed.'],
  },
  'quote-sheets.tsv': {
    rows: ['2 "Wow" | She said "yes"', '3 "I love it" they said | Two', '4 Plain | "Only quoted"'],
    how: { quotes: 'none', separator: '\t' },
  },
  'quote-single.csv': { rows: ['2 Big, sale | One'], how: { quotes: 'single' } },
  'quote-smart.csv': { rows: [], errors: ['Row 2 does not match the header'] },
  'quote-space-after.csv': { rows: ['2 Hello | World'] },
  'quote-space-before.csv': { rows: ['2 Big sale | Today, only', '3 Next | Tomorrow, too'] },
  'quote-space-header.csv': { rows: ['2 Hello | Our whole message'] },
  'quote-two-open-tsv.tsv': {
    rows: [
      '2 "Best day ever | One',
      '3 Second video | Two',
      '4 "Another great day | Three',
      '5 Fourth | Four',
    ],
    how: { quotes: 'none' },
  },
  'rag-body-trailing.csv': { rows: ['2 Big sale | Come by', '3 Next | Two'] },
  'rag-comma-in-text.csv': {
    rows: [],
    errors: ['Row 2 does not match the header: 3 instead of 2'],
  },
  'rag-excel16.csv': {
    rows: [1, 2, 3, 4, 5].map((number) => `${number + 1} Video ${number} | Text ${number}`),
  },
  'rag-header-trailing.csv': { rows: ['2 Big sale | Come by', '3 Next | Two'] },
  'row-comment.csv': {
    rows: ['3 First | One'],
    how: {
      headerRow: 2,
      leftOut: [{ row: 1, reason: 'comment', text: '# exported 2026-11-26' }],
    },
  },
  'row-invisible-title.csv': {
    rows: [],
    errors: [2, 3, 4].map((row) => `Row ${row}, title: is empty`),
  },
  'row-only-zwsp.csv': { rows: ['2 First | One'] },
  'row-repeated-header.csv': {
    rows: ['2 First | One', '4 Second | Two'],
    how: { leftOut: [{ row: 3, reason: 'repeated-header', text: 'title · message' }] },
  },
  'sep-bom.csv': { rows: ['3 Big sale, today | Come, by'], how: { separator: ';' } },
  'sep-cr.csv': { rows: ['3 Big sale | Come by'], how: { separator: ';' } },
  'sep-header-commas.csv': {
    rows: ['2 Big sale | Come by', '3 Next | Two'],
    how: { separator: ';' },
  },
  'sep-header-commas2.csv': {
    rows: [],
    errors: ['There is no “title” column. The columns are: Title, in short, please, message.'],
    how: { separator: ';' },
  },
  'sep-one-column.csv': {
    rows: ['2 Hello world | ', '3 Big sale, today only | ', '4 Third | '],
    how: { separator: null },
  },
  'sep-pipe-declared.csv': { rows: ['3 Big sale | Come by'], how: { separator: '|' } },
  'sep-pipe.csv': { rows: ['2 Big sale | Come by'], how: { separator: '|' } },
  'sep-quoted.csv': { rows: ['3 Big sale, today | Come by'], how: { separator: ';' } },
  'sep-tab-decl.csv': { rows: ['3 Big, sale | Come by'], how: { separator: '\t' } },
  'xl-html-named.csv': { rows: ['2 First | '], how: { kind: 'html' } },
  'xl-html.xls': { rows: ['2 First | '], how: { kind: 'html' } },
  'xl-tsv.xls': { rows: ['2 First | One'], how: { kind: 'delimited', separator: '\t' } },
};

function read(name: string): BatchReading {
  const content = readFileSync(path.join(FOLDER, name));
  return readBatch({ name, content }, storyboardProfile.request, { language: 'en' });
}

describe('a reported table', () => {
  it('has an expectation here, each of them', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(CASES).sort());
  });

  it.each(Object.entries(CASES))('%s', (name, { rows, errors = [], how = {} }) => {
    const reading = read(name);
    expect(
      reading.rows.map(({ row, values }) => {
        const { title = '', message = '' } = textsOf(values);
        return `${row} ${title} | ${message}`;
      }),
    ).toEqual(rows);
    expect(reading.errors.map(({ message }) => message)).toEqual(
      errors.map((part): unknown => expect.stringContaining(part)),
    );
    if (Object.keys(how).length > 0) expect(reading.files[0]?.reading).toMatchObject(how);
  });
});
