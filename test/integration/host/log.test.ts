import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnosticsText } from '../../../src/host/diagnostics.ts';
import { openLog } from '../../../src/host/log.ts';
import { redact } from '../../../src/host/redact.ts';
import { batch, summary } from '../../rigs/summary-builder.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789abcdef';
const LINK = 'https://files.example/v.mp4?expires=1&signature=s3cret';

describe('the log', () => {
  // abuse.md 17, 18
  it('keeps messages without their secrets', () => {
    const log = openLog(temporaryFolder());
    log.logger.info({ key: KEY, nested: { link: LINK } }, `Asked for ${LINK} with ${KEY}.`);
    log.logger.warn({}, 'A warning.');
    log.defect(new Error(`It broke at ${LINK}\n`, { cause: KEY }));
    const text = readFileSync(log.file, 'utf8');
    expect(text).not.toMatch(/svc_live_|s3cret/);
    expect(text).toContain('https://files.example/v.mp4?…');
    expect(log.recent(2)).toHaveLength(2);
    for (const line of log.recent(3)) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  // abuse.md 17
  it('keeps no key of any service, plain or escaped', () => {
    const key = 'rw/0123456789"abcdef';
    const log = openLog(temporaryFolder());
    log.logger.info({}, `Before: ${key}`);
    log.hide(key);
    log.logger.info({ body: JSON.stringify({ key }) }, `With ${key}.`);
    log.defect(new Error(`It broke with ${encodeURIComponent(key)}.`));
    const [first = '', ...later] = log.recent(3);
    expect(first).toContain('Before: [API key]');
    expect(later.join('')).not.toContain('0123456789');
    expect(later[0]).toContain('With [API key].');
    expect(readFileSync(log.file, 'utf8').split('\n').slice(1).join('')).not.toContain(
      '0123456789',
    );
  });

  it('hides no word that is too short for a key', () => {
    const log = openLog(temporaryFolder());
    log.hide('key');
    log.logger.info({}, 'A key was entered.');
    expect(log.recent(1)[0]).toContain('A key was entered.');
  });

  // abuse.md 17, 18
  it('keeps its lines valid JSON when a field contains JSON', () => {
    const log = openLog(temporaryFolder());
    const body = JSON.stringify({ link: LINK, path: 'C:\\', again: JSON.stringify({ LINK }) });
    log.logger.info({ body }, 'An answer.');
    expect(readFileSync(log.file, 'utf8')).not.toContain('s3cret');
    const { body: kept } = JSON.parse(log.recent(1)[0] ?? '') as { body: string };
    expect(JSON.parse(kept)).toEqual({
      link: 'https://files.example/v.mp4?…',
      path: 'C:\\',
      again: '{"LINK":"https://files.example/v.mp4?…"}',
    });
  });

  it('rotates when it has grown large, and keeps three old files', () => {
    const log = openLog(temporaryFolder());
    const long = 'x'.repeat(300_000);
    for (let turn = 0; turn < 25; turn += 1) log.logger.info({}, `${turn} ${long}`);
    const sizes = ['', '.1', '.2', '.3'].map((age) => statSync(log.file + age).size);
    expect(Math.max(...sizes)).toBeLessThan(1_400_000);
    expect(existsSync(`${log.file}.4`)).toBe(false);
    expect(log.recent(1)[0]).toContain('24 x');
  });

  it('continues when it can be neither rotated nor found', () => {
    const log = openLog(temporaryFolder());
    const long = 'x'.repeat(600_000);
    // Folders that are not empty, at the paths of old logs.
    mkdirSync(path.join(`${log.file}.2`, 'in the way'), { recursive: true });
    mkdirSync(path.join(`${log.file}.3`, 'in the way'), { recursive: true });
    for (const turn of [1, 2, 3]) log.logger.info({}, `${turn} ${long}`);
    expect(log.recent(1)[0]).toContain('3 x');

    rmSync(path.dirname(log.file), { recursive: true });
    log.logger.info({}, 'The folder is missing.');
    log.logger.info({}, 'It is there again.');
    expect(log.recent(5).at(-1)).toContain('It is there again.');
  });

  it('does not throw when it cannot be written', () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'logs'), 'a file where the folder should be');
    const log = openLog(folder);
    log.logger.info({}, 'The folder cannot be made.');
    expect(log.recent(5)).toEqual([]);
  });
});

// abuse.md 17, 18
describe('a text without secrets', () => {
  it.each([
    [`key ${KEY}, and on`, 'key svc_…, and on'],
    [`see ${LINK} now`, 'see https://files.example/v.mp4?… now'],
    [`{"url":"${LINK}"}`, '{"url":"https://files.example/v.mp4?…"}'],
    ['http://127.0.0.1:4000/?token=abc', 'http://127.0.0.1:4000/?…'],
    ['is it? yes', 'is it? yes'],
    ['https://a.example/plain', 'https://a.example/plain'],
  ])('%s', (text, safe) => {
    expect(redact(text)).toBe(safe);
  });
});

// abuse.md 17, 18
describe('the diagnostics', () => {
  it('contain the queue’s state, and no title, folder, key or link', () => {
    const text = diagnosticsText({
      summary: summary({
        batches: [batch({ queued: 2 }, { name: 'Secret launch', folder: '/home/ana' })],
        service: { name: 'x', origin: 'https://api.example.com', isLocal: false },
      }),
      log: [`{"msg":"${LINK} ${KEY}"}`],
      now: Date.UTC(2026, 0, 1),
      versions: { node: '24', electron: undefined },
    });
    expect(text).toContain('service: https://api.example.com');
    expect(text).toContain('key: accepted, kept in keychain');
    expect(text).toContain('batches: 1');
    expect(text).not.toMatch(/Secret launch|home\/ana|svc_live_|s3cret|abcd|electron/);
  });
});
