import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { seededVideo } from '../../rigs/seeded-video.ts';
import { spool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789abcdefghijklmnopqrstuv';
const SIGNATURE = 'c2lnbmF0dXJlLW9mLXRoZS1saW5r';
const COOKIE = 'session-of-the-service';

/**
 * A service that refuses the first request for a second, repeats the key in its answers, and gives a
 * signed link to a video. If it refuses the key, it repeats that as well.
 */
async function startService(refusesKey: boolean): Promise<ScriptedService> {
  const video = seededVideo(7, 50_000).bytes;
  let refused = false;
  const service = await ScriptedService.start(({ method, path: address }, wire) => {
    const limits = {
      'X-RateLimit-Remaining': '5',
      'X-RateLimit-Reset': new Date(Date.now() + 1000).toISOString(),
      'Set-Cookie': COOKIE,
    };
    if (refusesKey) {
      const body = { success: false, code: 'UNAUTHORIZED', message: `Not ${KEY}.` };
      wire.write(jsonAnswer(401, body, limits));
    } else if (method === 'POST' && !refused) {
      refused = true;
      const body = { success: false, code: 'RATE_LIMITED', message: 'Wait.' };
      wire.write(jsonAnswer(429, body, { ...limits, 'Retry-After': '1' }));
    } else if (method === 'POST') {
      wire.write(jsonAnswer(200, { id: 'vid_1', youSent: KEY }, limits));
    } else if (address.startsWith('/api/v1/video/status/')) {
      wire.write(jsonAnswer(200, { id: 'vid_1', status: 'done', youSent: KEY }, limits));
    } else if (address.startsWith('/api/v1/video/download/')) {
      const downloadUrl = `${service.url}/files/vid_1.mp4?expires=1&signature=${SIGNATURE}`;
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      wire.write(jsonAnswer(200, { downloadUrl, expiresAt }, limits));
    } else {
      const head = `Content-Type: video/mp4\r\nContent-Length: ${video.length}\r\nETag: "one"`;
      wire.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), video]));
    }
  });
  onTestFinished(() => service.stop());
  return service;
}

const lineSchema = z.looseObject({ level: z.int(), time: z.string(), msg: z.string() });
type Line = z.infer<typeof lineSchema>;

const refusalSchema = z.looseObject({ receivedAt: z.number() });
const sendDecisionSchema = z.looseObject({ time: z.string(), limitMs: z.number() });

/** Renders a batch of one video, and reads the log. */
async function render(
  options: readonly string[],
  { env = {}, refusesKey = false }: { env?: Record<string, string>; refusesKey?: boolean } = {},
) {
  const service = await startService(refusesKey);
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'ca.pem'), service.ca);
  writeFileSync(path.join(folder, 'a.csv'), 'title\nA title\n');
  const queue = ['--data-dir', 'data', '--service', service.url, '--ca', 'ca.pem'];
  // Near the start of a billing cycle, Spool also asks the service for its time.
  const halfAMonthAgo = new Date(Date.now() - 15 * 86_400_000).toISOString().slice(0, 10);
  const plan = ['--billing-date', halfAMonthAgo];
  const { code, stderr } = await spool(['run', 'a.csv', ...queue, ...plan, ...options], {
    cwd: folder,
    env: { SPOOL_API_KEY: KEY, ...env },
  });
  expect({ code, stderr }).toEqual({ code: refusesKey ? 3 : 0, stderr: '' });
  const read = (): string => {
    try {
      return readFileSync(path.join(folder, 'data', 'logs', 'spool.log'), 'utf8');
    } catch {
      return '';
    }
  };
  const text = read();
  const lines = text.split('\n').filter(Boolean);
  return { service, text, lines: lines.map((line) => lineSchema.parse(JSON.parse(line))) };
}

const of = (lines: readonly Line[], event: string): Line[] =>
  lines.filter(({ msg }) => msg === event);

describe('a run with --log-level trace', () => {
  it('records each request, response and decision, and no secret', async () => {
    const { service, text, lines } = await render(['--log-level', 'trace']);

    const name = ({ method, path: address }: Line): string =>
      `${String(method)} ${String(address)}`;
    const calls = service.requests.filter((request) => request.path.startsWith('/api/'));
    const asked = calls.map((request) => `${request.method} ${request.path}`);
    expect(of(lines, 'request').map(name)).toEqual(asked);
    expect(of(lines, 'answer').map(name).toSorted()).toEqual(asked.toSorted());
    expect(new Set(asked)).toEqual(
      new Set([
        'POST /api/v1/video/generate',
        'GET /api/v1/video/status/vid_1',
        'GET /api/v1/video/download/vid_1',
      ]),
    );
    expect(of(lines, 'request')[0]?.body).toContain('A title');
    expect(of(lines, 'answer').map(({ status }) => status)).toContain(429);
    expect(of(lines, 'answer')[0]).toMatchObject({
      headers: { 'retry-after': '1', 'x-ratelimit-remaining': '5' },
    });

    const file = { method: 'GET', url: `${service.url}/files/vid_1.mp4` };
    expect(of(lines, 'download request')).toMatchObject([file]);
    expect(of(lines, 'download answer')).toMatchObject([{ ...file, status: 200 }]);

    const decisions = of(lines, 'decision');
    const toSend = decisions.filter((line) => line.of === 'generate');
    expect(toSend.some(({ job, waitMs }) => job === 1 && waitMs === 0)).toBe(true);
    // However late Spool decides after the refusal: it waits until the second is over.
    const { receivedAt } = refusalSchema.parse(
      of(lines, 'answer').find(({ status }) => status === 429),
    );
    const afterRefusal = toSend
      .map((line) => sendDecisionSchema.parse(line))
      .filter(({ time }) => Date.parse(time) >= receivedAt);
    expect(afterRefusal).not.toEqual([]);
    for (const { time, limitMs } of afterRefusal) {
      expect(Date.parse(time) + limitMs).toBeGreaterThanOrEqual(receivedAt + 1000);
    }
    expect(decisions.some((line) => line.of === 'status' && line.job === 1)).toBe(true);
    expect(decisions.some((line) => line.of === 'download' && line.job === 1)).toBe(true);
    const outcomes = of(lines, 'outcome').map(
      (line) => `${String(line.of)} ${String(line.outcome)}`,
    );
    expect(outcomes.slice(0, 2)).toEqual(['generate rate-limited', 'generate accepted']);
    expect(outcomes).toContain('status status');
    expect(outcomes.at(-1)).toBe('download link');

    for (const secret of [KEY, KEY.slice(9), SIGNATURE, COOKIE, 'x-api-key']) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  it('can be enabled by SPOOL_LOG as well, and is off by default', async () => {
    const asked = await render([], { env: { SPOOL_LOG: 'trace' }, refusesKey: true });
    expect(of(asked.lines, 'answer').map(({ status }) => status)).toContain(401);
    const usual = await render([], { refusesKey: true });
    expect(usual.service.requests).not.toEqual([]);
    expect(usual.lines.filter(({ level }) => level < 30)).toEqual([]);
  });
});

it('refuses an unknown level and lists the valid ones', async () => {
  const { code, stderr } = await spool(['run', 'a.csv', '--log-level', 'everything'], {
    cwd: temporaryFolder(),
  });
  expect(code).toBe(2);
  expect(stderr).toContain('--log-level cannot be “everything”. Choose one of trace, info, warn.');
});
