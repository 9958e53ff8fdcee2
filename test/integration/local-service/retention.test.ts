import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  FakeRenderer,
  type Rig,
  type RigOptions,
  settled,
  startRig,
  storyboard,
} from './rig.ts';
import { cookieOf, enter, EMAIL, signUp } from './studio-forms.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const EXPIRED = { success: false, code: 'VIDEO_EXPIRED' };

let rig: Rig;
let headers: { 'x-api-key': string };

beforeEach(async () => {
  rig = await startRig();
  headers = await rig.signUp();
});

/** Renders a video. Returns its ID. */
async function finished(title: string, at = rig): Promise<string> {
  const made = await at.client.post('/api/v1/video/generate', storyboard(title), headers);
  const id = String(made.json.id);
  expect((await settled(at, headers, id)).json.status).toBe('done');
  return id;
}

function status(id: string, at = rig): Promise<Answer> {
  return at.client.ask(`/api/v1/video/status/${id}`, { headers });
}

function download(id: string, at = rig): Promise<Answer> {
  return at.client.ask(`/api/v1/video/download/${id}`, { headers });
}

async function restart(options: RigOptions = {}): Promise<Rig> {
  await rig.stop();
  rig = await startRig({ dataDir: rig.dataDir, clock: rig.clock, ...options });
  return rig;
}

function filesOf(id: string): string[] {
  const folder = path.join(rig.dataDir, 'videos', id);
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Deletion goes through the file system, so it ends some turns after the timer. */
async function untilDeleted(id: string): Promise<void> {
  await expect.poll(() => filesOf(id)).toEqual([]);
  await untilRecorded(id);
}

async function untilRecorded(id: string): Promise<void> {
  await expect.poll(() => sql(`SELECT files_removed AS n FROM video`, id)).toBe(1);
}

/** The number `n` of one video's row. */
function sql(select: string, id: string): unknown {
  const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
  try {
    return database.prepare(`${select} WHERE id = ?`).get(id)?.n;
  } finally {
    database.close();
  }
}

describe('a finished video', () => {
  test('is kept for 30 days, then deleted and reported as expired', async () => {
    const id = await finished('Film');
    const deletedAt = Date.parse(String((await status(id)).json.finishedAt)) + 30 * DAY_MS;
    expect((await status(id)).json.keptUntil).toBe(new Date(deletedAt).toISOString());

    rig.clock.advance(deletedAt - rig.clock.now() - 1);
    expect((await download(id)).status).toBe(200);
    expect(filesOf(id)).toHaveLength(2);
    rig.clock.advance(1);
    for (const answer of [await status(id), await download(id)]) {
      expect(answer.status).toBe(410);
      expect(answer.json).toMatchObject({
        ...EXPIRED,
        details: { expiredAt: new Date(deletedAt).toISOString() },
      });
    }

    rig.clock.advance(HOUR_MS);
    await untilDeleted(id);
    expect((await status(id)).json).toMatchObject(EXPIRED);
  });

  test('is reported as expired for a valid link, and not for a forged one', async () => {
    const id = await finished('Film');
    const poster = String((await status(id)).json.posterUrl);
    rig.clock.advance(30 * DAY_MS - HOUR_MS / 2);
    const video = String((await download(id)).json.downloadUrl);
    expect((await rig.client.ask(video)).status).toBe(200);
    rig.clock.advance(HOUR_MS / 2);
    for (const link of [video, poster]) {
      const answer = await rig.client.ask(link);
      expect(answer.status).toBe(410);
      expect(answer.json).toMatchObject(EXPIRED);
    }
    const forged = await rig.client.ask(video.replace(/signature=.{3}/, 'signature=xxx'));
    expect(forged.json.code).toBe('LINK_INVALID');
  });

  test('of another account is unknown, even when expired', async () => {
    const id = await finished('Film');
    rig.clock.advance(31 * DAY_MS);
    const stranger = await rig.signUp();
    const answer = await rig.client.ask(`/api/v1/video/status/${id}`, { headers: stranger });
    expect(answer.json.code).toBe('VIDEO_NOT_FOUND');
  });

  test('is deleted without touching other files', async () => {
    const old = await finished('Old');
    rig.clock.advance(29 * DAY_MS);
    const young = await finished('Young');
    const videos = path.join(rig.dataDir, 'videos');
    writeFileSync(path.join(videos, 'notes.txt'), 'mine');
    rig.clock.advance(2 * DAY_MS);
    await untilDeleted(old);
    expect(filesOf(young)).toHaveLength(2);
    expect(existsSync(path.join(videos, 'notes.txt'))).toBe(true);
    expect((await download(young)).status).toBe(200);
  });

  test('counts against the quota of its month even when deleted', async () => {
    await restart({ retentionMs: DAY_MS });
    headers = await rig.signUp('free');
    const ids = [await finished('One'), await finished('Two'), await finished('Three')];
    rig.clock.advance(2 * DAY_MS);
    for (const id of ids) await untilDeleted(id);
    const more = await rig.client.post('/api/v1/video/generate', storyboard('Four'), headers);
    expect(more.json).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { used: 3, limit: 3 } });
  });

  test('is kept for its promised time when the retention time is shortened', async () => {
    const id = await finished('Film');
    await restart({ retentionMs: DAY_MS });
    rig.clock.advance(2 * DAY_MS);
    const young = await finished('Young');
    expect((await download(id)).status).toBe(200);
    rig.clock.advance(DAY_MS + HOUR_MS);
    await untilDeleted(young);
    expect(filesOf(id)).toHaveLength(2);
  });
});

test('a video that is not finished does not expire', async () => {
  const renderer = new FakeRenderer('by-hand');
  await restart({ renderer });
  const made = await rig.client.post('/api/v1/video/generate', storyboard('Slow'), headers);
  const id = String(made.json.id);
  const pending = await renderer.next();
  rig.clock.advance(60 * DAY_MS);
  expect((await status(id)).json.status).toBe('rendering');
  pending.finish();
  expect((await settled(rig, headers, id)).json.status).toBe('done');
  expect((await download(id)).status).toBe(200);
});

describe('the sweep', () => {
  test('at the start deletes what expired while the service was off', async () => {
    const id = await finished('Film');
    await rig.stop();
    rig.clock.advance(40 * DAY_MS);
    rig = await startRig({ dataDir: rig.dataDir, clock: rig.clock });
    await untilDeleted(id);
    expect((await download(id)).json).toMatchObject(EXPIRED);
  });

  test('retries a failed deletion, and is not delayed by it', async () => {
    const logLines: string[] = [];
    await restart({ logLines });
    const stuck = await finished('Stuck');
    const other = await finished('Other');
    // A folder instead of the file: no user can delete it as a file.
    const file = path.join(rig.dataDir, 'videos', stuck, '1.mp4');
    rmSync(file);
    mkdirSync(path.join(file, 'inside'), { recursive: true });
    rig.clock.advance(31 * DAY_MS);
    await untilDeleted(other);
    expect(sql('SELECT files_removed AS n FROM video', stuck)).toBe(0);
    expect((await status(stuck)).json).toMatchObject(EXPIRED);
    expect(logLines.join('')).toContain(stuck);

    rmSync(file, { recursive: true });
    writeFileSync(file, 'video');
    rig.clock.advance(HOUR_MS);
    await untilDeleted(stuck);
  });

  test('completes a deletion that a crash interrupted', async () => {
    const id = await finished('Film');
    await rig.stop();
    const videos = path.join(rig.dataDir, 'videos');
    // Killed after the files were deleted, before that was recorded; and between the two files.
    rmSync(path.join(videos, id, '1.mp4'));
    rig.clock.advance(31 * DAY_MS);
    rig = await startRig({ dataDir: rig.dataDir, clock: rig.clock });
    await untilDeleted(id);
    await rig.stop();
    rig = await startRig({ dataDir: rig.dataDir, clock: rig.clock });
    expect((await status(id)).json).toMatchObject(EXPIRED);
  });

  test('restores nothing when the clock is set back', async () => {
    const id = await finished('Film');
    rig.clock.advance(31 * DAY_MS);
    await untilDeleted(id);
    rig.clock.advance(-20 * DAY_MS);
    expect((await download(id)).json).toMatchObject(EXPIRED);
  });
});

test('the studio shows until when a video is kept, and that it was deleted', async () => {
  await signUp(rig);
  headers = {
    'x-api-key': (await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'studio')).value,
  };
  const id = await finished('Film');
  const pagesOf = async (): Promise<Answer[]> => {
    const cookie = cookieOf(await enter(rig, '/sign-in'));
    const targets = ['/studio', `/studio/videos/${id}`, `/studio/videos/${id}/file`];
    return Promise.all(targets.map((target) => rig.client.ask(target, { headers: { cookie } })));
  };
  const textOf = (answer: Answer): string => answer.bytes.toString('utf8').replace(/\s+/g, ' ');

  const [gallery, page, file] = await pagesOf();
  for (const shown of [gallery!, page!]) {
    expect(textOf(shown)).toMatch(/Kept until <time[^>]*>9 Apr 2026<\/time/);
    expect(textOf(shown)).toContain('/files/poster/');
  }
  expect(file!.status).toBe(200);

  rig.clock.advance(31 * DAY_MS);
  const [later, gone, refused] = await pagesOf();
  for (const shown of [later!, gone!]) {
    expect(textOf(shown)).toMatch(/Deleted on <time[^>]*>9 Apr 2026<\/time/);
    expect(textOf(shown)).not.toContain('/files/');
    expect(textOf(shown)).not.toContain('Download');
  }
  expect(refused!.status).toBe(410);
  expect(textOf(refused!)).toContain('This video was deleted');
});
