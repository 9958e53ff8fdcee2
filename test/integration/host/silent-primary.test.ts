import { summaryOf } from '../../../src/host/summary-of.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Update } from '../../../src/contract/summary.ts';
import type { Worker } from '../../../src/contract/worker.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { headlessComputer } from '../../../src/host/computer.ts';
import { joinPrimary, PrimarySilentError } from '../../../src/host/join-primary.ts';
import { ReconnectingQueue } from '../../../src/host/reconnecting-queue.ts';
import { noLog } from '../../../src/host/log.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { joinOrOpen } from '../../../src/host/queue.ts';
import { endingWithTests } from '../../rigs/ending-with-tests.ts';
import { receive } from '../../rigs/receive.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const RIG = fileURLToPath(new URL('../../rigs/primary-child.ts', import.meta.url));
const SEVERAL_HEARTBEATS_MS = 20_000;

/** A primary process in a new data folder. Its service does not exist, so nothing is sent. */
async function startPrimary() {
  const dataDir = path.join(temporaryFolder(), 'data');
  mkdirSync(dataDir);
  const service = { kind: 'remote', baseUrl: 'https://service.invalid' };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, service }));
  const child = spawn(...endingWithTests(process.execPath, [RIG, dataDir]), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { dataDir, child, clock: new VirtualClock() };
}

type Fixture = Awaited<ReturnType<typeof startPrimary>>;

function page({ dataDir, clock }: Fixture) {
  const opened: boolean[] = [];
  const queue = new ReconnectingQueue({
    open: (isFirst) =>
      joinOrOpen({
        dataDir,
        clock,
        checkPrimary: () => undefined,
        openOwn: () => {
          opened.push(isFirst);
          return openHost({
            dataDir,
            defaultFolder: path.join(dataDir, 'videos'),
            keys: new MemoryKeyStore(),
            serviceProgram: () => expect.unreachable(),
          });
        },
      }),
    computer: headlessComputer,
    log: noLog,
    onOpenError: () => undefined,
    sleep: () => pause(5),
  });
  onTestFinished(() => queue.close());
  const workers = receive<Worker>(queue.client.queue.worker());
  const updates = receive<Update>(queue.client.watch({}));
  return { client: queue.client, workers, updates, opened };
}

/** The timeout only has to be long enough for another process. */
const until = (holds: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(holds, { timeout: 30_000, interval: 20 });

describe.skipIf(process.platform === 'win32')('a primary process that hangs', () => {
  it('is reported, keeps the queue, and is used again when it answers or replaced when it ends', async () => {
    const fixture = await startPrimary();
    const { child, clock } = fixture;
    const { client, workers, updates, opened } = page(fixture);
    const answering = { kind: 'elsewhere', pid: child.pid, answers: true };
    const silent = { ...answering, answers: false };
    await until(() => expect(workers.at(-1)).toEqual(answering));
    await addBatch(client, { source: { name: 'week.csv', content: 'title\nOne' } });
    await until(() => expect(updates.at(-1)?.summary.counts.queued).toBe(1));

    const { origin } = (await summaryOf(client)).service;
    child.kill('SIGSTOP');
    const pending = client.jobs.list({});
    // A message from before the process was stopped resets the count.
    await until(async () => {
      await clock.advance(SEVERAL_HEARTBEATS_MS);
      expect(workers.at(-1)).toEqual(silent);
    });
    await expect(client.queue.pause({ origin })).rejects.toMatchObject({
      data: { code: 'in-use', says: [{ sentence: 'primary-silent' }] },
    });
    expect(opened).toEqual([]);

    const before = updates.length;
    child.kill('SIGCONT');
    await until(() => expect(workers.at(-1)).toEqual(answering));
    expect(await pending).toMatchObject({ total: 1 });
    // Another update may follow the snapshot.
    await until(() => expect(updates.slice(before).some(({ relist }) => relist)).toBe(true));
    // The refused pause was not executed.
    expect(updates.at(-1)?.summary.flow.state).not.toBe('paused');
    await client.queue.pause({ origin });
    await until(() => expect(updates.at(-1)?.summary.flow.state).toBe('paused'));

    child.kill('SIGSTOP');
    await until(async () => {
      await clock.advance(SEVERAL_HEARTBEATS_MS);
      expect(workers.at(-1)).toEqual(silent);
    });
    child.kill('SIGKILL');
    await until(() => expect(workers.at(-1)).toEqual({ kind: 'here' }));
    expect(await client.jobs.list({})).toMatchObject({ total: 1 });
    expect(opened).toEqual([false]);
  });

  it('is reported to a page that opens meanwhile, and joined as soon as it answers', async () => {
    const fixture = await startPrimary();
    const { dataDir, child, clock } = fixture;
    child.kill('SIGSTOP');
    const { client, workers, opened } = page(fixture);
    const says = [{ sentence: 'primary-silent' }];
    await until(async () => {
      await clock.advance(SEVERAL_HEARTBEATS_MS);
      expect(workers.at(-1)).toMatchObject({ kind: 'none', failure: { says } });
    });
    const joining = expect(joinPrimary(dataDir, clock)).rejects.toThrow(PrimarySilentError);
    await until(() => expect(clock.sleeping).toBe(2));
    await clock.advance(SEVERAL_HEARTBEATS_MS);
    await joining;
    expect(opened).toEqual([]);

    child.kill('SIGCONT');
    await until(() => expect(workers.at(-1)).toMatchObject({ pid: child.pid, answers: true }));
    expect(await client.jobs.list({})).toMatchObject({ total: 0 });
  });
});
