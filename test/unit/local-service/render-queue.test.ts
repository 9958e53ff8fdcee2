import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import type { After } from '../../../src/local-service/clock.ts';
import type {
  BlobInfo,
  Blobs,
  NewBlob,
  StoredBlob,
} from '../../../src/local-service/storage/blobs.ts';
import { StorageOutageError } from '../../../src/local-service/storage-errors.ts';
import { estimateBytes } from '../../../src/local-service/rendering/bitrate.ts';
import type {
  AdmitVideo,
  RenderClaim,
  RenderJob,
  RenderJobs,
} from '../../../src/local-service/videos/render-jobs.ts';
import { RenderQueue } from '../../../src/local-service/videos/render-queue.ts';
import type { Renderer, RenderTask } from '../../../src/local-service/videos/renderer.ts';
import { VideoFiles } from '../../../src/local-service/videos/video-files.ts';
import { storyboard } from '../../rigs/storyboards.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

const MINUTE = 60_000;

const idOf = (letter: string): string => `vid_${letter.repeat(22)}`;

/** A store in memory that can be unreachable. */
class FakeBlobs implements Blobs {
  isReachable = true;
  readonly stored = new Map<string, BlobInfo>();
  readonly deleted: string[] = [];

  async put(blobs: readonly NewBlob[]): Promise<readonly StoredBlob[]> {
    await this.#answer();
    const stored = blobs.map(({ key }) => ({ key, size: 1, sha256: 'x' }));
    for (const blob of stored) this.stored.set(blob.key, blob);
    return stored;
  }

  async open(): Promise<undefined> {
    await this.#answer();
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    await this.#answer();
    return this.stored.get(key);
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.#answer();
    this.deleted.push(...keys);
    for (const key of keys) this.stored.delete(key);
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    await this.#answer();
    yield* [...this.stored.values()].filter(({ key }) => key.startsWith(prefix));
  }

  #answer(): Promise<void> {
    return this.isReachable
      ? Promise.resolve()
      : Promise.reject(new StorageOutageError('unreachable'));
  }
}

/** Render jobs in memory, in first-in, first-out order. */
class FakeJobs implements RenderJobs {
  readonly queued: RenderJob[] = [];
  readonly taken: string[] = [];
  readonly finished: string[] = [];
  /** The latest results, with the attempt of each. */
  readonly settled: string[] = [];
  /** Attempts that another one has replaced, as `a/1`. */
  readonly superseded = new Set<string>();

  add(letter: string, attempt = 1): void {
    this.queued.push({ id: idOf(letter), attempt, failures: 0, storyboard: storyboard() });
  }

  take(count: number, admit: AdmitVideo): readonly RenderJob[] {
    const jobs: RenderJob[] = [];
    for (const job of this.queued.slice(0, count)) {
      try {
        admit(job, jobs);
      } catch (error) {
        if (jobs.length === 0) throw error;
        break;
      }
      jobs.push(job);
    }
    this.queued.splice(0, jobs.length);
    this.taken.push(...jobs.map(({ id }) => id));
    return jobs;
  }

  report(claim: RenderClaim): boolean {
    return !this.superseded.has(nameOf(claim));
  }

  finish(claim: RenderClaim): boolean {
    if (!this.#settle('finished', claim)) return false;
    this.finished.push(claim.id);
    return true;
  }

  fail(claim: RenderClaim): boolean {
    return this.#settle('failed', claim);
  }

  requeue(claim: RenderClaim): boolean {
    return this.#settle('requeued', claim);
  }

  interrupted(): readonly [] {
    return [];
  }

  #settle(how: string, claim: RenderClaim): boolean {
    if (this.superseded.has(nameOf(claim))) return false;
    this.settled.push(`${how} ${nameOf(claim)}`);
    return true;
  }
}

/** An attempt as `a/1`: the letter of its video, and its number. */
function nameOf({ id, attempt }: RenderClaim): string {
  return `${id.at(-1)}/${attempt}`;
}

/** A renderer that the test advances. */
class ManualRenderer implements Renderer {
  /** The letter of the video of each render. */
  readonly begun: string[] = [];
  /** How many are rendered now. */
  running = 0;
  readonly #running = new Map<string, { frame: () => void; finish: () => void }>();

  render(
    { videoPath, posterPath }: RenderTask,
    onProgress: (framesDone: number, framesTotal: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const id = /vid_\w+/.exec(videoPath)?.[0] ?? '';
    this.begun.push(id.at(-1) ?? '');
    this.running += 1;
    return new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      const finish = (): void => {
        for (const file of [videoPath, posterPath]) writeFileSync(file, 'x');
        resolve();
      };
      this.#running.set(id, { frame: () => onProgress(1, 10), finish });
    }).finally(() => {
      this.running -= 1;
    });
  }

  frame(letter: string): void {
    this.#running.get(idOf(letter))?.frame();
  }

  finish(letter: string): void {
    this.#running.get(idOf(letter))?.finish();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function openQueue(workers: number, hasRoomFor: (bytes: number) => boolean = () => true) {
  const clock = new VirtualClock();
  const after: After = (ms, work) => {
    const timer = new AbortController();
    clock.sleep(ms, timer.signal).then(work, () => undefined);
    return { [Symbol.dispose]: () => timer.abort() };
  };
  const workFolder = temporaryFolder();
  const blobs = new FakeBlobs();
  const jobs = new FakeJobs();
  const renderer = new ManualRenderer();
  const outages: (string | undefined)[] = [];
  const queue = new RenderQueue({
    jobs,
    files: new VideoFiles(blobs, workFolder),
    renderer,
    disk: { hasRoomFor, makeRoom: () => undefined },
    workers,
    images: {
      local: () =>
        Promise.resolve({
          pathOf: () => undefined,
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
    },
    after,
    onFailure: () => undefined,
    onOutage: (outage) => outages.push(outage?.outage),
  });
  onTestFinished(() => queue.close());
  return { queue, clock, blobs, jobs, renderer, outages, workFolder };
}

test('an outage of the file store lasts until a file is stored, whatever else is rendered', async () => {
  const { queue, clock, blobs, jobs, renderer, outages } = openQueue(3);
  jobs.add('a');
  jobs.add('b');
  queue.wake();
  await clock.settle();
  blobs.isReachable = false;
  renderer.finish('a');
  await clock.settle();
  expect(outages).toEqual(['storage-unreachable']);

  jobs.add('c');
  queue.wake();
  for (let minute = 0; minute < 5; minute += 1) {
    renderer.frame('b');
    await clock.advance(MINUTE);
  }
  expect(outages).toEqual(['storage-unreachable']);
  expect(jobs.taken).toEqual([idOf('a'), idOf('b')]);

  blobs.isReachable = true;
  await clock.advance(MINUTE);
  expect(outages).toEqual(['storage-unreachable', undefined]);
  expect(jobs.finished).toEqual([idOf('a')]);
  expect(jobs.taken).toEqual([idOf('a'), idOf('b'), idOf('c')]);
});

test('fewer videos at a time let running ones finish, and start no other', async () => {
  const { queue, clock, jobs, renderer } = openQueue(2);
  for (const letter of ['a', 'b', 'c', 'd', 'e']) jobs.add(letter);
  queue.wake();
  await clock.settle();
  queue.setWorkers(0);
  renderer.finish('a');
  await expect.poll(() => jobs.finished).toEqual([idOf('a')]);
  await clock.settle();
  expect(renderer.begun).toEqual(['a', 'b']);

  queue.setWorkers(1);
  await clock.settle();
  expect(renderer.begun).toEqual(['a', 'b']);
  renderer.finish('b');
  await expect.poll(() => renderer.begun).toEqual(['a', 'b', 'c']);

  queue.setWorkers(2);
  await expect.poll(() => renderer.begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a finished video costs one deletion for each file that earlier attempts left', async () => {
  const { queue, clock, blobs, jobs, renderer } = openQueue(1);
  const id = idOf('a');
  for (const key of [`${id}/3.jpg`, `${id}/3.mp4`, `${id}/700.jpg`, `${idOf('b')}/1.mp4`]) {
    blobs.stored.set(key, { key, size: 1 });
  }
  jobs.add('a', 1000);
  queue.wake();
  await clock.settle();
  renderer.finish('a');
  await clock.settle();
  expect(jobs.finished).toEqual([id]);
  expect(blobs.deleted).toEqual([`${id}/3.jpg`, `${id}/3.mp4`, `${id}/700.jpg`]);
  expect([...blobs.stored.keys()].sort()).toEqual([
    `${id}/1000.jpg`,
    `${id}/1000.mp4`,
    `${idOf('b')}/1.mp4`,
  ]);
});

test('videos that are rendered at once have room on the disk together', async () => {
  const bytes = estimateBytes(storyboard());
  const { queue, clock, jobs, renderer } = openQueue(3, (needed) => needed <= 2 * bytes);
  jobs.add('a');
  queue.wake();
  await clock.settle();
  for (const letter of ['b', 'c', 'd']) jobs.add(letter);
  queue.wake();
  await clock.settle();
  expect(jobs.taken).toEqual([idOf('a'), idOf('b')]);
  renderer.finish('a');
  await clock.settle();
  await clock.advance(MINUTE);
  expect(jobs.finished).toEqual([idOf('a')]);
  expect(jobs.taken).toEqual([idOf('a'), idOf('b'), idOf('c')]);
});

test('a video that the same worker gets again is rendered once at a time', async () => {
  const { queue, clock, blobs, jobs, renderer } = openQueue(2);
  jobs.add('a', 1);
  queue.wake();
  await clock.settle();
  jobs.superseded.add('a/1');
  jobs.add('a', 2);
  queue.wake();
  await clock.settle();
  expect(renderer.begun).toEqual(['a', 'a']);
  expect(renderer.running).toBe(1);
  expect(queue.progressOf(idOf('a'))).toBe(0);
  renderer.frame('a');
  expect(queue.progressOf(idOf('a'))).toBe(0.1);

  // The second attempt still counts as running.
  jobs.add('b');
  jobs.add('c');
  queue.wake();
  await clock.settle();
  expect(jobs.taken).toEqual([idOf('a'), idOf('a'), idOf('b')]);

  renderer.finish('a');
  await clock.settle();
  expect(jobs.settled).toEqual(['finished a/2']);
  expect([...blobs.stored.keys()].sort()).toEqual([`${idOf('a')}/2.jpg`, `${idOf('a')}/2.mp4`]);
});

test('a superseded attempt ends within seconds, and leaves no file', async () => {
  const { queue, clock, blobs, jobs, renderer, workFolder } = openQueue(1);
  jobs.add('a', 1);
  queue.wake();
  await clock.settle();
  for (const name of ['jpg', 'mp4'])
    writeFileSync(path.join(workFolder, `${idOf('a')}.${name}`), 'x');
  jobs.superseded.add('a/1');
  await clock.advance(10_000);
  expect(renderer.running).toBe(0);
  expect(jobs.settled).toEqual([]);
  expect(readdirSync(workFolder)).toEqual([]);
  expect(blobs.deleted).toEqual([`${idOf('a')}/1.jpg`, `${idOf('a')}/1.mp4`]);
});
