import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { blankPng } from '../../rigs/pictures.ts';
import { fillDisk, smallDisk, type FileSystem } from '../../rigs/small-disk.ts';
import { FakeRenderer, startRig, storyboard, type Rig } from './rig.ts';
import { signUp, uploadPicture } from './studio-forms.ts';

const MIB = 1024 * 1024;

const DISKS: readonly (readonly [FileSystem, number])[] = [
  ['ext4', 128],
  ['xfs', 320],
  ['tmpfs', 128],
];

type Headers = Record<string, string>;

const generate = (rig: Rig, headers: Headers) =>
  rig.client.post('/api/v1/video/generate', storyboard(), headers);

/** Reads the database, since each status request counts against the account's limit. */
function isDone(dataDir: string, id: string): boolean {
  const database = new DatabaseSync(path.join(dataDir, 'service.sqlite'), { readOnly: true });
  try {
    return database.prepare('SELECT state FROM video WHERE id = ?').get(id)?.state === 'done';
  } finally {
    database.close();
  }
}

const statusOf = async (rig: Rig, headers: Headers, id: string) =>
  (await rig.client.ask(`/api/v1/video/status/${id}`, { headers })).json;

// abuse.md 50
describe.for(DISKS)('a service on an %s disk that another program fills', ([type, mib]) => {
  test('accepts no video, still responds, restarts, and resumes once there is space', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const dataDir = path.join(disk, 'data');
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ dataDir, renderer });
    const headers = await rig.signUp();
    const id = String((await generate(rig, headers)).json.id);
    await renderer.next();
    const release = fillDisk(disk);

    const refused = await generate(rig, headers);
    // Documented as not executed, to be sent again later.
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.bytes.toString()).toContain('The disk of the service is full.');
    expect(await statusOf(rig, headers, id)).toMatchObject({ status: 'rendering' });
    await rig.stop();

    const releaseMore = fillDisk(disk);
    const again = await startRig({ dataDir, clock: rig.clock });
    expect(await statusOf(again, headers, id)).toMatchObject({
      status: 'queued',
      waitingFor: 'Rendering waits because the disk of the service is full.',
    });
    expect((await generate(again, headers)).status).toBe(429);

    release();
    releaseMore();
    await expect
      .poll(() => {
        again.clock.advance(60_000);
        return isDone(dataDir, id);
      })
      .toBe(true);
    expect((await generate(again, headers)).status).toBe(200);
  });
});

// abuse.md 50
test('uploaded pictures keep the same disk space free as videos', async (context) => {
  const disk = await smallDisk(context, 128, 'ext4');
  const dataDir = path.join(disk, 'data');
  const rig = await startRig({ dataDir });
  const user = await signUp(rig);
  fillDisk(disk, 64 * MIB);

  const picture = Buffer.concat([blankPng(3, 3), Buffer.alloc(MIB)]);
  const page = await uploadPicture(rig, user, picture);
  expect(page.text).toContain('Scene 1: The file does not fit on the disk of the service.');
  expect(readdirSync(path.join(dataDir, 'images'))).toEqual([]);
});
