import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine, type TestEngine } from '../../rigs/open-engine.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { localPort } from '../../../src/host/local-port.ts';
import { LocalService } from '../../../src/host/local-service.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** An engine with the real local service, as on a user's computer. */
async function openWithLocalService(
  folder: string,
): Promise<{ engine: TestEngine; origin: string }> {
  const local = new LocalService(builtService, folder);
  const port = await localPort(folder);
  const account = await local.account('starter');
  const running = await local.start(port);
  // It renders nothing until it is told how much.
  running.renderAtOnce(1);
  onTestFinished(() => running.stop());
  const { origin, host } = new URL(running.url);
  const keys = new MemoryKeyStore();
  await keys.set(origin, await local.newKey(account));
  const engine = await openEngine({
    dataDir: path.join(folder, 'engine'),
    service: { name: 'this', baseUrl: origin, ca: running.ca, allowedDownloadOrigin: host },
    plan: { name: 'starter', anchor: Date.parse(account.quota.countedFrom) },
    defaultFolder: path.join(folder, 'renders'),
    keys,
    clock: systemClock,
    random: Math.random,
  });
  onTestFinished(() => engine.close());
  return { engine, origin };
}

test('a batch renders on the real local service, from a file to files', async () => {
  const { engine, origin } = await openWithLocalService(temporaryFolder());
  const rows = [
    'title,seconds,resolution,soundtrack',
    'Hello there,2,480,none',
    'And: good/bye?,2,480,none',
  ];
  const source = { name: 'Greetings.csv', content: rows.join('\n') };

  const { batchId } = await engine.commands.batches.add({ origin, source, options: {} });
  for await (const { summary } of engine.watch(undefined, new AbortController().signal)) {
    if (summary.counts.done + summary.counts.failed === 2) break;
  }

  const { jobs } = await engine.commands.jobs.list({ batchId, offset: 0, limit: 10 });
  expect(jobs.map(({ state, failure }) => [state, failure])).toEqual([
    ['done', null],
    ['done', null],
  ]);
  expect(jobs.map(({ file }) => path.basename(file?.path ?? ''))).toEqual([
    '1 Hello there.mp4',
    '2 And_ good_bye_.mp4',
  ]);
  for (const { file } of jobs) {
    expect(statSync(file?.path ?? '').size).toBe(file?.bytes);
    expect(file?.durationSeconds).toBeGreaterThan(1);
  }
  const again = await engine.commands.batches.add({ origin, source, options: {} });
  expect(again).toMatchObject({ submitted: 0, downloadedAgain: 0, alreadyThere: 2 });
});
