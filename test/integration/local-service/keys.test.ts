import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { BUILT_SERVICE_FILE } from '../../rigs/built-programs.ts';
import { type Answer, startRig, storyboard, testEmbedded } from './rig.ts';

const unauthorized = {
  success: false,
  message: 'Send a valid API key in the X-API-Key header.',
  code: 'UNAUTHORIZED',
};

function body(answer: Answer): unknown {
  return answer.json;
}

test('a missing, malformed, unknown or revoked key gets the very same 401 on every endpoint', async () => {
  const rig = await startRig();
  const account = await rig.accounts.add({ email: 'a@example.com', plan: 'free' });
  const revoked = (await rig.keys.create(account, 'old')).value;
  await rig.keys.revoke(account);
  const keys: (string | undefined)[] = [
    undefined,
    '',
    'svc_live_',
    'nonsense',
    'x'.repeat(5000),
    `svc_live_${'A'.repeat(43)}`,
    revoked,
  ];
  for (const key of keys) {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
    const answers = [
      await rig.client.post('/api/v1/video/generate', storyboard(), headers),
      await rig.client.ask('/api/v1/video/status/vid_x', { headers }),
      await rig.client.ask('/api/v1/video/download/vid_x', { headers }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(body(answer)).toEqual(unauthorized);
    }
  }
});

test('an almost correct key is refused', async () => {
  const rig = await startRig();
  const { 'x-api-key': key } = await rig.signUp();
  const nearly = [
    key.slice(0, -1),
    `${key}A`,
    key.toUpperCase(),
    `Bearer ${key}`,
    `${key}, ${key}`,
  ];
  for (const wrong of nearly) {
    const answer = await rig.client.ask('/api/v1/video/status/x', {
      headers: { 'x-api-key': wrong },
    });
    expect(answer.status).toBe(401);
  }
  const right = await rig.client.ask('/api/v1/video/status/x', { headers: { 'x-api-key': key } });
  expect(right.status).toBe(404);
});

test('200 and 400 both prove a key, as the key is checked first', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const generate = '/api/v1/video/generate';
  expect((await rig.client.post(generate, {}, headers)).status).toBe(400);
  expect((await rig.client.post(generate, storyboard(), headers)).status).toBe(200);
  expect((await rig.client.post(generate, {})).status).toBe(401);
});

test('keys have the documented form, 32 random bytes, and a name of 1 to 64 characters', async () => {
  const rig = await startRig();
  const account = await rig.accounts.add({ email: 'a@example.com', plan: 'free' });
  for (const name of ['', '   ', 'x'.repeat(65), 'tab\there']) {
    await expect(async () => rig.keys.create(account, name)).rejects.toThrow('1 to 64 characters');
  }
  const seen = new Set<string>();
  for (const name of ['x', 'x'.repeat(64), 'Produktion – Ü']) {
    const key = await rig.keys.create(account, name);
    expect(key.value).toMatch(/^svc_live_[\w-]{43,}$/);
    expect((await rig.keys.activeKey(account))?.name).toBe(name);
    seen.add(key.value);
    await rig.keys.revoke(account);
  }
  expect(seen.size).toBe(3);
});

test('an account has one key at a time, and never the same again', async () => {
  const rig = await startRig();
  const account = await rig.accounts.add({ email: 'a@example.com', plan: 'free' });
  const first = (await rig.keys.create(account, 'first')).value;
  await expect(async () => rig.keys.create(account, 'second')).rejects.toThrow(
    'revoke that one first',
  );
  await rig.keys.revoke(account);
  await expect(async () => rig.keys.revoke(account)).rejects.toThrow('no key to revoke');
  const second = (await rig.keys.create(account, 'second')).value;
  expect(await statusOf(first)).toBe(401);
  expect(await statusOf(second)).toBe(404);

  async function statusOf(key: string): Promise<number> {
    const headers = { 'x-api-key': key };
    return (await rig.client.ask('/api/v1/video/status/x', { headers })).status;
  }
});

test('a key does not expire', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  rig.clock.advance(50 * 365 * 86_400_000);
  expect((await rig.client.ask('/api/v1/video/status/x', { headers })).status).toBe(404);
});

testEmbedded('revoking in another process takes effect at once', async () => {
  const rig = await startRig();
  const headers = await rig.signUp('free', 'owner@example.com');
  expect((await rig.client.ask('/api/v1/video/status/x', { headers })).status).toBe(404);
  const { stdout } = await promisify(execFile)(process.execPath, [
    BUILT_SERVICE_FILE,
    'key',
    'revoke',
    '--account',
    'owner@example.com',
    '--data-dir',
    rig.dataDir,
  ]);
  expect(JSON.parse(stdout)).toEqual({ account: 'owner@example.com', name: 'test', revoked: true });
  expect((await rig.client.ask('/api/v1/video/status/x', { headers })).status).toBe(401);
});

testEmbedded('the value of a key is nowhere in the data folder', async () => {
  const rig = await startRig();
  const { 'x-api-key': key } = await rig.signUp();
  await rig.client.ask('/api/v1/video/status/x', { headers: { 'x-api-key': key } });
  for (const file of readdirSync(rig.dataDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const content = readFileSync(path.join(file.parentPath, file.name), 'latin1');
    expect(content.includes(key.slice('svc_live_'.length))).toBe(false);
  }
});

describe('failed authentication', () => {
  test('is limited by address, with the time of the next attempt', async () => {
    const rig = await startRig();
    const target = '/api/v1/video/status/x';
    for (let left = 29; left >= 0; left -= 1) {
      const answer = await rig.client.ask(target);
      expect(answer.status).toBe(401);
      expect(answer.headers['x-ratelimit-remaining']).toBe(String(left));
    }
    const refused = await rig.client.ask(target);
    expect(refused.status).toBe(429);
    expect(refused.json.code).toBe('RATE_LIMITED');
    rig.clock.advance(Number(refused.headers['retry-after']) * 1000);
    expect((await rig.client.ask(target)).status).toBe(401);
  });

  test('is limited for all addresses of this computer together', async () => {
    const rig = await startRig();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) {
      const localAddress = `127.0.0.${2 + (n % 6)}`;
      statuses.push((await rig.client.ask('/api/v1/video/status/x', { localAddress })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
  });

  test('blocks no program with a valid key at the same address', async () => {
    const rig = await startRig();
    const headers = await rig.signUp();
    const target = '/api/v1/video/status/x';
    while ((await rig.client.ask(target)).status !== 429);
    const answer = await rig.client.ask(target, { headers });
    expect(answer.status).toBe(404);
    expect(answer.headers['x-ratelimit-remaining']).toBe('59');
    expect((await rig.client.ask(target)).status).toBe(429);
  });

  test('costs the account nothing', async () => {
    const rig = await startRig();
    const headers = await rig.signUp();
    for (let i = 0; i < 10; i += 1) await rig.client.post('/api/v1/video/generate', storyboard());
    const answer = await rig.client.post('/api/v1/video/generate', storyboard(), headers);
    expect(answer.headers['x-ratelimit-remaining']).toBe('9');
  });
});
