import { writeFileSync } from 'node:fs';
import { onTestFinished, expect, test } from 'vitest';
import type { After } from '../../../src/local-service/clock.ts';
import type {
  BlobInfo,
  Blobs,
  NewBlob,
  StoredBlob,
} from '../../../src/local-service/storage/blobs.ts';
import { StorageOutageError } from '../../../src/local-service/storage-errors.ts';
import type { RenderJob, RenderJobs } from '../../../src/local-service/videos/render-jobs.ts';
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

  add(letter: string, attempt = 1): void {
    this.queued.push({ id: idOf(letter), attempt, failures: 0, storyboard: storyboard() });
  }

  take(count: number): readonly RenderJob[] {
    const jobs = this.queued.splice(0, count);
    this.taken.push(...jobs.map(({ id }) => id));
    return jobs;
  }

  report(): boolean {
    return true;
  }

  finish({ id }: { readonly id: string }): boolean {
    this.finished.push(id);
    return true;
  }

  fail(): boolean {
    return true;
  }

  requeue(): boolean {
    return true;
  }

  interrupted(): readonly [] {
    return [];
  }
}

/** A renderer that the test advances. */
class ManualRenderer implements Renderer {
  readonly #running = new Map<string, { frame: () => void; finish: () => void }>();

  render(
    { videoPath, posterPath }: RenderTask,
    onProgress: (framesDone: number, framesTotal: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      const finish = (): void => {
        for (const file of [videoPath, posterPath]) writeFileSync(file, 'x');
        resolve();
      };
      const id = /vid_\w+/.exec(videoPath)?.[0] ?? '';
      this.#running.set(id, { frame: () => onProgress(1, 10), finish });
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

function openQueue(workers: number) {
  const clock = new VirtualClock();
  const after: After = (ms, work) => {
    const timer = new AbortController();
    clock.sleep(ms, timer.signal).then(work, () => undefined);
    return { [Symbol.dispose]: () => timer.abort() };
  };
  const blobs = new FakeBlobs();
  const jobs = new FakeJobs();
  const renderer = new ManualRenderer();
  const outages: (string | undefined)[] = [];
  const queue = new RenderQueue({
    jobs,
    files: new VideoFiles(blobs, temporaryFolder()),
    renderer,
    disk: { hasRoomFor: () => true, makeRoom: () => undefined },
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
  return { queue, clock, blobs, jobs, renderer, outages };
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
