import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { z } from 'zod';
import {
  batchFieldSchema,
  invalidRowSchema,
  ownTemplateSchema,
  sampleRowSchema,
} from '../../../src/contract/batch.ts';
import { failureSchema } from '../../../src/contract/failure.ts';
import { textsOf } from '../../../src/engine/intake/cell.ts';
import { csvLine } from '../../../src/engine/csv-line.ts';
import { nameKey } from '../../../src/engine/downloads/file-name.ts';
import { nameFromTemplate } from '../../../src/engine/downloads/naming.ts';
import { type BatchReading, readBatch } from '../../../src/engine/intake/read-batch.ts';
import { canonicalJson } from '../../../src/engine/intake/request-body.ts';
import { decodeTable } from '../../../src/engine/intake/tables/encoding.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { fuzz, textOf } from './fuzz.ts';
import { ofJson, type Mutation } from './mutations.ts';

const { request } = storyboardProfile;

const example = (name: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'examples', name));

const readingSchema = z.object({
  fields: z.array(batchFieldSchema),
  samples: z.array(sampleRowSchema),
  errors: z.array(failureSchema),
  invalidRows: z.array(invalidRowSchema),
});

/** Invariants of every reading, of a valid file or an invalid one. */
function checkReading(reading: BatchReading): void {
  readingSchema.parse(reading);
  const { rows, errors, columns, fileColumns } = reading;
  expect(rows.length + errors.length).toBeGreaterThan(0);
  expect(new Set(columns).size).toBe(columns.length);
  expect(new Set(fileColumns).size).toBe(fileColumns.length);
  const numbers = rows.map(({ row }) => row);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  for (const { body, title, values } of rows) {
    const sent = z.record(z.string(), z.json()).parse(JSON.parse(body));
    expect(canonicalJson(sent)).toBe(body);
    expect(body.isWellFormed() && title.isWellFormed()).toBe(true);
    const name = nameFromTemplate('{batch}/{title}', {
      ...textsOf(values),
      title,
      batch: reading.name,
    });
    expect(name.split('/')).toHaveLength(2);
    expect(name).toMatch(/^[^\\:*?"<>|\0]+\.mp4$/);
    expect(nameKey(name)).not.toContain('..mp4');
  }
}

const tables = {
  seeds: [example('launch-week.csv'), example('chapter-cards.tsv'), 'sep=;\ntitle;text\n"a";b\n'],
  tokens: ['title', 'message', 'seconds', 'accent', 'sep=;\n', '""', '\r', '\t', '|', '#ffb020'],
};

for (const name of ['batch.csv', 'batch.tsv', 'Pasted']) {
  fuzz(`readBatch of ${name}`, {
    ...tables,
    parse: (bytes) => readBatch({ name, content: textOf(bytes) }, request),
    check: checkReading,
    runs: 100,
  });
}

const lists = {
  mutations: ofJson,
  seeds: [
    example('museum-openings.json'),
    example('daily-tips.jsonl'),
    '[{"title":"One","id":12345678901234567890},{"title":"Two","tags":["a",1,null]}]',
  ],
  tokens: ['"title"', '{"title":"a"}', '"__proto__":', '1e400', '[[', ']]', '{"a":', '\\ud800'],
};

for (const name of ['batch.json', 'batch.jsonl']) {
  fuzz(`readBatch of ${name}`, {
    ...lists,
    parse: (bytes) => readBatch({ name, content: textOf(bytes) }, request),
    check: checkReading,
    runs: 100,
  });
}

/** Changes the first line of a text and leaves the others. */
const inFirstLine = ofJson.map((mutations) =>
  mutations.map((mutation): Mutation => (bytes) => {
    const end = bytes.indexOf('\n');
    if (end === -1) return mutation(bytes);
    return Buffer.concat([mutation(bytes.subarray(0, end)), bytes.subarray(end)]);
  }),
);

fuzz('readBatch with a template from the user', {
  found: {
    'A template of 3,000 levels overflowed the stack (seed 1)': `{"a":${'['.repeat(3000)}"{{title}}"${']'.repeat(3000)}}\n{"title":"a"}`,
  },
  mutations: inFirstLine,
  seeds: [
    '{"caption":"{{title}}","n":"{{seconds}}"}\n{"title":"a","seconds":4}\n{"text":"b"}',
    '{"a":[{"$if":"title","b":"{{title}} {{text}}"}]}\n{"title":"a"}\n{"text":"b"}',
  ],
  tokens: ['{{title}}', '{{', '}}', '"$if":', '{"title":"a"}\n', '{{__proto__}}', '"__proto__":1'],
  parse(bytes) {
    const [first = '', ...lines] = textOf(bytes).split('\n');
    const { data } = ownTemplateSchema.shape.body.safeParse(jsonOf(first));
    const source = { name: 'a.jsonl', content: lines.join('\n') };
    return readBatch(source, request, { template: { body: data ?? { a: '{{title}}' } } });
  },
  check: checkReading,
  runs: 100,
});

fuzz('decodeTable', {
  seeds: [example('launch-week.csv'), Buffer.from('\ufefftitle\nA', 'utf16le')],
  tokens: [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff]), Buffer.from([0xef, 0xbb, 0xbf])],
  parse: (bytes) => decodeTable(bytes).text,
  check: (text) => expect(text.isWellFormed()).toBe(true),
});

fuzz('csvLine', {
  seeds: ['a,b', '=1+1;"x"', '\u2068＝2\u2069|-3'],
  tokens: ['=', '+', '@', '＝', '−', '\u061b', '\u2028', '|', '"="'],
  parse: (bytes) => csvLine([textOf(bytes).toWellFormed(), 'next']),
  check(line, bytes) {
    expect(line).not.toMatch(/[^\P{Cc}\t\r\n]/u);
    const [cells, ...others] = parse(line, { recordDelimiter: '\r\n' });
    expect(others).toEqual([]);
    expect(cells).toHaveLength(2);
    expect(cells?.[0]?.replaceAll("'", '')).toBe(
      textOf(bytes)
        .toWellFormed()
        .replace(/[^\P{Cc}\t\r\n]/gu, '\ufffd')
        .replaceAll("'", ''),
    );
    const read = [...(cells ?? []), ...line.split(/[;|\t\r\n\u2028\u2029،؛]/u)];
    for (const part of read) {
      expect(part.replace(/^[\s\p{Cf}"]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠﹦﹢﹣﹫−]/u);
    }
  },
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
