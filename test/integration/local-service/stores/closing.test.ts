import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BUILT_SERVICE_FILE } from '../../../rigs/built-programs.ts';
import { systemClock } from '../../../../src/local-service/clock.ts';
import { PostgresDatabase } from '../../../../src/local-service/postgres/postgres-database.ts';
import { openPostgresStores } from '../../../../src/local-service/postgres/postgres-stores.ts';
import { storedStoryboard } from '../../../../src/local-service/videos/video.ts';
import { endingWithTests } from '../../../rigs/ending-with-tests.ts';
import { PostgresProxy } from '../../../rigs/postgres-proxy.ts';
import { RenderWorker } from '../../../rigs/render-worker.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { Client, storyboard } from '../rig.ts';
import { postgres } from './columns.ts';

const ignore = (): undefined => undefined;

/**
 * Two seconds, and the rest for a busy machine. A process that waits for its statements takes 15 s,
 * one that waits for its sockets never ends.
 */
const MAX_END_MS = 12_000;

describe.skipIf(postgres.missing !== undefined)('closing a shared database', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  async function proxied(): Promise<{ proxy: PostgresProxy; url: string; direct: string }> {
    const direct = await postgres.database();
    const proxy = await PostgresProxy.start(postgres.server.socket);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    return { proxy, direct, url: proxy.url(new URL(direct).pathname.slice(1)) };
  }

  test('does not report connections that end while the server shuts down', async () => {
    const { proxy, url } = await proxied();
    const errors: unknown[] = [];
    const database = new PostgresDatabase({
      url,
      maxConnections: 2,
      name: 'test',
      onError: (error) => errors.push(error),
    });
    const heard = Promise.withResolvers<undefined>();
    const listening = database.listen('spool_test', () => heard.resolve(undefined));
    await Promise.all([database.query('SELECT 1'), database.query('SELECT 2'), heard.promise]);
    proxy.shutDown();
    await listening[Symbol.asyncDispose]();
    await database.close();
    await expect.poll(() => proxy.sockets).toBe(0);
    expect(errors).toEqual([]);
  });

  test('leaves no connection open, also with a server that is silent', async () => {
    const { proxy, url } = await proxied();
    const database = new PostgresDatabase({
      url,
      maxConnections: 3,
      name: 'test',
      onError: ignore,
    });
    const heard = Promise.withResolvers<undefined>();
    const listening = database.listen('spool_test', () => heard.resolve(undefined));
    await Promise.all([database.query('SELECT 1'), database.query('SELECT 2'), heard.promise]);
    proxy.silence();
    const asked = Promise.allSettled([
      database.query('SELECT 3'),
      database.transaction((transaction) => transaction.query('SELECT 4')),
    ]);
    const begin = performance.now();
    await listening[Symbol.asyncDispose]();
    await database.close();
    expect(performance.now() - begin).toBeLessThan(MAX_END_MS);
    await expect.poll(() => proxy.sockets).toBe(0);
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  describe('that is silent does not delay the end of', () => {
    /** Starts a process of the service. `end` returns how many milliseconds it takes. */
    async function start(url: string, ...args: string[]) {
      const [program, all] = endingWithTests(process.execPath, [
        '--no-warnings',
        BUILT_SERVICE_FILE,
        ...args,
        '--database',
        '--log-level',
        'silent',
        '--files',
        temporaryFolder(),
        '--data-dir',
        temporaryFolder(),
      ]);
      const env = { ...process.env, SPOOL_SERVICE_DATABASE: url };
      const child = spawn(program, all, { env, stdio: ['pipe', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await ended;
      });
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const end = async (): Promise<number> => {
        const begin = performance.now();
        child.kill('SIGTERM');
        expect(await ended).toEqual([0, null]);
        return performance.now() - begin;
      };
      return { end, answer: JSON.parse(line.toString()) as { url: string; caFile: string } };
    }

    test('a worker without a video', async () => {
      const { proxy, url } = await proxied();
      const worker = await start(url, 'work', '--concurrency', '1');
      proxy.silence();
      expect(await worker.end()).toBeLessThan(MAX_END_MS);
    });

    test('a worker that renders', async () => {
      const { proxy, url, direct } = await proxied();
      const stores = await openPostgresStores({
        url: direct,
        clock: systemClock,
        window: 'fixed',
        slots: 0,
        maxConnections: 2,
        onError: ignore,
      });
      onTestFinished(() => stores.close());
      const account = await stores.accounts.add({ email: 'a@example.com', plan: 'free' });
      const board = storedStoryboard(JSON.stringify(storyboard('hold')))!;
      await stores.videos.accept(account, board, 5);
      const worker = new RenderWorker({
        url,
        files: temporaryFolder(),
        dataDir: temporaryFolder(),
      });
      onTestFinished(() => worker[Symbol.asyncDispose]());
      await expect.poll(() => worker.begun).toEqual(['hold']);
      proxy.silence();
      const begin = performance.now();
      await worker.end('SIGTERM');
      expect(performance.now() - begin).toBeLessThan(MAX_END_MS);
    });

    test('an API process with a request', async () => {
      const { proxy, url } = await proxied();
      const service = await start(url, 'start', '--port', '0');
      const client = new Client(service.answer.url, service.answer.caFile);
      onTestFinished(() => client.close());
      proxy.silence();
      const headers = { 'x-api-key': 'k'.repeat(40) };
      const asked = client.ask('/api/v1/video/status/x', { headers });
      await expect.poll(() => proxy.unanswered.join()).toContain('spool.');
      expect(await service.end()).toBeLessThan(MAX_END_MS);
      expect(await asked).toMatchObject({ status: 503 });
    });
  });
});
