import { createServer, connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { asApiError } from '../../../../src/local-service/api/errors.ts';
import { systemClock } from '../../../../src/local-service/clock.ts';
import {
  CommitUncertainError,
  DatabaseUnavailableError,
} from '../../../../src/local-service/database-unavailable.ts';
import { PostgresDatabase } from '../../../../src/local-service/postgres/postgres-database.ts';
import { openPostgresStores } from '../../../../src/local-service/postgres/postgres-stores.ts';
import { storedStoryboard } from '../../../../src/local-service/videos/video.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { storyboard } from '../rig.ts';
import { postgres } from './columns.ts';

const ignore = (): undefined => undefined;

/** `COMMIT` as a message of PostgreSQL's protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0');

/** A database behind a proxy that, once armed, loses the first commit or its answer, or stalls it. */
async function behindProxy(url: string) {
  const address = new URL(url);
  const name = '.s.PGSQL.5432';
  const socketPath = path.join(address.searchParams.get('host')!, name);
  const folder = temporaryFolder();
  let armed: 'commit' | 'answer' | 'time' | undefined;
  let isRefusing = false;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    if (isRefusing) {
      client.destroy();
      return;
    }
    const server = connect(socketPath);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', ignore).on('close', () => {
        client.destroy();
        server.destroy();
      });
    }
    server.on('data', (data) => client.write(data));
    client.on('data', (data) => {
      const lost = data.includes(COMMIT) ? armed : undefined;
      if (lost === undefined) {
        server.write(data);
        return;
      }
      armed = undefined;
      if (lost === 'time') return;
      if (lost === 'commit') client.destroy();
      else
        server
          .removeAllListeners('data')
          .once('data', () => client.destroy())
          .write(data);
    });
  });
  await new Promise<void>((resolve) => void proxy.listen(path.join(folder, name), resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  address.searchParams.set('host', folder);
  return {
    url: address.href,
    lose: (what: NonNullable<typeof armed>, { andRefuse = false } = {}) => {
      armed = what;
      isRefusing = andRefuse;
    },
  };
}

function boardWith(image: string) {
  return storedStoryboard(JSON.stringify({ title: 'A', scenes: [{ kind: 'image', image }] }))!;
}

function open(url: string): PostgresDatabase {
  const database = new PostgresDatabase({ url, maxConnections: 2, name: 'test', onError: ignore });
  onTestFinished(() => database.close());
  return database;
}

describe.skipIf(postgres.missing !== undefined)('a lost connection', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  /** Ends a connection and resolves when the server has closed it. */
  async function terminate(pid: unknown): Promise<void> {
    await postgres.server.query(`SELECT pg_terminate_backend(${Number(pid)}, 10000)`);
  }

  test('between two statements of a transaction is an outage of that transaction', async () => {
    const database = open(await postgres.database());
    const lost = database.transaction(async (transaction) => {
      const [row] = await transaction.query('SELECT pg_backend_pid() AS pid');
      await terminate(row?.pid);
      // The error arrives while no statement is pending.
      await postgres.server.query('SELECT 1');
      await transaction.query('SELECT 1');
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('during a statement of a transaction is an outage of that transaction', async () => {
    const database = open(await postgres.database());
    const lost = database.transaction(async (transaction) => {
      const [row] = await transaction.query('SELECT pg_backend_pid() AS pid');
      const waiting = transaction.query('SELECT pg_sleep(10)');
      await Promise.all([waiting, terminate(row?.pid)]);
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  describe('during the commit of a video', () => {
    async function accepting(maxConnections = 1) {
      const proxy = await behindProxy(await postgres.database());
      const stores = await openPostgresStores({
        url: proxy.url,
        clock: systemClock,
        window: 'fixed',
        slots: 0,
        onError: ignore,
        maxConnections,
      });
      onTestFinished(() => stores.close());
      const account = await stores.accounts.add({ email: 'a@example.com', plan: 'free' });
      const board = storedStoryboard(JSON.stringify(storyboard()))!;
      const accept = async (by = account, image?: string) =>
        stores.videos.accept(by, image === undefined ? board : boardWith(image), 5);
      return {
        proxy,
        stores,
        accept,
        used: async () => (await stores.videos.quotaUse(account)).used,
      };
    }

    test('does not matter when the video is found to be accepted', async () => {
      const { proxy, accept, used } = await accepting();
      proxy.lose('answer');
      expect(await accept()).toMatchObject({ kind: 'accepted' });
      expect(await used()).toBe(1);
    });

    test.each(['answer', 'commit'] as const)(
      'of several, when its %s is lost, is reported to all of them',
      async (lost) => {
        const { proxy, accept, used } = await accepting();
        const [first, ...others] = [accept(), accept(), accept(), accept()];
        const outcomes = Promise.allSettled(others);
        expect(await first).toMatchObject({ kind: 'accepted' });
        // The transaction of the others has just begun.
        proxy.lose(lost);
        const [second, third, beyond] = await outcomes;
        if (lost === 'answer') {
          for (const each of [second, third]) {
            expect(each).toMatchObject({ status: 'fulfilled', value: { kind: 'accepted' } });
          }
          expect(beyond).toMatchObject({ value: { kind: 'quota-exceeded' } });
        } else {
          for (const each of [second, third, beyond]) {
            const reason: unknown = each.status === 'rejected' ? each.reason : undefined;
            expect(asApiError(reason)).toMatchObject({ statusCode: 503, retryAfter: 10 });
          }
        }
        expect(await used()).toBe(lost === 'answer' ? 3 : 1);
      },
    );

    test('asks clients to retry when the video is found not to be accepted', async () => {
      const { proxy, accept, used } = await accepting();
      proxy.lose('commit');
      const error: unknown = await accept().catch((reason: unknown) => reason);
      expect(asApiError(error)).toMatchObject({ statusCode: 503, retryAfter: 10 });
      expect(await used()).toBe(0);
    });

    test('that stalls does not delay other accounts until its time limit', async () => {
      const { proxy, stores, accept } = await accepting(2);
      const eve = await stores.accounts.add({ email: 'eve@example.com', plan: 'free' });
      proxy.lose('time');
      let isStalled = true;
      const stalled = accept()
        .catch(ignore)
        .finally(() => (isStalled = false));
      expect(await accept(eve)).toMatchObject({ kind: 'accepted' });
      expect(isStalled).toBe(true);
      // Ends the connection, as its time limit would.
      stores.prepareClose();
      await stalled;
    });

    test('of unknown outcome does not affect independent refusals', async () => {
      const { proxy, stores, accept } = await accepting();
      const full = await stores.accounts.add({
        email: 'full@example.com',
        plan: 'free',
        customQuota: 1,
      });
      await accept(full);
      // The next request begins its own transaction.
      await new Promise((resolve) => setImmediate(resolve));
      const first = accept();
      const group = [accept(full), accept(undefined, `img_${'x'.repeat(22)}`), accept(), accept()];
      const outcomes = Promise.allSettled([...group, accept()]);
      expect(await first).toMatchObject({ kind: 'accepted' });
      proxy.lose('answer', { andRefuse: true });
      const [ofFull, ofMissing, second, third, beyond] = await outcomes;
      expect(ofFull).toMatchObject({ value: { kind: 'quota-exceeded' } });
      expect(ofMissing).toMatchObject({ value: { kind: 'image-missing' } });
      for (const each of [second, third]) {
        expect(each).toMatchObject({ reason: expect.any(CommitUncertainError) as unknown });
      }
      // Its quota depends on the two before, but it was certainly not accepted.
      const error: unknown = beyond?.status === 'rejected' ? beyond.reason : undefined;
      expect(asApiError(error)).toMatchObject({ statusCode: 503, retryAfter: 10 });
    });

    test('does not ask clients to retry when the outcome is unknown', async () => {
      const { proxy, accept } = await accepting();
      proxy.lose('answer', { andRefuse: true });
      const error: unknown = await accept().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CommitUncertainError);
      const answer = asApiError(error);
      expect(answer).toMatchObject({ statusCode: 503, retryAfter: undefined });
      expect(answer.message).toContain('may have been accepted');
    });
  });
});
