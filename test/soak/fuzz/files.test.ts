import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { RECORD_SUFFIX } from '../../../src/engine/downloads/file-name.ts';
import { readRecord } from '../../../src/engine/downloads/part-record.ts';
import { SentJournal } from '../../../src/engine/jobs/sent-journal.ts';
import { messageColumns, messageIn } from '../../../src/engine/jobs/stored-values.ts';
import { userMessageSchema } from '../../../src/contract/message-schema.ts';
import { obtainCertificate } from '../../../src/local-service/certificate.ts';
import { fuzz, textOf } from './fuzz.ts';
import { ofJson } from './mutations.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'spool-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORD = {
  version: 1,
  video: 'vid_1',
  total: 1000,
  validator: { etag: '"a"', lastModified: null },
  offset: 500,
  prefixSha256: 'a'.repeat(64),
  isWhole: false,
};

fuzz('the record of a part file', {
  mutations: ofJson,
  seeds: [JSON.stringify(RECORD)],
  tokens: ['"offset":', '"total":', '"isWhole":true', 'null', '-1', '1e15', '"validator":'],
  async parse(bytes) {
    writeFileSync(path.join(folder, `a.mp4${RECORD_SUFFIX}`), bytes);
    return readRecord(path.join(folder, 'a.mp4'));
  },
  check(record) {
    if (record === undefined) return;
    expect(record.offset).toBeGreaterThanOrEqual(0);
    expect(record.prefixSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(record.total ?? 0).toBeGreaterThanOrEqual(0);
  },
  runs: 100,
  largest: 0,
});

fuzz('SentJournal', {
  seeds: ['\n{"at":1,"job":7}\n\n{"at":2,"job":8}\n', '{"at":1,"jo'],
  tokens: ['{"at":1,"job":7}', '\n', '"job":'],
  parse(bytes) {
    const file = path.join(folder, 'sent.log');
    writeFileSync(file, bytes);
    const journal = new SentJournal(file);
    const before = journal.read();
    journal.append({ at: 5, job: 5 });
    return { before, after: journal.read() };
  },
  // After any damage, the appended line can be read, and no other line is lost.
  check: ({ before, after }) => expect(after).toEqual([...before, { at: 5, job: 5 }]),
  runs: 100,
  largest: 0,
});

fuzz('messages in a damaged database', {
  mutations: ofJson,
  seeds: [
    '[{"sentence":"job-unknown","values":{}}]',
    '[{"sentence":"in-use-by","values":{"pid":1}}]',
  ],
  tokens: ['"sentence":', '"values":', '"__proto__":', '{"a":'],
  parse: (bytes) =>
    messageIn(z.object(messageColumns).parse({ note: 'English', says: textOf(bytes) })),
  check: (message) => expect(userMessageSchema.parse(message).message).toBe('English'),
});

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 22);
const first = await obtainCertificate(folder, '127.0.0.1', NOW);

fuzz('the certificate of the local service', {
  seeds: [first.cert, first.key],
  tokens: ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', 'MII', '\n'],
  async parse(bytes) {
    for (const name of ['authority', 'server']) {
      writeFileSync(path.join(folder, 'tls', `${name}.pem`), bytes);
    }
    return obtainCertificate(folder, '127.0.0.1', NOW);
  },
  check: ({ expiresAt }) => expect(expiresAt).toBeGreaterThan(NOW + HOUR_MS),
  runs: 30,
  largest: 0,
});
