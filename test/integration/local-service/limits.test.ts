import { describe, expect, test } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { type Answer, ManualClock, type Rig, startRig, storyboard, testEmbedded } from './rig.ts';

type Headers = Record<string, string>;
const endpoints: Record<string, (rig: Rig, headers: Headers) => Promise<Answer>> = {
  generate: (rig, headers) => rig.client.post('/api/v1/video/generate', {}, headers),
  status: (rig, headers) => rig.client.ask('/api/v1/video/status/vid_x', { headers }),
  download: (rig, headers) => rig.client.ask('/api/v1/video/download/vid_x', { headers }),
};
const documented: [string, number, number][] = [
  ['generate', 10, 3600],
  ['status', 60, 60],
  ['download', 30, 3600],
];

function resetOf(answer: Answer): number {
  const text = String(answer.headers['x-ratelimit-reset']);
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return Date.parse(text);
}

describe.each(['fixed', 'sliding'] as const)('with a %s window', (window) => {
  test.each(documented)('%s allows %i requests in %i seconds', async (name, requests, seconds) => {
    const rig = await startRig({ window });
    const headers = await rig.signUp();
    const ask = (): Promise<Answer> => endpoints[name]!(rig, headers);
    const began = rig.clock.now();
    for (let left = requests - 1; left >= 0; left -= 1) {
      const answer = await ask();
      expect(answer.headers['x-ratelimit-remaining']).toBe(String(left));
      expect(answer.headers['retry-after']).toBeUndefined();
      resetOf(answer);
    }
    rig.clock.advance(7_300);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    const reset = resetOf(refused);
    expect(reset).toBe(Math.ceil((began + seconds * 1000) / 1000) * 1000);
    expect(refused.json).toEqual({
      success: false,
      message: 'Rate limit exceeded. Try again later.',
      code: 'RATE_LIMITED',
      details: { resetAt: new Date(reset).toISOString() },
    });
    // All three forms of the reset agree, by the server's own Date.
    const serverDate = Date.parse(String(refused.headers.date));
    expect(serverDate + Number(refused.headers['retry-after']) * 1000).toBe(reset);

    rig.clock.advance(reset - 1000 - rig.clock.now());
    expect((await ask()).status).toBe(429);
    rig.clock.advance(1000);
    expect((await ask()).status).not.toBe(429);
  });

  test('counts survive a restart', async () => {
    const dataDir = temporaryFolder();
    const clock = new ManualClock();
    const first = await startRig({ dataDir, clock, window });
    const headers = await first.signUp();
    for (let i = 0; i < 4; i += 1) await endpoints.generate!(first, headers);
    await first.stop();
    const second = await startRig({ dataDir, clock, window });
    const answer = await endpoints.generate!(second, headers);
    expect(answer.headers['x-ratelimit-remaining']).toBe('5');
  });
});

test('the two window types restore requests at different times', async () => {
  const remaining = async (window: 'fixed' | 'sliding'): Promise<string[]> => {
    const rig = await startRig({ window });
    const headers = await rig.signUp();
    const seen: string[] = [];
    for (const minutes of [0, 30, 20, 11]) {
      rig.clock.advance(minutes * 60_000);
      const answer = await endpoints.generate!(rig, headers);
      seen.push(String(answer.headers['x-ratelimit-remaining']));
    }
    return seen;
  };
  expect(await remaining('fixed')).toEqual(['9', '8', '7', '9']);
  expect(await remaining('sliding')).toEqual(['9', '8', '7', '7']);
});

test('a new key resets no limit, and each account has its own limits', async () => {
  const rig = await startRig();
  const account = await rig.accounts.add({ email: 'a@example.com', plan: 'free' });
  const withNewKey = async (): Promise<Headers> => ({
    'x-api-key': (await rig.keys.create(account, 'k')).value,
  });
  let headers = await withNewKey();
  for (let i = 0; i < 10; i += 1) await endpoints.generate!(rig, headers);
  await rig.keys.revoke(account);
  headers = await withNewKey();
  expect((await endpoints.generate!(rig, headers)).status).toBe(429);
  expect((await endpoints.status!(rig, headers)).headers['x-ratelimit-remaining']).toBe('59');
  expect((await endpoints.generate!(rig, await rig.signUp())).status).toBe(400);
});

test('concurrent requests never exceed the limit', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => endpoints.generate!(rig, headers)),
  );
  expect(answers.filter((answer) => answer.status !== 429)).toHaveLength(10);
});

test('a negotiated account has its own limits, from its next request on', async () => {
  const rig = await startRig();
  const headers = await rig.signUp('business', 'big@example.com');
  const account = await rig.accounts.withEmail('big@example.com');
  await rig.accounts.setLimit(account, 'generate', { requests: 100, windowSeconds: 60 });
  const answer = await endpoints.generate!(rig, headers);
  expect(answer.headers['x-ratelimit-remaining']).toBe('99');
  expect(resetOf(answer) - rig.clock.now()).toBeLessThanOrEqual(61_000);
  expect((await endpoints.status!(rig, headers)).headers['x-ratelimit-remaining']).toBe('59');
});

test('the service’s limits are configurable', async () => {
  const rig = await startRig({
    limits: {
      generate: { requests: 2, windowSeconds: 5 },
      status: { requests: 1, windowSeconds: 1 },
      download: { requests: 1, windowSeconds: 1 },
      authentication: { requests: 1, windowSeconds: 1 },
    },
  });
  const headers = await rig.signUp();
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await endpoints.generate!(rig, headers)).status);
  expect(statuses).toEqual([400, 400, 429]);
});

testEmbedded('every response has the headers, independent of its status', async () => {
  const rig = await startRig();
  const headers = await rig.signUp('free');
  const other = await rig.signUp('free');
  const generate = '/api/v1/video/generate';
  const json = { 'content-type': 'application/json' };
  const made = await rig.client.post(generate, storyboard(), headers);
  const id = String(made.json.id);
  const answers = new Map<number, Answer>();
  const add = async (answer: Promise<Answer>): Promise<void> => {
    const got = await answer;
    answers.set(got.status, got);
  };
  const post = (body: string, more: Headers): Promise<Answer> =>
    rig.client.ask(generate, { method: 'POST', body, headers: { ...headers, ...more } });

  answers.set(200, made);
  await add(post('{', json));
  await add(post('{}', {}));
  await add(post(`"${'x'.repeat(1024 * 1024)}"`, json));
  await add(rig.client.ask(generate));
  await add(rig.client.ask('/nothing/here'));
  await add(rig.client.ask('/api/v1/video/status/%zz', { headers }));
  await add(rig.client.ask(`/api/v1/video/status/${id}`, { headers: other }));
  for (let i = 0; i < 4; i += 1) await add(rig.client.post(generate, storyboard(), headers));
  expect(answers.get(403)?.json.code).toBe('QUOTA_EXCEEDED');
  for (let i = 0; i < 10; i += 1) await add(rig.client.post(generate, storyboard(), headers));

  const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
  database.exec('DROP TABLE video');
  database.close();
  await add(rig.client.ask('/api/v1/video/status/vid_x', { headers }));
  await add(rig.client.ask('/api/v1/video/status/vid_x'));

  expect([...answers.keys()].sort()).toEqual([200, 400, 401, 403, 404, 413, 415, 429, 500]);
  for (const [status, answer] of answers) {
    expect(answer.headers['x-ratelimit-remaining'], `on ${status}`).toMatch(/^\d+$/);
    expect(resetOf(answer), `on ${status}`).toBeGreaterThan(rig.clock.now());
    expect(answer.headers['retry-after'] !== undefined, `on ${status}`).toBe(status === 429);
    if (status === 200) continue;
    expect(answer.json).toMatchObject({ success: false, message: expect.any(String) as string });
    expect(JSON.stringify(answer.json)).not.toMatch(/node_modules|\.ts:|SQLITE|no such table/);
  }
});
