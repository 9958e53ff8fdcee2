/** A data folder that was copied while its Spool runs: each of the two is commanded alone. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { joinPrimary } from '../../../src/host/join-primary.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { summaryOf } from '../../../src/host/summary-of.ts';
import { addBatch } from '../../rigs/add-batch.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const SERVICE = { kind: 'remote', baseUrl: 'https://service.invalid' } as const;

/** A Spool that runs a queue of three videos, and a copy of its data folder. */
async function runningAndCopy() {
  const folder = temporaryFolder();
  const dataDir = path.join(folder, 'data');
  const copy = path.join(folder, 'copy');
  const running = await openHost({
    dataDir,
    service: { ...SERVICE, ca: undefined, plan: { name: 'starter', anchor: 0 } },
    defaultFolder: path.join(folder, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: () => expect.unreachable(),
  });
  onTestFinished(() => running.close());
  const source = { name: 'week.csv', content: 'title\nOne\nTwo\nThree' };
  await addBatch(running.client, { source });
  const settings = JSON.stringify({ version: 1, service: SERVICE });
  writeFileSync(path.join(dataDir, 'settings.json'), settings);
  execFileSync('cp', ['-a', dataDir, copy]);
  const spoolOnCopy = (...args: string[]) =>
    spoolHere([...args, '--data-dir', copy], { cwd: folder });
  return { folder, dataDir, copy, running, spoolOnCopy };
}

const counts = async ({ client }: Awaited<ReturnType<typeof runningAndCopy>>['running']) =>
  (await summaryOf(client)).counts;

/** The process id of the primary process that is found, if there is one. */
async function primaryOf(dataDir: string): Promise<number | undefined> {
  const joined = await joinPrimary(dataDir, systemClock);
  joined?.close();
  return joined?.primary.pid;
}

describe.skipIf(process.platform === 'win32')('a copy of a data folder that is in use', () => {
  it('is changed by its commands, and the original is not', async () => {
    const { running, spoolOnCopy } = await runningAndCopy();

    const cancelled = await spoolOnCopy('jobs', 'cancel', '--all');

    expect(cancelled).toMatchObject({ code: 0 });
    expect(await counts(running)).toMatchObject({ queued: 3, cancelled: 0 });
    const listed = await spoolOnCopy('jobs', 'list', '--json');
    expect(listed.stdout.match(/"state":"cancelled"/g)).toHaveLength(3);
  });

  it('gets the rows that are added to it', async () => {
    const { folder, running, spoolOnCopy } = await runningAndCopy();
    writeFileSync(path.join(folder, 'more.csv'), 'title\nFour');

    const added = await spoolOnCopy('run', 'more.csv');

    expect(added).toMatchObject({ code: 5 });
    expect(added.stdout).not.toContain('Another Spool');
    expect(await counts(running)).toMatchObject({ queued: 3 });
  });

  it('is refused by the process of the original, whatever its address says', async () => {
    const { dataDir, copy } = await runningAndCopy();
    expect(await primaryOf(copy)).toBeUndefined();
    expect(await primaryOf(dataDir)).toBe(process.pid);

    // The address of the original, published for the copy.
    const published = (folder: string) => path.join(folder, 'endpoint', 'address');
    const other = await openHost({
      dataDir: copy,
      defaultFolder: copy,
      keys: new MemoryKeyStore(),
      serviceProgram: () => expect.unreachable(),
    });
    onTestFinished(() => other.close());
    const [address] = readFileSync(published(dataDir), 'utf8').split('\n');
    const [, ofCopy] = readFileSync(published(copy), 'utf8').split('\n');
    writeFileSync(published(copy), `${address}\n${ofCopy}\n`);
    expect(await primaryOf(copy)).toBeUndefined();
  });
});
