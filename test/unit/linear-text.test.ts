import { expect, it } from 'vitest';
import { plainText, visibleText } from '../../src/cli/display/safe-text.ts';
import { cutTo, wrapped } from '../../src/cli/display/text-cells.ts';
import { foldWord } from '../../src/contract/answer-rules.ts';
import { csvLine } from '../../src/engine/csv-line.ts';
import { withoutQuery } from '../../src/engine/downloads/address-policy.ts';
import { safeName, withNumber } from '../../src/engine/downloads/file-name.ts';
import { nameFromTemplate, unknownPlaceholders } from '../../src/engine/downloads/naming.ts';
import { MAX_HEAD_BYTES, parseHead } from '../../src/engine/downloads/http-parser.ts';
import { parseExactly, parseForeignJson } from '../../src/contract/json-text.ts';
import { readCell } from '../../src/engine/intake/cell.ts';
import { foldHeader } from '../../src/engine/intake/match-columns.ts';
import { readBatch } from '../../src/engine/intake/read-batch.ts';
import { compileBody } from '../../src/engine/intake/request-body.ts';
import { decodeTable } from '../../src/engine/intake/tables/encoding.ts';
import { htmlRows } from '../../src/engine/intake/tables/html-rows.ts';
import { readJsonLines, readJsonList } from '../../src/engine/intake/tables/json-records.ts';
import { readTable } from '../../src/engine/intake/tables/read-table.ts';
import { wrappedList } from '../../src/engine/intake/tables/wrapped-list.ts';
import { scanJson } from '../../src/engine/intake/tables/scan-json.ts';
import { splitCells } from '../../src/engine/intake/tables/split-cells.ts';
import { parseRateHeaders } from '../../src/engine/pacing/rate-headers.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import {
  instantFrom,
  isQuotaRefusal,
  readLink,
  readRemoteError,
  readStatus,
  valueAt,
} from '../../src/engine/service/response-reader.ts';
import type { HttpResponse } from '../../src/engine/service/outcomes.ts';
import { leavesOf } from '../../src/host/settings/propose-rules.ts';
import { answersIn } from '../../src/host/settings/example-answers.ts';
import { withoutKeys } from '../../src/contract/examples/example-credentials.ts';
import { readExampleRequest } from '../../src/contract/examples/example-request.ts';
import { parseUrlEncoded } from '../../src/local-service/studio/form-body.ts';
import { withoutKey, withoutLinkSecrets } from '../../src/engine/service/redaction.ts';
import { sanitizeRemoteText } from '../../src/engine/sanitize-remote-text.ts';
import { redact } from '../../src/host/redact.ts';
import { openedByLink } from '../../src/main/opened.ts';
import { MAX_RATIO, ratioOf, timeOf } from '../rigs/growth.ts';
import { casesOf } from '../soak/long-form.ts';

const { request, answers } = storyboardProfile;

/** Reads text as a header value, in the head of a response. */
const inHead = (text: string): unknown =>
  parseHead(
    Buffer.from(`HTTP/1.1 200 OK\r\nx: a${text.replace(/[\r\n]/g, ' ')}b\r\n\r\n`, 'latin1'),
  );

const responseOf = (text: string): HttpResponse => ({
  status: 200,
  headers: { a: text },
  body: text,
  sentAt: 0,
  receivedAt: 0,
});

const howToRead = {
  choices: {},
  language: 'en',
  columnOf: () => undefined,
  columnNamed: () => undefined,
  isSent: () => true,
} as const;

/** Functions that read text of a service, a link host, a file or a page. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  answersIn,
  csvLine: (text) => csvLine([text]),
  cutTo: (text) => cutTo(text, 40),
  decodeTable: (text) => decodeTable(Buffer.from(text)),
  'decodeTable, an old encoding': (text) => decodeTable(Buffer.from(text, 'latin1')),
  foldHeader,
  foldWord,
  instantFrom,
  isQuotaRefusal: (text) => isQuotaRefusal(429, { error: text }, answers),
  leavesOf: (text) => leavesOf({ [text]: text }),
  nameFromTemplate: (text) => nameFromTemplate('{title}', { title: text }),
  'nameFromTemplate, its template': (text) => nameFromTemplate(text, { title: 'a' }),
  openedByLink: (text) => openedByLink(`spool://add?url=${text}`),
  parseForeignJson,
  parseExactly: (text) => parseExactly(JSON.stringify([text])),
  parseHead: (text) => inHead(text),
  parseUrlEncoded,
  parseRateHeaders: (text) => parseRateHeaders(() => text),
  'parseRateHeaders, a body': (text) => parseRateHeaders(() => null, { message: text }),
  plainText,
  readBatch: (text) => readBatch({ name: 'a.csv', content: `title\n${text}` }, request),
  'readCell, a colour': (text) => readCell(text, { type: 'colour' }),
  'readCell, a list': (text) => readCell(text, { type: 'list' }),
  'readCell, a number': (text) => readCell(`${text}x`, { type: 'number' }),
  readExampleRequest,
  'readExampleRequest, a command': (text) => readExampleRequest(`curl ${text}`),
  'readExampleRequest, a pipe': (text) => readExampleRequest(`cat ${text} | curl x -d @-`),
  'readExampleRequest, variables': (text) => readExampleRequest(`A=${text}\ncurl x`),
  htmlRows: (text) => htmlRows(`<table><tr><td>${text}`, () => undefined, false),
  readTable: (text) => readTable({ name: 'a.csv', content: `title,message\n${text}` }, howToRead),
  scanJson,
  wrappedList: (text) => wrappedList(`{"a":[{"b":${JSON.stringify(text)}}]}`, () => undefined),
  'splitCells, quoted': (text) => splitCells(`"${text}`, ',', 'double'),
  readJsonList: (text) => readJsonList('a.json', text, () => null),
  readJsonLines: (text) => readJsonLines('a.jsonl', text),
  readLink: (text) => readLink({ downloadUrl: text, expiresAt: text }, answers),
  readStatus: (text) => readStatus({ status: text, error: text }, answers),
  readRemoteError: (text) => readRemoteError({ error: text, code: text }, answers),
  redact,
  'compileBody, a template': (text) =>
    compileBody({ body: { a: text }, columns: {} })(new Map([['a', 'b']])),
  safeName: (text) => safeName(`a${text}b`),
  sanitizeRemoteText: (text) => sanitizeRemoteText(text),
  unknownPlaceholders: (text) => unknownPlaceholders(text, ['title']),
  valueAt: (text) => valueAt({}, text),
  visibleText,
  withNumber: (text) => withNumber(text, 2),
  withoutKey: (text) => withoutKey(responseOf(text), 'svc_live_x'),
  withoutKeys: (text) => withoutKeys({}, { answer: text }),
  withoutLinkSecrets,
  withoutQuery,
  wrapped: (text) => wrapped(text, 40),
};

/** Hostile text repeats one of these: what scanners begin with, end with, or skip. */
const PIECES = [
  'lm&res',
  'https://',
  'https:\\/\\/a\\/',
  'http://a?',
  'svc_live_',
  'svc_live',
  'eyJ-',
  ' ',
  '\t',
  '\n',
  '. ',
  ', ',
  ',',
  ';',
  '.',
  '/',
  '\\',
  '|',
  '-',
  '_',
  '{',
  '{{',
  '{{ ',
  '}',
  '[',
  '{"a":',
  '"',
  '""',
  '"a',
  '\\"',
  "'",
  '<',
  '%',
  '1',
  '1,',
  'a',
  'A ',
  'é',
  '\u0301',
  '\u202e',
  '\u001b]',
  '\u001b[1;',
  '\u009b',
  '\ud800',
  '😀',
];

/**
 * Characters. Fast growth is measurable with much shorter text; the long form also finds growth that
 * is slower.
 */
const LARGEST = casesOf({ short: 128 * 1024, long: 512 * 1024 });

// abuse.md 45
it.each(Object.entries(READERS))(
  'takes at most three times as long for twice the text: %s',
  async (name, read) => {
    const largest = name === 'parseHead' ? MAX_HEAD_BYTES / 2 : LARGEST;
    const slow: { piece: string; ratio: number }[] = [];
    for (const piece of PIECES) {
      const text = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
      slow.push({ piece, ratio: await ratioOf(read, text, largest) });
    }
    expect(slow.filter(({ ratio }) => ratio > MAX_RATIO)).toEqual([]);
  },
);

it('reads 64 KiB of text that is formatted thousands of times in less than 300 ms of processor time', async () => {
  const text = `requests.get("${'{'.repeat(64 * 1024)}"${'.format(1)'.repeat(4000)})`;
  expect(await timeOf(readExampleRequest, text)).toBeLessThan(300);
});

// abuse.md 45
it.each([
  ['withoutLinkSecrets', withoutLinkSecrets],
  ['redact', redact],
])('reads 1 MiB of addresses in less than a second of processor time: %s', async (_, read) => {
  expect(await timeOf(read, 'https://'.repeat(128 * 1024))).toBeLessThan(1_000);
});
