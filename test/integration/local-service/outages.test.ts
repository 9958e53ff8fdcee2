import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import {
  RenderLimitError,
  RenderOutageError,
} from '../../../src/local-service/rendering/render-errors.ts';
import { defaultLimits } from '../../../src/local-service/accounts/rate-limits.ts';
import { RenderPool } from '../../../src/local-service/rendering/render-pool.ts';
import { smallDisk } from '../../rigs/small-disk.ts';
import { type Answer, FakeRenderer, type Rig, settled, startRig, storyboard } from './rig.ts';

const MINUTE = 60_000;
const roomy = { requests: 100_000, windowSeconds: 60 };
const limits = { ...defaultLimits, generate: roomy, status: roomy };

async function generate(rig: Rig, headers: Record<string, string>, count: number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const board = { ...storyboard(`Film ${index}`), resolution: 480, fps: 24, soundtrack: 'none' };
    const made = await rig.client.post('/api/v1/video/generate', board, headers);
    expect(made.status).toBe(200);
    ids.push(String(made.json.id));
  }
  return ids;
}

const statusOf = async (
  rig: Rig,
  headers: Record<string, string>,
  id: string,
): Promise<Answer['json']> =>
  (await rig.client.ask(`/api/v1/video/status/${id}`, { headers })).json;

function edit(rig: Rig, sql: string): void {
  const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
  database.exec(sql);
  database.close();
}

describe('an outage', () => {
  test('of disk space keeps every video queued, is logged, and ends automatically', async (test) => {
    const dataDir = await smallDisk(test, 90);
    const filler = path.join(dataDir, 'filler');
    writeFileSync(filler, Buffer.alloc(60 * 1024 * 1024));
    const logLines: string[] = [];
    const renderer = new RenderPool({ workers: 1 });
    const rig = await startRig({ dataDir, renderer, limits, logLines });
    const headers = await rig.signUp();
    const ids = await generate(rig, headers, 5);
    const waiting = 'Rendering waits because the disk of the service is full.';
    for (const [index, id] of ids.entries()) {
      const expected = { status: 'queued', position: index + 1, waitingFor: waiting };
      expect(await statusOf(rig, headers, id)).toMatchObject(expected);
    }
    rig.clock.advance(MINUTE);
    expect(await statusOf(rig, headers, ids[0]!)).toMatchObject({ status: 'queued' });
    expect(logLines.filter((line) => line.includes(waiting))).toHaveLength(1);

    rmSync(filler);
    rig.clock.advance(MINUTE);
    for (const id of ids) {
      const { json } = await settled(rig, headers, id);
      expect(json).toMatchObject({ status: 'done' });
      expect(json).not.toHaveProperty('waitingFor');
    }
    expect(logLines.some((line) => line.includes('rendering again'))).toBe(true);
  });

  test.each(['disk-full', 'files-unusable', 'no-workers'] as const)(
    'that a renderer reports (%s) fails no video, however long it lasts',
    async (outage) => {
      const renderer = new FakeRenderer('by-hand');
      const rig = await startRig({ renderer, limits, workers: 3 });
      const headers = await rig.signUp();
      const ids = await generate(rig, headers, 4);
      for (let attempt = 0; attempt < 8; attempt += 1) {
        // All running ones fail; after that, one is tried at a time.
        const begun = attempt === 0 ? 3 : 1;
        for (let n = 0; n < begun; n += 1) {
          (await renderer.next()).fail(new RenderOutageError(outage));
        }
        for (const id of ids) {
          await expect.poll(async () => (await statusOf(rig, headers, id)).status).toBe('queued');
        }
        expect(renderer.begun).toHaveLength(3 + attempt);
        expect(await statusOf(rig, headers, ids[3]!)).toMatchObject({
          waitingFor: new RenderOutageError(outage).message,
        });
        rig.clock.advance(MINUTE);
      }
      // The first render that makes progress starts the others again.
      const first = await renderer.next();
      first.progress(10, 20);
      expect(await statusOf(rig, headers, ids[3]!)).not.toHaveProperty('waitingFor');
      first.finish();
      for (let n = 1; n < 4; n += 1) (await renderer.next()).finish();
      for (const id of ids) {
        expect((await settled(rig, headers, id)).json.status).toBe('done');
      }
    },
  );

  test('of the database leaves no video rendering forever', async () => {
    const logLines: string[] = [];
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ renderer, limits, logLines });
    const headers = await rig.signUp();
    const [finished, failed] = await generate(rig, headers, 2);
    // Makes writes after a render fail, as a full disk does.
    const refuse = (moment: string): string =>
      `CREATE TRIGGER refuse BEFORE UPDATE ON video WHEN ${moment}
       BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`;
    const one = await renderer.next();
    edit(rig, refuse("OLD.state = 'rendering'"));
    one.finish();
    await expect
      .poll(async () => (await statusOf(rig, headers, failed!)).waitingFor)
      .toContain('Rendering waits');
    expect(await statusOf(rig, headers, finished!)).toMatchObject({ status: 'rendering' });
    edit(rig, 'DROP TRIGGER refuse');
    rig.clock.advance(MINUTE);
    expect((await settled(rig, headers, finished!)).json.status).toBe('done');

    const two = await renderer.next();
    edit(rig, refuse("OLD.state = 'rendering'"));
    const failures = logLines.length;
    two.fail(new RenderLimitError('time'));
    await expect.poll(() => logLines.slice(failures).join()).toContain('disk is full');
    edit(rig, 'DROP TRIGGER refuse');
    await expect
      .poll(async () => {
        rig.clock.advance(MINUTE);
        return (await statusOf(rig, headers, failed!)).status;
      })
      .toBe('failed');
  });
});

describe('a video', () => {
  test('that cannot be read fails alone; later ones are rendered', async () => {
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ renderer, limits });
    const headers = await rig.signUp();
    const ids = await generate(rig, headers, 4);
    const first = await renderer.next();
    edit(rig, `UPDATE video SET storyboard = '{"title":' WHERE id = '${ids[1]}'`);
    edit(rig, `UPDATE video SET storyboard = '{"scenes":[]}' WHERE id = '${ids[2]}'`);
    first.finish();
    (await renderer.next()).finish();
    for (const id of [ids[1]!, ids[2]!]) {
      expect((await settled(rig, headers, id)).json).toMatchObject({
        status: 'failed',
        error: 'This video was stored in a form that this version cannot read.',
      });
    }
    expect((await settled(rig, headers, ids[3]!)).json.status).toBe('done');
  });

  test('that exceeds the memory of its worker fails at once, with a reason', async () => {
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ renderer, limits });
    const headers = await rig.signUp();
    const [id] = await generate(rig, headers, 1);
    (await renderer.next()).fail(new RenderLimitError('memory'));
    expect((await settled(rig, headers, id!)).json).toMatchObject({
      status: 'failed',
      error: 'This video needs more memory than one render may use.',
    });
    expect(renderer.begun).toHaveLength(1);
  });
});
