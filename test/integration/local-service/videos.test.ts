import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededBytes, settled, startRig, storyboard } from './rig.ts';

test('a storyboard becomes a video that can be fetched without a key', async () => {
  const rig = await startRig();
  const headers = rig.signUp();

  const accepted = await rig.client.post('/api/v1/video/generate', storyboard('Hello'), headers);
  expect(accepted.status).toBe(200);
  const id = accepted.json.id as string;
  expect(accepted.json).toEqual({ success: true, id, status: 'queued' });

  const status = await settled(rig, headers, id);
  expect(status.json).toMatchObject({ success: true, id, status: 'done', progress: 1 });

  const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  const expected = seededBytes('Hello', 100_000);
  expect(link.json).toMatchObject({
    success: true,
    id,
    bytes: expected.length,
    sha256: createHash('sha256').update(expected).digest('hex'),
    expiresAt: new Date(rig.clock.now() + 3_600_000).toISOString(),
  });
  const file = await rig.client.ask(link.json.downloadUrl as string);
  expect(file.status).toBe(200);
  expect(file.bytes.equals(expected)).toBe(true);

  const poster = await rig.client.ask(status.json.posterUrl as string);
  expect(poster.headers['content-type']).toBe('image/jpeg');
  expect(poster.bytes.equals(seededBytes('Hello poster', 2000))).toBe(true);
});
