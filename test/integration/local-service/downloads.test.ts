import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '../../../src/local-service/storage/blobs.ts';
import { stores } from '../../rigs/blob-stores.ts';
import {
  type Answer,
  type Rig,
  seededBytes,
  settled,
  startRig,
  storyboard,
  testEmbedded,
} from './rig.ts';

const whole = seededBytes('Film', 100_000);

describe.each(Object.entries(stores))('files in %s', (_name, useStore) => {
  const store = useStore();
  let blobs: Blobs;
  let rig: Rig;
  let id: string;
  let url: string;
  let expiresAt: string;
  let headers: Record<string, string>;

  beforeEach(async () => {
    blobs = store();
    rig = await startRig({ blobs });
    headers = await rig.signUp();
    const made = await rig.client.post('/api/v1/video/generate', storyboard('Film'), headers);
    id = String(made.json.id);
    await settled(rig, headers, id);
    const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
    url = String(link.json.downloadUrl);
    expiresAt = String(link.json.expiresAt);
  });

  function fetchWith(more: Record<string, string>, method = 'GET'): Promise<Answer> {
    return rig.client.ask(url, { headers: more, method });
  }

  test('a link works for one hour of the server’s clock and not a moment longer', async () => {
    expect(Date.parse(expiresAt) - rig.clock.now()).toBe(3_600_000);
    rig.clock.advance(3_599_999);
    expect((await fetchWith({})).status).toBe(200);
    rig.clock.advance(1);
    const late = await fetchWith({});
    expect(late.status).toBe(410);
    expect(late.json.code).toBe('LINK_EXPIRED');
  });

  test('a link is valid after a restart of the service', async () => {
    await rig.stop();
    const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock, blobs });
    const target = url.replace(/^https:\/\/[^/]+/, '');
    const answer = await next.client.ask(target);
    expect(answer.status).toBe(200);
  });

  test('a link that was changed in any part is refused', async () => {
    const later = url.replace(/expires=(\d+)/, (_, ms: string) => `expires=${Number(ms) + 1}`);
    const other = url.replace(id, `vid_${'A'.repeat(22)}`);
    const poster = url.replace('/files/video/', '/files/poster/');
    const cut = url.slice(0, -1);
    const padded = `${url}=`;
    const zero = url.replace('expires=', 'expires=0');
    const bare = url.replace(/\?.*/, '');
    const twice = `${url}&signature=x`;
    const none = url.replace(/signature=.*/, 'signature=');
    const word = url.replace(/expires=\d+/, 'expires=never');
    const kind = url.replace('/files/video/', '/files/audio/');
    for (const forged of [later, other, poster, cut, padded, zero, bare, twice, none, word, kind]) {
      const answer = await rig.client.ask(forged);
      expect(answer.status, forged).toBe(403);
      expect(answer.json).toMatchObject({ success: false, code: 'LINK_INVALID' });
    }
  });

  test('no path leaves the folder of videos', async () => {
    const query = url.slice(url.indexOf('?'));
    for (const target of [
      `/files/video/../service.sqlite${query}`,
      `/files/video/..%2fservice.sqlite${query}`,
      `/files/video/%2e%2e%2f%2e%2e%2fetc%2fpasswd${query}`,
      `/files/video/${id}%00${query}`,
      `/files/..%2f..%2fetc/passwd${query}`,
      `/files/video//etc/passwd${query}`,
    ]) {
      expect([403, 404], target).toContain((await rig.client.ask(target)).status);
    }
  });

  test('a whole file has the headers that a client needs to resume', async () => {
    const answer = await fetchWith({});
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '100000',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[\da-f]{64}"$/) as string,
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.bytes.equals(whole)).toBe(true);
  });

  describe('Range', () => {
    test.each([
      ['bytes=0-9', 0, 9],
      ['bytes=99990-', 99_990, 99_999],
      ['bytes=-5', 99_995, 99_999],
      ['bytes=50000-999999', 50_000, 99_999],
    ])('%s gets that part', async (range, first, last) => {
      const answer = await fetchWith({ range });
      expect(answer.status).toBe(206);
      expect(answer.headers['content-range']).toBe(`bytes ${first}-${last}/100000`);
      expect(answer.headers['content-length']).toBe(String(last - first + 1));
      expect(answer.bytes.equals(whole.subarray(first, last + 1))).toBe(true);
    });

    test('that begins after the end is a 416 with the length', async () => {
      const answer = await fetchWith({ range: 'bytes=100000-' });
      expect(answer.status).toBe(416);
      expect(answer.headers['content-range']).toBe('bytes */100000');
      expect(answer.json).toMatchObject({ success: false, code: 'RANGE_NOT_SATISFIABLE' });
    });

    test.each(['bytes=1-2,4-5', 'bytes=x', 'lines=1-2'])('%s is ignored', async (range) => {
      const answer = await fetchWith({ range });
      expect(answer.status).toBe(200);
      expect(answer.bytes.length).toBe(100_000);
    });

    test('with If-Range applies to the same file only', async () => {
      const etag = String((await fetchWith({}, 'HEAD')).headers.etag);
      const same = await fetchWith({ range: 'bytes=5-', 'if-range': etag });
      const other = await fetchWith({ range: 'bytes=5-', 'if-range': '"other"' });
      expect(same.status).toBe(206);
      expect(other.status).toBe(200);
      expect(other.bytes.length).toBe(100_000);
    });
  });

  test('HEAD has the headers of the whole file, without its bytes', async () => {
    const full = await fetchWith({}, 'HEAD');
    expect(full.status).toBe(200);
    expect(full.headers['content-length']).toBe('100000');
    expect(full.bytes.length).toBe(0);
    // RFC 9110 §14.2: ranges are for GET alone.
    const part = await fetchWith({ range: 'bytes=0-9' }, 'HEAD');
    expect(part.status).toBe(200);
    expect(part.headers['content-length']).toBe('100000');
  });

  test('a client that has the file already gets 304', async () => {
    const etag = String((await fetchWith({}, 'HEAD')).headers.etag);
    const answer = await fetchWith({ 'if-none-match': etag });
    expect(answer.status).toBe(304);
    expect(answer.bytes.length).toBe(0);
    expect((await fetchWith({ 'if-match': '"other"' })).status).toBe(412);
  });

  test('a link has the address that the client used', async () => {
    const port = new URL(rig.service.url).port;
    const ask = async (host: string): Promise<string> => {
      const answer = await rig.client.ask(`/api/v1/video/download/${id}`, {
        headers: { ...headers, host },
      });
      return new URL(String(answer.json.downloadUrl)).origin;
    };
    expect(await ask(`localhost:${port}`)).toBe(`https://localhost:${port}`);
    expect(await ask('evil.example/@x')).toBe(rig.service.url);
    expect(await ask(`evil.example:${port}`)).toBe(rig.service.url);
  });
});

testEmbedded('a symbolic link in place of the file is not followed', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const made = await rig.client.post('/api/v1/video/generate', storyboard('Film'), headers);
  const id = String(made.json.id);
  await settled(rig, headers, id);
  const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  const file = path.join(rig.dataDir, 'videos', id, '1.mp4');
  const secret = path.join(rig.dataDir, 'secret');
  writeFileSync(secret, 'secret');
  rmSync(file);
  symlinkSync(secret, file);
  const answer = await rig.client.ask(String(link.json.downloadUrl));
  expect(answer.status).toBe(404);
  expect(answer.json.code).toBe('NOT_FOUND');
});

testEmbedded('a file that was damaged on the disk is not sent, as a whole or in part', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const made = await rig.client.post('/api/v1/video/generate', storyboard('Film'), headers);
  const id = String(made.json.id);
  await settled(rig, headers, id);
  const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  const file = path.join(rig.dataDir, 'videos', id, '1.mp4');
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(damaged.readUInt8(70_000) ^ 1, 70_000);
  writeFileSync(file, damaged);
  for (const range of [{}, { range: 'bytes=0-9' }]) {
    const answer = await rig.client.ask(String(link.json.downloadUrl), { headers: range });
    expect(answer.status).toBe(500);
    expect(answer.json.message).toBe('The stored file is damaged.');
  }
});
