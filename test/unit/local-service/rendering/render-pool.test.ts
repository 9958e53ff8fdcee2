import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  RenderCancelledError,
  RenderOutageError,
} from '../../../../src/local-service/rendering/render-errors.ts';
import { RenderPool } from '../../../../src/local-service/rendering/render-pool.ts';
import type { WorkerEvents } from '../../../../src/local-service/rendering/worker.ts';
import type { ToWorker } from '../../../../src/local-service/rendering/worker-messages.ts';
import { storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

interface FakeWorker extends WorkerEvents {
  readonly orders: ToWorker[];
  isKilled: boolean;
}

/** A pool whose workers do what the test says. */
function openPool(workers = 1) {
  const started: FakeWorker[] = [];
  const pool = new RenderPool({
    workers,
    startWorker: (events) => {
      const worker: FakeWorker = { ...events, orders: [], isKilled: false };
      started.push(worker);
      return {
        post: (message) => worker.orders.push(message),
        setBusy: () => undefined,
        kill: () => {
          worker.isKilled = true;
          return Promise.resolve();
        },
      };
    },
  });
  onTestFinished(() => pool.close());
  const draw = (signal?: AbortSignal): Promise<Buffer> =>
    pool.draw({ storyboard: storyboard() }, signal);
  return { pool, started, draw };
}

const DRAWN = { kind: 'drawn', jpeg: Buffer.from('frame').toString('base64') } as const;

test('replaces a worker after fifty orders, because libraries may leak memory', async () => {
  const { started, draw } = openPool();
  for (let order = 1; order <= 51; order += 1) {
    const drawn = draw();
    started.at(-1)!.onMessage(DRAWN);
    await drawn;
  }
  expect(started.map(({ orders, isKilled }) => [orders.length, isKilled])).toEqual([
    [50, true],
    [1, false],
  ]);
});

test('gives a worker nothing that was cancelled before', async () => {
  const { started, draw } = openPool();
  await expect(draw(AbortSignal.abort())).rejects.toThrow(RenderCancelledError);
  expect(started).toEqual([]);
});

test('cancels an order only at the worker that has it', async () => {
  const { started, draw } = openPool(2);
  const stop = new AbortController();
  const [one, other] = [draw(stop.signal), draw()];
  stop.abort();
  expect(started.map(({ orders }) => orders.map(({ kind }) => kind))).toEqual([
    ['draw', 'cancel'],
    ['draw'],
  ]);
  started[0]!.onMessage({ kind: 'failed', failure: { code: 'cancelled' } });
  started[1]!.onMessage(DRAWN);
  await expect(one).rejects.toThrow(RenderCancelledError);
  expect((await other).toString()).toBe('frame');
});

test('sends the next order to a new worker only once the old one has ended', async () => {
  const { started, draw } = openPool();
  const lost = draw();
  const next = draw();
  started[0]!.onMessage({ kind: 'failed', failure: { code: 'over-memory' } });
  expect(started).toHaveLength(1);
  await expect(lost).rejects.toMatchObject({ code: 'RENDER_LIMIT', limit: 'memory' });
  expect(started).toHaveLength(2);
  started[1]!.onMessage(DRAWN);
  expect((await next).toString()).toBe('frame');
});

test('reports a worker that ends before it is ready as an outage, and deletes its parts', async () => {
  const { pool, started } = openPool();
  const folder = temporaryFolder();
  const videoPath = path.join(folder, 'film.mp4');
  const rendered = pool.render(
    { storyboard: storyboard(), videoPath, posterPath: path.join(folder, 'film.jpg') },
    () => undefined,
  );
  writeFileSync(`${videoPath}.part`, 'half');
  started[0]!.onExit({ crashed: false, cause: new Error('no canvas here') });
  await expect(rendered).rejects.toThrow(RenderOutageError);
  expect(existsSync(`${videoPath}.part`)).toBe(false);
});
