import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { testClient } from '../../../rigs/test-client.ts';
import { settled, startRig, storyboard } from '../../local-service/rig.ts';

const DAY_MS = 86_400_000;

test('a video beyond the local service’s retention time is expired, not unknown', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const made = await rig.client.post('/api/v1/video/generate', storyboard('Film'), headers);
  const id = String(made.json.id);
  await settled(rig, headers, id);
  const ca = readFileSync(rig.service.caFile ?? '', 'utf8');
  const client = testClient({ url: rig.service.url, ca }, { key: () => headers['x-api-key'] });
  onTestFinished(() => client.close());
  expect(await client.link(id)).toMatchObject({ kind: 'link' });

  rig.clock.advance(30 * DAY_MS);

  const failure = { code: 'video-expired' };
  expect(await client.status(id)).toMatchObject({ kind: 'expired', failure });
  expect(await client.link(id)).toMatchObject({ kind: 'expired', failure });
  expect(await client.status(`${id}x`)).toMatchObject({ kind: 'not-found' });
});
