/**
 * What goes wrong in a batch on This computer's account without limits, with the real service: it
 * affects only the videos that it must.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../../src/contract/job.ts';
import type { Flow } from '../../../src/contract/summary.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { openHost, type Host } from '../../../src/host/open-host.ts';
import { localFolder } from '../../../src/host/service-link.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { processes } from '../../rigs/processes.ts';
import { fillDisk, smallDisk } from '../../rigs/small-disk.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A batch under way, with what the service stores about it. */
class Batch {
  readonly #host: Host;
  readonly #folder: string;

  private constructor(host: Host, folder: string) {
    this.#host = host;
    this.#folder = folder;
  }

  /** @param rows title, seconds and resolution of each */
  static async start(dataDir: string, rows: readonly string[]): Promise<Batch> {
    const host = await openHost({
      dataDir,
      defaultFolder: path.join(dataDir, 'renders'),
      keys: new MemoryKeyStore(),
      serviceProgram: builtService,
      service: { kind: 'local', plan: 'unlimited' },
    });
    onTestFinished(() => host.close());
    const table = ['title,seconds,resolution', ...rows].join('\n').replaceAll('\n', ',none,1:1\n');
    const source = {
      name: 'Batch.csv',
      content: `${table.replace('none,1:1', 'soundtrack,aspect')},none,1:1`,
    };
    const { origin } = await host.client.batches.plan({ source, options: {} });
    await host.client.batches.add({ origin, source, options: {} });
    return new Batch(host, localFolder(dataDir));
  }

  async job(title: string): Promise<Job> {
    const { jobs } = await this.#host.client.jobs.list({ offset: 0, limit: 100 });
    return jobs.find((job) => job.title === title)!;
  }

  async states(): Promise<Record<string, string>> {
    const { jobs } = await this.#host.client.jobs.list({ offset: 0, limit: 100 });
    return Object.fromEntries(jobs.map(({ title, state }) => [title, state]));
  }

  /** Waits until each of these videos is in this state. */
  async until(states: Record<string, string>): Promise<void> {
    await expect.poll(() => this.states(), { timeout: 150_000 }).toMatchObject(states);
  }

  /** What the queue says of itself. */
  async flow(): Promise<Flow> {
    for await (const { summary } of await this.#host.client.watch({})) return summary.flow;
    throw new Error('The queue was closed.');
  }

  /** The process that runs the service. */
  get service(): number {
    const all = processes().filter(({ command }) => command.includes(` start `));
    return all.find(({ command }) => command.includes(this.#folder))!.pid;
  }

  /** The process that renders this video; undefined while none writes its file. */
  async rendererOf(title: string): Promise<number | undefined> {
    const { remoteId } = await this.job(title);
    if (remoteId === null) return undefined;
    const { service } = this;
    const own = processes().filter(({ parent }) => parent === service);
    return own.find(({ pid }) => writes(pid, `.rendering/${remoteId}.mp4`))?.pid;
  }

  /** Of each video that the service accepted, in that order. */
  attempts(): readonly { title: unknown; state: unknown; attempt: unknown }[] {
    const file = path.join(this.#folder, 'service.sqlite');
    using database = new DatabaseSync(file, { readOnly: true });
    const sql = "SELECT storyboard ->> 'title' AS title, state, attempt FROM video ORDER BY seq";
    return database.prepare(sql).all() as unknown as ReturnType<Batch['attempts']>;
  }
}

function writes(pid: number, name: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => readlinkSync(path.join(folder, fd)).includes(name));
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

const MIB = 1024 * 1024;

/** Renders for longer than the rest of its batch. */
const LONG = '600,480';

/** Nearly the most at this resolution. */
const HUGE = '130,2160';

test('one that crashes, one that is huge and a killed service affect no other video', async () => {
  const batch = await Batch.start(temporaryFolder(), [
    'One,1,480',
    `Crashes,${LONG}`,
    `Huge,${HUGE}`,
    ...['Two', 'Three', 'Four', 'Five'].map((title) => `${title},2,480`),
  ]);

  await expect.poll(() => batch.rendererOf('Crashes')).toBeDefined();
  process.kill((await batch.rendererOf('Crashes'))!, 'SIGSEGV');
  await batch.until({ Crashes: 'failed', One: 'done', Two: 'done' });
  expect((await batch.job('Crashes')).failure?.detail).toMatch(/crashed on this video/);
  expect((await batch.job('Huge')).state).toBe('rendering');

  await expect.poll(() => batch.rendererOf('Huge')).toBeDefined();
  const { service } = batch;
  process.kill(service, 'SIGSTOP');
  const before = batch.attempts();
  process.kill(service, 'SIGKILL');
  await batch.until({ Three: 'done', Four: 'done', Five: 'done', Huge: 'rendering' });
  await expect.poll(() => batch.rendererOf('Huge')).toBeDefined();

  const rendering = before.filter(({ state }) => state === 'rendering').map(({ title }) => title);
  const after = batch.attempts();
  const sent = ['One', 'Crashes', 'Huge', 'Two', 'Three', 'Four', 'Five'];
  expect(after.map(({ title }) => title)).toEqual(sent);
  const repeated = after.filter(({ attempt }) => attempt !== 1);
  expect(repeated).toContainEqual({ title: 'Huge', state: 'rendering', attempt: 2 });
  // One of which the file was complete is not rendered again.
  expect(repeated.filter(({ title }) => !rendering.includes(title))).toEqual([]);
});

// abuse.md 50
test('a batch on a disk that another program fills waits, says so, and resumes', async (context) => {
  const disk = await smallDisk(context, 512, 'ext4');
  const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  const rows = titles.map((title) => `${title},${title === 'Two' ? 60 : 20},480`);
  const batch = await Batch.start(path.join(disk, 'data'), rows);
  await expect.poll(() => batch.rendererOf('Two')).toBeDefined();
  // What is being rendered fits. Neither a further render nor a download does.
  const release = fillDisk(disk, 48 * MIB);
  const started = batch.attempts().filter(({ attempt }) => attempt === 1);
  await batch.until({ Two: 'ready' });
  const full = { state: 'blocked', failure: { code: 'disk-full' } };
  await expect.poll(() => batch.flow()).toMatchObject(full);
  const waits = { failure: null, wait: { reason: 'disk-full' } };
  await expect.poll(() => batch.job('Two')).toMatchObject(waits);
  expect(batch.attempts().filter(({ attempt }) => attempt === 1)).toHaveLength(started.length);

  release();
  await batch.until(Object.fromEntries(titles.map((title) => [title, 'done'])));
  expect(batch.attempts()).toMatchObject(titles.map((title) => ({ title, attempt: 1 })));
});
