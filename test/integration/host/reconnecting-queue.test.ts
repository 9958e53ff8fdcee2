import { summaryOf } from '../../../src/host/summary-of.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { os } from '@orpc/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import type { Settings } from '../../../src/contract/settings.ts';
import type { Update } from '../../../src/contract/summary.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import type { Worker } from '../../../src/contract/worker.ts';
import { DiskFullError, EngineError } from '../../../src/engine/engine-error.ts';
import { takeFolder } from '../../../src/engine/engine.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { headlessComputer, type Computer } from '../../../src/host/computer.ts';
import {
  ReconnectingQueue,
  type ReconnectingQueueParts,
} from '../../../src/host/reconnecting-queue.ts';
import { noLog } from '../../../src/host/log.ts';
import type { Router } from '../../../src/host/router.ts';
import { PrimarySilentError } from '../../../src/host/join-primary.ts';
import { openHost, type Host } from '../../../src/host/open-host.ts';
import { differenceOf } from '../../../src/host/primary-contract.ts';
import { openPrimaryEndpoint } from '../../../src/host/primary-endpoint.ts';
import { joinOrOpen, OtherSettingsError } from '../../../src/host/queue.ts';
import type { ServiceProcess } from '../../../src/host/service-program.ts';
import { receive } from '../../rigs/receive.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { fillDisk, smallDisk } from '../../rigs/small-disk.ts';
import { oneService } from '../../rigs/router-for.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const ORIGIN = 'https://service.invalid';

/** A data folder with a remote service that has no key, so that nothing is sent. */
function dataFolder(settings: Partial<Settings> = {}, parent = temporaryFolder()): string {
  const dataDir = path.join(parent, 'data');
  mkdirSync(dataDir);
  const document = { version: 1, service: { kind: 'remote', baseUrl: ORIGIN }, ...settings };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify(document));
  return dataDir;
}

function openOwn(dataDir: string, isApp = false): Promise<Host> {
  return openHost({
    dataDir,
    isApp,
    readOnlyIfFull: true,
    defaultFolder: path.join(dataDir, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: () => {
      throw new Error('There is no local service here.');
    },
  });
}

/** A host that acts as another process of the same user. */
async function openPrimary(dataDir: string): Promise<Host> {
  const host = await openOwn(dataDir);
  onTestFinished(() => host.close());
  return host;
}

function reconnecting(
  dataDir: string,
  changes: Partial<ReconnectingQueueParts> = {},
): ReconnectingQueue {
  const queue = new ReconnectingQueue({
    open: (isFirst) =>
      joinOrOpen({
        dataDir,
        checkPrimary: (other) => {
          const differs = differenceOf(other, { service: ORIGIN });
          if (differs !== null) throw new OtherSettingsError(other, differs);
        },
        openOwn: () => openOwn(dataDir, isFirst),
        clock: systemClock,
      }),
    computer: headlessComputer,
    log: noLog,
    onOpenError: () => undefined,
    sleep: pause,
    ...changes,
  });
  onTestFinished(() => queue.close());
  return queue;
}

/** A short retry interval. */
const shortPause = () => pause(5);

const add = (client: Client, ...titles: string[]) =>
  addBatch(client, {
    source: { name: 'week.csv', content: ['title', ...titles].join('\n') },
  });

const titles = async (client: Client): Promise<readonly string[]> =>
  (await client.jobs.list({})).jobs.map(({ title }) => title);

const HERE: Worker = { kind: 'here' };
const ELSEWHERE: Worker = { kind: 'elsewhere', pid: process.pid, answers: true };
const NONE: Worker = { kind: 'none', failure: null };

describe.skipIf(process.platform === 'win32')('a queue of another process', () => {
  it('is shown and controlled, and taken over in the same streams when that process ends', async () => {
    const dataDir = dataFolder();
    const first = await openPrimary(dataDir);
    await add(first.client, 'One');
    const { client } = reconnecting(dataDir);
    const updates = receive<Update>(client.watch({}));
    const workers = receive<Worker>(client.queue.worker());
    expect(await titles(client)).toEqual(['One']);
    await add(client, 'One', 'Two');
    const { origin } = (await summaryOf(client)).service;
    await client.queue.pause({ origin });
    await expect
      .poll(() => updates.at(-1)?.summary)
      .toMatchObject({
        counts: { queued: 2 },
        flow: { state: 'paused' },
      });
    expect(await titles(first.client)).toEqual(['One', 'Two']);
    expect(workers).toEqual([NONE, ELSEWHERE]);

    const before = updates.length;
    const closing = first.close();
    // A call in between waits for the next process that runs the queue.
    await expect.poll(() => workers.at(-1)?.kind).not.toBe('elsewhere');
    expect(await titles(client)).toEqual(['One', 'Two']);
    await closing;
    const snapshot = (): Update | undefined => updates.slice(before).find(({ relist }) => relist);
    await expect.poll(snapshot).toMatchObject({ summary: { counts: { queued: 2 } } });
    await expect.poll(() => workers).toEqual([NONE, ELSEWHERE, NONE, HERE]);
    await client.queue.resume({ origin });
    await expect.poll(() => updates.at(-1)?.summary.flow.state).not.toBe('paused');
  });

  it('keeps running when this process ends', async () => {
    const dataDir = dataFolder();
    const first = await openPrimary(dataDir);
    const queue = reconnecting(dataDir);
    const { client } = queue;
    const updates = receive<Update>(client.watch({}));
    await add(client, 'One');
    await expect.poll(() => updates.at(-1)?.summary.counts.queued).toBe(1);
    await queue.close();
    const received = updates.length;
    await add(first.client, 'One', 'Two');
    expect(await titles(first.client)).toEqual(['One', 'Two']);
    expect(updates).toHaveLength(received);
    await expect(titles(client)).rejects.toThrow();
  });

  it('stays running or paused when it is taken over, as that is no start of the app', async () => {
    const dataDir = dataFolder({ startUp: 'paused' });
    const first = await openPrimary(dataDir);
    const { client } = reconnecting(dataDir);
    const workers = receive<Worker>(client.queue.worker());
    const updates = receive<Update>(client.watch({}));
    await expect.poll(() => workers.at(-1)).toEqual(ELSEWHERE);
    await expect.poll(() => updates).not.toHaveLength(0);
    const before = updates.length;
    await first.close();
    await expect.poll(() => workers.at(-1)).toEqual(HERE);
    await expect.poll(() => updates.slice(before).some(({ relist }) => relist)).toBe(true);
    expect(updates.at(-1)?.summary.flow.state).not.toBe('paused');

    const other = dataFolder({ startUp: 'paused' });
    for await (const { summary } of await reconnecting(other).client.watch({})) {
      expect(summary.flow.state).toBe('paused');
      break;
    }
  });

  it('has the settings of the process that works it, and receives every change', async () => {
    const dataDir = dataFolder();
    const first = await openPrimary(dataDir);
    const { client } = reconnecting(dataDir);
    const views = receive(client.settings.watch());
    const closeToTray = () => views.map(({ settings }) => settings.closeToTray);
    await expect.poll(() => closeToTray()).toEqual([true]);
    await first.client.settings.set({ closeToTray: false });
    await expect.poll(() => closeToTray()).toEqual([true, false]);
    await first.close();
    await expect.poll(() => closeToTray()).toEqual([true, false, false]);
    await client.settings.set({ closeToTray: true });
    await expect.poll(() => closeToTray().at(-1)).toBe(true);
  });

  it('opens folders and the log of this process’s own computer', async () => {
    const dataDir = dataFolder();
    const first = await openPrimary(dataDir);
    mkdirSync(path.join(dataDir, 'videos'));
    const opened: string[] = [];
    const computer: Computer = {
      ...headlessComputer,
      abilities: { ...headlessComputer.abilities, open: true },
      open: (file) => {
        opened.push(file);
        return Promise.resolve();
      },
    };
    const { client } = reconnecting(dataDir, { computer, log: { recent: () => ['my own log'] } });
    await client.computer.openFolder({});
    expect(opened).toEqual([path.join(dataDir, 'videos')]);
    expect((await client.computer.diagnostics()).text).toContain('my own log');
    expect(await client.computer.abilities()).toMatchObject({ open: true });
    expect(await first.client.computer.abilities()).toMatchObject({ open: false });
    await expect(client.computer.openFile({ id: '4711' })).rejects.toMatchObject({
      data: { code: 'job-unknown' },
    });
  });

  it('fails a call that was running when that process ended, with advice to repeat it', async () => {
    const dataDir = dataFolder();
    const { router } = await openIdleEngine(temporaryFolder());
    const calls: string[] = [];
    const show = os.handler(() => {
      calls.push('show');
      return new Promise<never>(() => undefined);
    });
    const lock = await takeFolder(dataDir);
    const endpoint = await openPrimaryEndpoint({
      dataDir,
      ...oneService({ ...router, jobs: { ...router.jobs, show } } as object as Router, {
        service: ORIGIN,
      }),
      onDefect: () => undefined,
    });
    const { client } = reconnecting(dataDir);
    const shown = client.jobs.show({ id: '1' });
    await expect.poll(() => calls).toEqual(['show']);
    const rejection = expect(shown).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'not-possible-now', says: [{ sentence: 'primary-ended' }] },
    });
    await endpoint.close();
    lock.release();
    await rejection;
    expect(await titles(client)).toEqual([]);
    expect(calls).toEqual(['show']);
  });

  it('is distinguished from one of another service, which is reported and waited for', async () => {
    const dataDir = dataFolder();
    const { router } = await openIdleEngine(temporaryFolder());
    const lock = await takeFolder(dataDir);
    const endpoint = await openPrimaryEndpoint({
      dataDir,
      ...oneService(router, { pid: 4711, service: 'https://elsewhere.example' }),
      onDefect: () => undefined,
    });
    const connections = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'PipeWrap').length;
    const before = connections();
    let attempts = 0;
    const { client } = reconnecting(dataDir, {
      sleep: () => {
        attempts += 1;
        return shortPause();
      },
    });
    const workers = receive<Worker>(client.queue.worker());
    const why = { sentence: 'primary-of-other-service', values: { pid: 4711 } };
    const failure = { code: 'in-use', says: [why] };
    await expect(titles(client)).rejects.toMatchObject({ code: 'FAILED', data: failure });
    expect(workers.at(-1)).toMatchObject({ kind: 'none', failure });
    const updates = receive<Update>(client.watch({}));
    // Each attempt connects, and leaves no connection behind.
    await expect.poll(() => attempts).toBeGreaterThan(20);
    expect(connections() - before).toBeLessThan(10);
    await endpoint.close();
    lock.release();
    await expect.poll(() => workers.at(-1)).toEqual(HERE);
    await expect.poll(() => updates).toHaveLength(1);
    expect(workers.filter(({ kind }) => kind === 'none').length).toBeLessThanOrEqual(3);
  });

  it('is waited for while it does not answer, as one of another version', async () => {
    const dataDir = dataFolder();
    const lock = await takeFolder(dataDir);
    const queue = reconnecting(dataDir, { sleep: shortPause });
    const workers = receive<Worker>(queue.client.queue.worker());
    await expect.poll(() => workers.at(-1)).toMatchObject({ failure: { code: 'in-use' } });
    lock.release();
    await queue.opened;
    expect(await titles(queue.client)).toEqual([]);
  });
});

describe('a queue that cannot be opened', () => {
  it('fails at once when the app starts', async () => {
    const attempts: boolean[] = [];
    const queue = reconnecting(dataFolder(), {
      open: (isFirst) => {
        attempts.push(isFirst);
        return Promise.reject(
          new EngineError({ code: 'store-newer', ...userMessage('queue-newer') }),
        );
      },
    });
    await expect(queue.opened).rejects.toThrow('newer version of Spool');
    await expect(titles(queue.client)).rejects.toMatchObject({ data: { code: 'store-newer' } });
    expect(attempts).toEqual([true]);
  });

  it('has the latest reason, not an earlier one', async () => {
    const errors: Error[] = [new PrimarySilentError()];
    const queue = reconnecting(dataFolder(), {
      sleep: shortPause,
      open: () => Promise.reject(errors.shift() ?? new DiskFullError('/data', 5, 1)),
    });
    const workers = receive<Worker>(queue.client.queue.worker());
    await expect
      .poll(() => workers.at(-1))
      .toMatchObject({ kind: 'none', failure: { code: 'disk-full' } });
  });

  it('is abandoned when the app quits while the local service does not start', async () => {
    const dataDir = path.join(temporaryFolder(), 'data');
    const started = Promise.withResolvers<undefined>();
    const exited = Promise.withResolvers<null>();
    const silent: ServiceProcess = {
      errorOutput: () => '',
      exited: exited.promise,
      send: () => undefined,
      stop: () => undefined,
      kill: () => exited.resolve(null),
    };
    const queue = reconnecting(dataDir, {
      open: async (isApp, signal) =>
        joinOrOpen({
          dataDir,
          checkPrimary: () => undefined,
          openOwn: () =>
            openHost({
              dataDir,
              isApp,
              signal,
              defaultFolder: dataDir,
              keys: new MemoryKeyStore(),
              serviceProgram() {
                started.resolve(undefined);
                return silent;
              },
            }),
          clock: systemClock,
        }),
    });
    await started.promise;
    await queue.close();
    await expect(titles(queue.client)).rejects.toThrow();
    expect(await exited.promise).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('is retried if it was open before', async () => {
    const dataDir = dataFolder();
    const first = await openPrimary(dataDir);
    const troubles: unknown[] = [];
    let failures = 2;
    const queue = reconnecting(dataDir, {
      sleep: shortPause,
      onOpenError: (error) => troubles.push(error),
      open: (isFirst) =>
        joinOrOpen({
          dataDir,
          checkPrimary: () => undefined,
          openOwn: () =>
            (failures -= 1) >= 0
              ? Promise.reject(new EngineError({ code: 'disk-full', ...userMessage('disk-full') }))
              : openOwn(dataDir, isFirst),
          clock: systemClock,
        }),
    });
    await queue.opened;
    const workers = receive<Worker>(queue.client.queue.worker());
    await first.close();
    await expect.poll(() => workers.at(-1)).toEqual(HERE);
    expect(workers).toContainEqual({
      kind: 'none',
      failure: { code: 'disk-full', ...userMessage('disk-full') },
    });
    expect(troubles).toHaveLength(2);
    expect(await titles(queue.client)).toEqual([]);
  });
});

// abuse.md 50
describe('a queue on a full disk', () => {
  it('is shown with the needed space, and runs once there is some, in the same streams', async (context) => {
    const disk = await smallDisk(context, 64, 'ext4');
    const dataDir = dataFolder({}, disk);
    const first = await openOwn(dataDir);
    await add(first.client, 'One');
    await first.close();
    rmSync(path.join(dataDir, 'spool.reserve'));
    const release = fillDisk(disk);

    const { client } = reconnecting(dataDir);
    const updates = receive<Update>(client.watch({}));
    expect(await titles(client)).toEqual(['One']);
    await expect
      .poll(() => updates.at(-1)?.summary.flow)
      .toMatchObject({ state: 'blocked', failure: { code: 'disk-full' } });
    await expect(add(client, 'Two')).rejects.toMatchObject({ data: { code: 'disk-full' } });
    const { origin } = (await summaryOf(client)).service;
    await expect(client.queue.pause({ origin })).rejects.toMatchObject({
      data: { code: 'disk-full' },
    });

    release();
    await expect
      .poll(() => updates.at(-1)?.summary.flow)
      .toMatchObject({ failure: { code: 'key-missing' } });
    await add(client, 'Two');
    expect(await titles(client)).toEqual(['One', 'Two']);
  });

  it('is opened as soon as there is space if it cannot even be read', async (context) => {
    const disk = await smallDisk(context, 64, 'ext4');
    const dataDir = dataFolder({}, disk);
    const release = fillDisk(disk);
    const queue = reconnecting(dataDir, { sleep: shortPause });
    const workers = receive<Worker>(queue.client.queue.worker());
    const full = { kind: 'none', failure: { code: 'disk-full' } };
    await expect.poll(() => workers.at(-1)).toMatchObject(full);

    release();
    await expect.poll(() => workers.at(-1)).toEqual(HERE);
    await queue.opened;
  });
});
