import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { LEAST_UPLOAD_RATE } from '../../../src/local-service/body-time.ts';
import { WORK_FOLDER } from '../../../src/local-service/videos/work-folder.ts';
import { blankPng, dataUrl, noisePng } from '../../rigs/pictures.ts';
import { FakeFrames, startRig, testEmbedded, type Answer, type Rig } from './rig.ts';

const PICTURE = '/local/picture';

function send(rig: Rig, body: Buffer, headers: Record<string, string>): Promise<Answer> {
  const type = { 'content-type': 'application/octet-stream' };
  return rig.client.ask(PICTURE, { method: 'POST', headers: { ...type, ...headers }, body });
}

/** A storyboard whose background is this image. */
function over(picture: string): object {
  return { title: 'Over the clouds', picture, scenes: [{ kind: 'title', text: 'Above' }] };
}

test('stores a picture, which a storyboard shows behind its scenes', async () => {
  const rig = await startRig({ frames: new FakeFrames() });
  const headers = await rig.signUp();
  const sent = await send(rig, blankPng(640, 480), headers);
  expect(sent.status).toBe(200);
  const { id } = sent.json;
  expect(id).toMatch(/^img_/);
  const board = over(id as string);
  expect((await rig.client.post('/api/v1/video/generate', board, headers)).status).toBe(200);
  expect((await rig.client.post('/local/frame', board, headers)).status).toBe(200);
  expect((await send(rig, blankPng(640, 480), headers)).json.id).toBe(id);
});

test('an account cannot show the picture of another', async () => {
  const rig = await startRig();
  const { id } = (await send(rig, blankPng(640, 480), await rig.signUp())).json;
  const other = await rig.client.post(
    '/api/v1/video/generate',
    over(id as string),
    await rig.signUp(),
  );
  expect(other.status).toBe(400);
  expect(other.json.details).toEqual({
    issues: [{ path: '/picture', reason: 'is not a file of this account' }],
  });
});

// abuse.md 39
testEmbedded('stores nothing that is no picture or decodes to gigabytes', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
  for (const body of [
    svg,
    Buffer.alloc(0),
    blankPng(9, 9).subarray(0, 20),
    blankPng(12_000, 12_000),
  ]) {
    const refused = await send(rig, body, headers);
    expect(refused.status).toBe(400);
  }
  expect(
    readdirSync(path.join(rig.dataDir, 'images')).filter((name) => name.startsWith('img_')),
  ).toEqual([]);
});

test('takes pictures with a key only, and no larger ones than it says', async () => {
  const rig = await startRig();
  expect((await send(rig, blankPng(9, 9), {})).status).toBe(401);
  const large = Buffer.concat([noisePng(64, 64), Buffer.alloc(40 * 1024 * 1024)]);
  expect((await send(rig, large, await rig.signUp())).status).toBe(413);
  const json = await rig.client.post(
    PICTURE,
    { image: dataUrl(blankPng(9, 9)) },
    await rig.signUp(),
  );
  expect(json.status).toBe(415);
});

// abuse.md 60
testEmbedded('takes clips and sounds of any size up to its limit, as they arrive', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const wav = Buffer.alloc(48 * 1024 * 1024);
  wav.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  const digest = (of: Buffer) => ({
    'content-digest': `sha-256=:${hash('sha256', of, 'base64')}:`,
  });
  const sent = await send(rig, wav, { ...headers, ...digest(wav) });
  expect(sent.json.id).toMatch(/^img_/);
  const stored = path.join(rig.dataDir, 'images', sent.json.id as string);
  expect(statSync(stored).size).toBe(wav.length);
  const changed = await send(rig, wav.subarray(0, 100), { ...headers, ...digest(wav) });
  expect(changed.json.message).toBe('The file has changed while it was sent.');
  expect((await send(rig, wav, { ...headers, 'content-digest': 'md5=:x:' })).status).toBe(400);
  expect(readdirSync(path.join(rig.dataDir, 'images'))).toEqual([sent.json.id]);
});

// abuse.md 60
testEmbedded('takes a large file for as long as it makes progress', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const first = Buffer.alloc(30 * LEAST_UPLOAD_RATE);
  first.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  const size = first.length + 100;
  const steady = await openUpload(rig, size, headers);
  const stuck = await openUpload(rig, size, headers);
  const work = path.join(rig.dataDir, 'videos', WORK_FOLDER);
  const sizes = (): number[] =>
    readdirSync(work).map((name) => statSync(path.join(work, name)).size);
  await expect.poll(sizes).toHaveLength(2);
  steady.write(first);
  await expect.poll(() => Math.max(...sizes())).toBe(first.length);
  rig.clock.advance(30_000);
  expect(await firstLine(stuck)).toContain('408');
  steady.write(Buffer.alloc(100));
  expect(await firstLine(steady)).toContain('200');
});

/** Sends the headers of a request, and the bytes that its test writes. */
async function openUpload(
  { service }: Rig,
  length: number,
  headers: Record<string, string>,
): Promise<tls.TLSSocket> {
  const { port } = new URL(service.url);
  const ca = readFileSync(service.caFile!);
  const socket = tls.connect({ host: '127.0.0.1', port: Number(port), ca });
  onTestFinished(() => void socket.destroy());
  const type = 'application/octet-stream';
  const all = { host: 'x', 'content-type': type, 'content-length': length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${PICTURE} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await once(socket, 'secureConnect');
  return socket;
}

async function firstLine(socket: tls.TLSSocket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().split('\r\n', 1)[0] ?? '';
}

test('the pixels of a background count like those of a scene', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const large = dataUrl(blankPng(7900, 7900));
  const scenes = Array.from({ length: 7 }, () => ({ kind: 'image', image: large, seconds: 0.5 }));
  const board = { title: 'x', picture: large, scenes };
  const allowed = { title: 'x', scenes };
  expect((await rig.client.post('/api/v1/video/generate', board, headers)).status).toBe(200);
  expect((await rig.client.post('/api/v1/video/generate', allowed, headers)).status).toBe(200);
  const tooMany = { ...board, logo: large };
  expect((await rig.client.post('/api/v1/video/generate', tooMany, headers)).status).toBe(400);
});

test('stores sounds and fonts, which a storyboard names', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(100)]);
  const font = Buffer.concat([Buffer.from('OTTO'), Buffer.alloc(100)]);
  for (const [property, bytes] of [
    ['music', wav],
    ['voice', wav],
    ['font', font],
  ] as const) {
    const sent = await send(rig, bytes, headers);
    expect(sent.status).toBe(200);
    const asset = sent.json.id;
    const board = { title: 'Own', scenes: [{ kind: 'title', text: 'Own' }] };
    const post = (body: object, as: Record<string, string>) =>
      rig.client.post('/api/v1/video/generate', body, as);
    expect((await post({ ...board, [property]: { asset } }, headers)).status).toBe(200);
    const other = await post({ ...board, [property]: { asset } }, await rig.signUp());
    expect(other.json.details).toEqual({
      issues: [{ path: `/${property}/asset`, reason: 'is not a file of this account' }],
    });
  }
});
