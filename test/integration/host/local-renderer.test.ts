/** What the real service on this computer renders while the queue is paused or uses less power. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { openHost, type Host, type HostOptions } from '../../../src/host/open-host.ts';
import { localFolder } from '../../../src/host/service-link.ts';
import { summaryOf } from '../../../src/host/summary-of.ts';
import type { ServiceProgram } from '../../../src/host/service-program.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** Renders on a busy machine take some seconds. */
const WITHIN = { timeout: 60_000 };

async function open(dataDir: string, options: Partial<HostOptions> = {}): Promise<Host> {
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(dataDir, 'renders'),
    keys: new MemoryKeyStore(),
    serviceProgram: builtService,
    service: { kind: 'local', plan: 'unlimited' },
    ...options,
  });
  onTestFinished(() => host.close());
  return host;
}

/** How many videos the service has in each state. */
function statesAtService(dataDir: string): Readonly<Record<string, number>> {
  using database = new DatabaseSync(path.join(localFolder(dataDir), 'service.sqlite'));
  const rows = database.prepare('SELECT state, count(*) AS n FROM video GROUP BY state').all();
  return Object.fromEntries(rows.map(({ state, n }) => [String(state), Number(n)]));
}

it('starts no video while everything is paused, also after a restart', async () => {
  const dataDir = temporaryFolder();
  const first = await open(dataDir);
  const { origin } = (await summaryOf(first.client)).service;
  const rows = Array.from({ length: 12 }, (_, row) => `Row ${row},8,480`);
  const content = ['title,seconds,resolution', ...rows].join('\n');
  const source = { name: 'Here.csv', content };
  await first.client.batches.add({ origin, source, options: {} });
  // Two are being rendered, and two more wait at the service: soon after the first two were begun,
  // so that none of those that wait is begun before the pause.
  const counts = (state: string): number => statesAtService(dataDir)[state] ?? 0;
  await expect.poll(() => Math.min(counts('rendering'), counts('queued')), WITHIN).toBe(2);
  await first.client.queue.pause({ origin, what: 'everything' });
  await expect.poll(() => counts('rendering'), WITHIN).toBe(0);
  const waiting = counts('queued');
  expect(waiting).toBeGreaterThan(0);
  await first.close();

  const second = await open(dataDir);
  expect(counts('queued')).toBe(waiting);
  await second.client.queue.resume({ origin });
  await expect.poll(() => counts('queued') + counts('rendering'), WITHIN).toBe(0);
});

it('renders half as many at a time with less power', async () => {
  const local = new ScriptedProgram();
  local.limits = {};
  const told: unknown[] = [];
  const serviceProgram: ServiceProgram = (args, ...rest) => ({
    ...local.program(args, ...rest),
    send: (line) => told.push(JSON.parse(line)),
  });
  const host = await open(temporaryFolder(), { serviceProgram, isOnBattery: () => true });
  await expect.poll(() => told.at(-1)).toEqual({ rendersAtOnce: 1 });
  await host.client.settings.set({ lessPower: 'never' });
  expect(told.at(-1)).toEqual({ rendersAtOnce: 2 });
  await host.client.settings.set({ lessPower: 'always' });
  expect(told.at(-1)).toEqual({ rendersAtOnce: 1 });
  expect(told[0]).toEqual({ rendersAtOnce: 0 });
});
