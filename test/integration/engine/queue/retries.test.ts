import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchOptions } from '../../../../src/contract/batch.ts';
import type { Job } from '../../../../src/contract/job.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { DownloadRequest } from '../../../../src/engine/downloads/request.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { NO_SUCH_VIDEO, VIDEO_EXPIRED, type ScriptedResponse } from '../../../rigs/fake-service.ts';

/** The quota counts videos. */
const FREE = { cost: null, goneCost: null };

const DAMAGED = {
  kind: 'failed',
  code: 'damaged',
  ...userMessage('verbatim', { text: 'It is damaged.' }),
} as const;
const FAILED = { state: 'failed', word: 'failed', progress: null, error: null } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BY_TITLE: BatchOptions = { nameTemplate: '{title}.mp4' };

/** Adds rows, each a title and an aspect such as `One,16:9`. Returns the jobs' ids. */
async function add(
  rig: EngineRig,
  rows: readonly string[],
  options: BatchOptions = {},
  name = 'Batch.csv',
): Promise<string[]> {
  const content = ['title,aspect', ...rows].join('\n');
  return (
    await rig.engine.commands.batches.add({ origin: ORIGIN, source: { name, content }, options })
  ).jobIds;
}

async function untilState(
  rig: EngineRig,
  id: string,
  state: Job['state'],
  withinMs?: number,
  everyMs?: number,
): Promise<Job> {
  const show = async (): Promise<Job> => (await rig.engine.commands.jobs.show({ id })).job;
  await rig.until(async () => (await show()).state === state, withinMs, everyMs);
  return show();
}

/** A file of another program where a video of this title would be saved. */
function occupy(rig: EngineRig, title: string): string {
  const file = path.join(rig.folder, 'renders', `${title}.mp4`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'mine');
  return file;
}

test('a video of another batch whose download failed is downloaded again, not rendered', async () => {
  const rig = await EngineRig.open();
  const [first = ''] = await add(rig, ['One,16:9'], {}, 'January.csv');
  await untilState(rig, first, 'done');
  rig.nextDownload.push(DAMAGED);
  const [second = ''] = await add(rig, ['One,16:9'], {}, 'May.csv');
  await untilState(rig, second, 'failed');

  await rig.engine.commands.jobs.retry({ ids: [second], payAgain: false });
  await untilState(rig, second, 'done');

  expect(rig.service.asked).toHaveLength(1);
});

test('a video whose download failed in one batch is downloaded for another', async () => {
  const rig = await EngineRig.open();
  rig.nextDownload.push(DAMAGED);
  const [first = ''] = await add(rig, ['One,16:9'], {}, 'January.csv');
  await untilState(rig, first, 'failed');

  const source = { name: 'May.csv', content: 'title,aspect\nOne,16:9' };
  expect((await rig.engine.commands.batches.plan({ source, options: {} })).rows[0]?.outcome).toBe(
    'downloaded-again',
  );
  const [second = ''] = await add(rig, ['One,16:9'], {}, 'May.csv');
  await untilState(rig, second, 'done');

  expect(rig.service.asked).toHaveLength(1);
});

test('a video that was reported done and then failed is rendered again', async () => {
  const rig = await EngineRig.open();
  rig.service.nextLink.push({ kind: 'not-ready', response: rig.service.response(409) });
  const [one = ''] = await add(rig, ['One,16:9']);
  await rig.until(() => rig.service.links.length === 1);
  rig.service.nextStatus.push(FAILED);
  await untilState(rig, one, 'failed');

  expect(await rig.engine.commands.jobs.downloadAgain({ ids: [one] })).toMatchObject({
    changed: 0,
  });
  await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false });
  await untilState(rig, one, 'done');

  expect(rig.service.asked).toHaveLength(2);
});

/** Fails a row by scripting `response` for its video; a test can remove the scripted responses. */
async function failAsGone(rig: EngineRig, response: ScriptedResponse): Promise<string> {
  const [id = ''] = await add(rig, ['Gone,16:9'], {}, 'Gone.csv');
  const { remoteId } = await untilState(rig, id, 'ready');
  rig.service.linkResponses.set(remoteId ?? '', response);
  rig.service.statusResponses.set(remoteId ?? '', response);
  // There is no other video that could prove that this is the right service.
  await untilState(rig, id, 'failed', 25 * HOUR, 10 * MINUTE);
  return id;
}

describe.each([
  ['deleted', VIDEO_EXPIRED],
  ['does not know', NO_SUCH_VIDEO],
])('a retry of a video that the service %s', (_, response) => {
  test('only asks about it again, unless the user chose to pay again', async () => {
    const rig = await EngineRig.open();
    const id = await failAsGone(rig, response);
    const [asked, links] = [rig.service.statuses.length, rig.service.links.length];

    expect(await rig.engine.commands.jobs.retry({ ids: [id], payAgain: false })).toMatchObject({
      changed: 1,
      refused: [],
    });
    await untilState(rig, id, 'rendering');
    await untilState(rig, id, 'failed');
    const { history } = await rig.engine.commands.jobs.show({ id });
    expect(history.slice(-2).map(({ event }) => event)).toEqual([
      'asked-about-again',
      'video-gone',
    ]);

    expect(rig.service.statuses).toHaveLength(asked + 1);
    expect(rig.service.links).toHaveLength(links);
    expect(rig.service.asked).toHaveLength(1);
    expect((await rig.update()).quota).toMatchObject({ used: 1, held: 0 });

    await rig.engine.commands.jobs.retry({ ids: [id], payAgain: true });
    await untilState(rig, id, 'done');
    expect(rig.service.asked).toHaveLength(2);
    expect((await rig.update()).quota).toMatchObject({ used: 2, held: 0 });
  });

  test('downloads the video for free when the response was wrong', async () => {
    const rig = await EngineRig.open();
    const id = await failAsGone(rig, response);
    rig.service.linkResponses.clear();
    rig.service.statusResponses.clear();

    await rig.engine.commands.jobs.retry({ ids: [id], payAgain: false });
    const job = await untilState(rig, id, 'done');

    expect(job.failure).toBeNull();
    expect(rig.service.asked).toHaveLength(1);
  });

  test('together with others pays only for jobs without a video, as planned', async () => {
    const rig = await EngineRig.open();
    const id = await failAsGone(rig, response);
    rig.nextDownload.push(DAMAGED);
    const [download = ''] = await add(rig, ['Download,16:9'], {}, 'Download.csv');
    await untilState(rig, download, 'failed');
    rig.service.nextStatus.push(FAILED);
    const [render = ''] = await add(rig, ['Render,16:9'], {}, 'Render.csv');
    await untilState(rig, render, 'failed');
    const plan = { origin: ORIGIN, downloads: 1, renders: 1, gone: 1, contentRefused: 0, ...FREE };

    expect(
      await rig.engine.commands.jobs.planRetry({ ids: [download, render, id, '999'] }),
    ).toEqual(plan);
    expect(await rig.engine.commands.jobs.planRetry({ batchId: undefined })).toEqual(plan);
    const { job } = await rig.engine.commands.jobs.show({ id });
    expect(await rig.engine.commands.jobs.planRetry({ batchId: job.batchId })).toEqual({
      origin: ORIGIN,
      downloads: 0,
      renders: 0,
      gone: 1,
      contentRefused: 0,
      ...FREE,
    });
    expect(
      await rig.engine.commands.jobs.retryFailed({
        origin: ORIGIN,
        batchId: undefined,
        limit: 1000,
        payAgain: false,
      }),
    ).toMatchObject({ changed: 3, refused: [] });
    await untilState(rig, render, 'done');
    await untilState(rig, download, 'done');
    await untilState(rig, id, 'failed');

    expect(rig.service.asked).toHaveLength(4);
    await rig.engine.commands.jobs.retryFailed({
      origin: ORIGIN,
      batchId: undefined,
      limit: 1000,
      payAgain: true,
    });
    await untilState(rig, id, 'done');
    expect(rig.service.asked).toHaveLength(5);
  });

  test('is not needed to add its row to another batch as a new video', async () => {
    const rig = await EngineRig.open();
    const [january = ''] = await add(rig, ['Gone,16:9'], {}, 'January.csv');
    const { remoteId } = await untilState(rig, january, 'done');
    rig.service.linkResponses.set(remoteId ?? '', response);
    rig.service.statusResponses.set(remoteId ?? '', response);
    const [march = ''] = await add(rig, ['Gone,16:9'], {}, 'March.csv');
    await untilState(rig, march, 'failed', 25 * HOUR, 10 * MINUTE);

    const source = { name: 'May.csv', content: 'title,aspect\nGone,16:9' };
    expect((await rig.engine.commands.batches.plan({ source, options: {} })).rows[0]?.outcome).toBe(
      'new',
    );
  });
});

test('a video that an earlier version failed as unknown is looked up, not paid for again', async () => {
  const rig = await EngineRig.open();
  const failure = { code: 'service-refused', ...userMessage('video-not-found') } as const;
  const unknown = { kind: 'not-found', failure, response: rig.service.response(404) } as const;
  rig.service.nextLink.push(...Array.from({ length: 8 }, () => unknown));
  const [one = ''] = await add(rig, ['One,16:9']);
  await untilState(rig, one, 'failed');

  await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false });
  await untilState(rig, one, 'done');

  expect(rig.service.asked).toHaveLength(1);
});

test('a bad certificate of one file server ends one row, which a retry downloads for free', async () => {
  const rig = await EngineRig.open();
  const message = userMessage('file-server-untrusted', {
    host: 'cdn.example',
    code: 'CERT_HAS_EXPIRED',
  });
  rig.nextDownload.push({ kind: 'failed', code: 'certificate', ...message });
  const [one = '', two = ''] = await add(rig, ['One,16:9', 'Two,16:9']);
  const { failure } = await untilState(rig, one, 'failed');
  await untilState(rig, two, 'done');

  expect(failure?.message).toContain('cdn.example');
  expect((await rig.update()).flow).toEqual({ state: 'running' });
  expect(await rig.engine.commands.jobs.planRetry({ ids: [one] })).toEqual({
    origin: ORIGIN,
    downloads: 1,
    renders: 0,
    gone: 0,
    contentRefused: 0,
    ...FREE,
  });
  await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false });
  await untilState(rig, one, 'done');
  expect(rig.service.asked).toHaveLength(2);
});

test('a row that was skipped for its name is not retried while the name is taken', async () => {
  const rig = await EngineRig.open();
  const options: BatchOptions = { ...BY_TITLE, onCollision: 'skip' };
  const file = occupy(rig, 'One');
  const [one = ''] = await add(rig, ['One,16:9'], options);
  expect((await rig.job(0)).state).toBe('cancelled');

  const refused = await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false });
  expect(refused).toMatchObject({ changed: 0, refused: [{ id: one }] });
  expect(refused.refused[0]?.failure.message).toContain('One.mp4');
  await rig.clock.advance(600_000);
  expect(rig.service.asked).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe('mine');

  rmSync(file);
  expect(await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false })).toMatchObject({
    changed: 1,
    refused: [],
  });
  const { file: saved } = await untilState(rig, one, 'done');
  expect(saved?.path).toBe(file);
});

test('a render that failed is not paid for again while its name is taken', async () => {
  const rig = await EngineRig.open();
  const options: BatchOptions = { ...BY_TITLE, onCollision: 'skip' };
  rig.service.nextStatus.push(FAILED);
  const [one = ''] = await add(rig, ['One,16:9'], options);
  await untilState(rig, one, 'failed');
  occupy(rig, 'One');

  expect(await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false })).toMatchObject({
    changed: 0,
  });
  const again = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name: 'Batch.csv', content: 'title,aspect\nOne,16:9' },
    options: { ...options, duplicates: 'render' },
  });
  expect(again).toMatchObject({ submitted: 0 });
  await rig.clock.advance(600_000);

  expect(rig.service.asked).toHaveLength(1);
});

test('a row that was skipped although its video existed is downloaded when it is retried', async () => {
  const rig = await EngineRig.open();
  const [first = ''] = await add(rig, ['One,16:9'], {}, 'January.csv');
  await untilState(rig, first, 'done');
  const options: BatchOptions = { ...BY_TITLE, onCollision: 'skip' };
  const file = occupy(rig, 'One');
  const [second = ''] = await add(rig, ['One,16:9'], options, 'May.csv');
  await untilState(rig, second, 'cancelled');
  rmSync(file);

  await rig.engine.commands.jobs.retry({ ids: [second], payAgain: false });
  await untilState(rig, second, 'done');

  expect(rig.service.asked).toHaveLength(1);
});

test('a skipped row that is added again once its name is free is downloaded, not rendered', async () => {
  const rig = await EngineRig.open();
  const [first = ''] = await add(rig, ['One,16:9'], {}, 'January.csv');
  await untilState(rig, first, 'done');
  const options: BatchOptions = { ...BY_TITLE, onCollision: 'skip' };
  const file = occupy(rig, 'One');
  const [second = ''] = await add(rig, ['One,16:9'], options, 'May.csv');
  rmSync(file);

  expect(await add(rig, ['One,16:9'], options, 'May.csv')).toEqual([second]);
  await untilState(rig, second, 'done');

  expect(rig.service.asked).toHaveLength(1);
});

test('a cancelled row whose name another one got is retried under a number', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const [one = ''] = await add(rig, ['One,16:9'], BY_TITLE);
  await rig.engine.commands.jobs.cancel({ ids: [one] });
  const [other = ''] = await add(rig, ['One,9:16'], BY_TITLE, 'Other.csv');

  await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false });
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  const saved = [await untilState(rig, one, 'done'), await untilState(rig, other, 'done')];

  expect(saved.map(({ file }) => path.basename(file?.path ?? ''))).toEqual([
    'One (2).mp4',
    'One.mp4',
  ]);
});

test.each([
  ['one folder', 'renders', '{title}.mp4'],
  ['a folder and one inside it', '.', 'renders/{title}.mp4'],
])(
  'cancelled rows of two batches in %s get a name each when they are retried together',
  async (_where, folder, nameTemplate) => {
    const rig = await EngineRig.open();
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
    const replacing = { onCollision: 'replace' } as const;
    const [one = ''] = await add(rig, ['One,16:9'], { ...BY_TITLE, ...replacing });
    await rig.engine.commands.jobs.cancel({ ids: [one] });
    const options = { ...replacing, nameTemplate, folder: path.join(rig.folder, folder) };
    const [other = ''] = await add(rig, ['One,9:16'], options, 'Other.csv');
    await rig.engine.commands.jobs.cancel({ ids: [other] });
    const targets: string[] = [];
    rig.nextDownload.push(
      ...[one, other].map(() => ({ target }: DownloadRequest) => {
        targets.push(path.relative(rig.folder, target));
        return Promise.resolve(DAMAGED);
      }),
    );

    await rig.engine.commands.jobs.retry({ ids: [one, other], payAgain: false });
    await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
    for (const id of [one, other]) await untilState(rig, id, 'failed');

    expect(targets.toSorted()).toEqual(['renders/One (2).mp4', 'renders/One.mp4']);
  },
);

test('two jobs never have one file, also where files are replaced', async () => {
  const rig = await EngineRig.open();
  const options: BatchOptions = { ...BY_TITLE, onCollision: 'replace' };
  const earlier = occupy(rig, 'One');
  const [first = ''] = await add(rig, ['One,16:9'], options);
  const { file } = await untilState(rig, first, 'done');
  expect(file?.path).toBe(earlier);

  const [, second = ''] = await add(rig, ['One,16:9', 'One,9:16'], options);
  // The same folder by way of the one above.
  const above = { ...options, folder: rig.folder, nameTemplate: 'renders/{title}.mp4' };
  const [third = ''] = await add(rig, ['One,1:1'], above, 'Above.csv');
  const saved = [
    await untilState(rig, first, 'done'),
    await untilState(rig, second, 'done'),
    await untilState(rig, third, 'done'),
  ];

  const paths = saved.map((job) => job.file?.path ?? '');
  expect(new Set(paths).size).toBe(3);
  expect(paths.every((each) => existsSync(each))).toBe(true);
  expect(await rig.engine.commands.files.check()).toEqual({ missing: 0 });
});

test('a file that got a number when it was saved is not replaced by another job either', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const [first = ''] = await add(rig, ['One,16:9'], BY_TITLE);
  occupy(rig, 'One');
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  const { file } = await untilState(rig, first, 'done');
  expect(path.basename(file?.path ?? '')).toBe('One (2).mp4');

  const options: BatchOptions = { nameTemplate: '{title} (2).mp4', onCollision: 'replace' };
  const [second = ''] = await add(rig, ['One,9:16'], options, 'Other.csv');
  const { file: other } = await untilState(rig, second, 'done');

  expect(other?.path).not.toBe(file?.path);
});

test('a saved video is not replaced by way of another path to its folder', async () => {
  const rig = await EngineRig.open();
  const folder = path.join(rig.folder, 'videos');
  const alias = path.join(rig.folder, 'alias');
  mkdirSync(folder);
  symlinkSync(folder, alias);
  const [first = ''] = await add(rig, ['One,16:9'], { ...BY_TITLE, folder }, 'First.csv');
  await untilState(rig, first, 'done');
  const saved = readFileSync(path.join(folder, 'One.mp4'));

  const options: BatchOptions = { ...BY_TITLE, folder: alias, onCollision: 'replace' };
  const [second = ''] = await add(rig, ['One,9:16'], options, 'Second.csv');
  await untilState(rig, second, 'done');

  expect(readFileSync(path.join(folder, 'One.mp4')).equals(saved)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['One (2).mp4', 'One.mp4']);
});

test('a file that took the name of a missing video is not moved for its download', async () => {
  const rig = await EngineRig.open();
  const [one = ''] = await add(rig, ['One,16:9'], BY_TITLE);
  const { file } = await untilState(rig, one, 'done');
  rmSync(file?.path ?? '');
  expect(await rig.engine.commands.files.check()).toEqual({ missing: 1 });
  const mine = occupy(rig, 'One');

  await rig.engine.commands.jobs.downloadAgain({ ids: [one] });
  const { file: again } = await untilState(rig, one, 'done');

  expect(readFileSync(mine, 'utf8')).toBe('mine');
  expect(path.basename(again?.path ?? '')).toBe('One (2).mp4');
});
