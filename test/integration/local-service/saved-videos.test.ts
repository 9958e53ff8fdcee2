import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, FakeRenderer, type Rig, settled, startRig, storyboard } from './rig.ts';

const SAVED = '/local/saved';
const NOBODYS = `vid_${'A'.repeat(22)}`;

type Headers = Record<string, string>;

interface Rendered {
  readonly id: string;
  readonly sha256: string;
  readonly link: string;
}

async function rendered(rig: Rig, headers: Headers): Promise<Rendered> {
  const made = await rig.client.post('/api/v1/video/generate', storyboard(), headers);
  const id = String(made.json.id);
  expect((await settled(rig, headers, id)).json.status).toBe('done');
  const { json } = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  return { id, sha256: String(json.sha256), link: String(json.downloadUrl) };
}

function statusOf(rig: Rig, headers: Headers, id: string): Promise<Answer> {
  return rig.client.ask(`/api/v1/video/status/${id}`, { headers });
}

test('a saved video of an account without a quota is deleted, and stays deleted', async () => {
  const rig = await startRig();
  const headers = await rig.signUp('unlimited');
  const { id, sha256, link } = await rendered(rig, headers);
  const folder = path.join(rig.dataDir, 'videos', id);
  expect(readdirSync(folder)).toHaveLength(2);

  for (let time = 0; time < 2; time += 1) {
    const answer = await rig.client.post(SAVED, { id, sha256 }, headers);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ success: true });
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  }
  const now = new Date(rig.clock.now()).toISOString();
  const gone = { code: 'VIDEO_EXPIRED', details: { expiredAt: now } };
  expect((await statusOf(rig, headers, id)).json).toMatchObject(gone);
  expect((await rig.client.ask(link)).json).toMatchObject(gone);
});

// abuse.md 69
test.each(['free', 'business'] as const)(
  'a saved video of a %s account is kept: the documented API has no such call',
  async (plan) => {
    const rig = await startRig();
    const headers = await rig.signUp(plan);
    const { id, sha256, link } = await rendered(rig, headers);
    const answer = await rig.client.post(SAVED, { id, sha256 }, headers);
    expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
    expect((await rig.client.ask(link)).status).toBe(200);
  },
);

// abuse.md 69
test('only the owner can say that a video is saved, and only by its hash', async () => {
  const rig = await startRig();
  const headers = await rig.signUp('unlimited');
  const { id, sha256, link } = await rendered(rig, headers);
  const other = await rig.signUp('unlimited');
  const refusals: [unknown, Headers | undefined, number][] = [
    [{ id, sha256 }, undefined, 401],
    [{ id, sha256 }, other, 404],
    [{ id: NOBODYS, sha256 }, headers, 404],
    [{ id, sha256: '0'.repeat(64) }, headers, 400],
    [{ id, sha256: sha256.toUpperCase() }, headers, 400],
    [{ id, sha256: [sha256] }, headers, 400],
    [{ id }, headers, 400],
    [{ id: `../videos/${id}`, sha256 }, headers, 400],
    [{ id: `${id}/../${id}`, sha256 }, headers, 400],
    [{ id, sha256, path: '/etc/passwd' }, headers, 400],
    [[id, sha256], headers, 400],
  ];
  for (const [body, as, status] of refusals)
    expect([body, (await rig.client.post(SAVED, body, as)).status]).toEqual([body, status]);
  expect((await rig.client.ask(link)).status).toBe(200);
});

test('a video that is not finished cannot have been saved', async () => {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer });
  const headers = await rig.signUp('unlimited');
  const made = await rig.client.post('/api/v1/video/generate', storyboard(), headers);
  const id = String(made.json.id);
  const pending = await renderer.next();
  const answer = await rig.client.post(SAVED, { id, sha256: '0'.repeat(64) }, headers);
  expect([answer.status, answer.json.code]).toEqual([409, 'VIDEO_NOT_READY']);
  pending.finish();
  expect((await settled(rig, headers, id)).json.status).toBe('done');
});

test('the call is no part of the documented API', async () => {
  const rig = await startRig();
  const { json } = await rig.client.ask('/api/v1/openapi.json', { headers: await rig.signUp() });
  expect(JSON.stringify(json)).not.toContain('local/saved');
});
