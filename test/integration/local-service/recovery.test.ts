import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { builtService } from '../../rigs/built-programs.ts';
import type { NewBlob, StoredBlob } from '../../../src/local-service/storage/blobs.ts';
import { FolderBlobs } from '../../../src/local-service/storage/folder-blobs.ts';
import { processes } from '../../rigs/processes.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import {
  Client,
  FakeRenderer,
  type Rig,
  seededBytes,
  settled,
  startRig,
  storyboard,
} from './rig.ts';
import { run, start } from './service-process.ts';

/** Polls until `done`, in short intervals. */
async function until(
  ask: () => Promise<string>,
  done: (state: string) => boolean,
): Promise<string> {
  for (;;) {
    const state = await ask();
    if (done(state)) return state;
    await delay(50);
  }
}

test('a service killed while it renders loses nothing and renders nothing twice', async () => {
  const dataDir = temporaryFolder();
  await run(dataDir, 'account', 'add', '--email', 'a@example.com', '--plan', 'free');
  const { key } = await run(dataDir, 'key', 'create', '--account', 'a@example.com', '--name', 'k');
  const headers = { 'x-api-key': key! };
  const roomy = ['--limit', 'status=100000/60s'];
  const film = (seconds: number): object => ({
    ...storyboard(),
    resolution: 480,
    fps: 24,
    duration: seconds,
    soundtrack: 'none',
  });

  let { child, client } = await start(dataDir, ...roomy);
  const stateOf = async (id: string): Promise<string> => {
    const { json } = await client.ask(`/api/v1/video/status/${id}`, { headers });
    return json.status === 'rendering' && json.progress === 0 ? 'starting' : String(json.status);
  };
  const ids: string[] = [];
  // The second one renders long enough to be observed on a busy machine.
  for (const seconds of [1, 20, 1]) {
    const made = await client.post('/api/v1/video/generate', film(seconds), headers);
    ids.push(String(made.json.id));
  }
  const [first, second, third] = ids as [string, string, string];
  const isBegun = (state: string): boolean => state !== 'queued' && state !== 'starting';
  // Beside the second one, where several are rendered at a time.
  await until(
    () => stateOf(first),
    (state) => state === 'done',
  );
  expect(await until(() => stateOf(second), isBegun)).toBe('rendering');
  const finished = statSync(path.join(dataDir, 'videos', first, '1.mp4'));

  child.kill('SIGKILL');
  await once(child, 'exit');
  ({ child, client } = await start(dataDir, ...roomy));
  for (const id of [second, third]) {
    expect(
      await until(
        () => stateOf(id),
        (state) => state === 'done' || state === 'failed',
      ),
    ).toBe('done');
  }
  const untouched = statSync(path.join(dataDir, 'videos', first, '1.mp4'));
  expect([untouched.ino, untouched.mtimeMs]).toEqual([finished.ino, finished.mtimeMs]);
  const videos = path.join(dataDir, 'videos');
  expect(readdirSync(videos).sort()).toEqual(['.rendering', ...ids].sort());
  expect(readdirSync(path.join(videos, '.rendering'))).toEqual([]);
  for (const id of ids) {
    // Of one attempt: the first, or the second of a video that the kill interrupted.
    expect(readdirSync(path.join(videos, id)).sort().join(' ')).toMatch(/^([12])\.jpg \1\.mp4$/);
  }
  const refused = await client.post('/api/v1/video/generate', film(1), headers);
  expect(refused.json.details).toMatchObject({ used: 3, limit: 3 });

  child.stdin!.end();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** Requests a video. Returns a function that reads its state. */
async function generate(
  client: Client,
  headers: Record<string, string>,
  seconds: number,
): Promise<() => Promise<string>> {
  const film = { ...storyboard(), resolution: 480, duration: seconds };
  const { json } = await client.post('/api/v1/video/generate', film, headers);
  const target = `/api/v1/video/status/${String(json.id)}`;
  return async () => String((await client.ask(target, { headers })).json.status);
}

async function keyIn(dataDir: string): Promise<{ 'x-api-key': string }> {
  await run(dataDir, 'account', 'add', '--email', 'a@example.com', '--plan', 'starter');
  const { key } = await run(dataDir, 'key', 'create', '--account', 'a@example.com', '--name', 'k');
  return { 'x-api-key': key! };
}

test('a service that is killed leaves no renderer behind', async () => {
  const dataDir = temporaryFolder();
  const headers = await keyIn(dataDir);
  const { child, client } = await start(dataDir, '--limit', 'status=100000/60s');
  const state = await generate(client, headers, 60);
  expect(await until(state, (now) => now === 'rendering')).toBe('rendering');
  const renderers = () => processes().filter(({ parent }) => parent === child.pid);
  await expect.poll(() => renderers().length).toBeGreaterThan(0);
  const begun = renderers();
  child.kill('SIGKILL');
  await expect.poll(() => begun.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([]);
});

test('a service that Spool starts takes little memory, also after it has rendered', async () => {
  const dataDir = temporaryFolder();
  const headers = await keyIn(dataDir);
  const ready = Promise.withResolvers<string>();
  const options = ['--port', '0', '--data-dir', dataDir, '--limit', 'status=100000/60s'];
  const program = builtService;
  const service = program(['start', ...options], 'companion', ready.resolve);
  onTestFinished(() => {
    service.stop();
    return service.exited.then(() => undefined);
  });
  const { url, caFile } = JSON.parse(await ready.promise) as { url: string; caFile: string };
  const client = new Client(url, caFile);
  onTestFinished(() => client.close());
  for (let video = 0; video < 6; video += 1) {
    const state = await generate(client, headers, 1);
    expect(await until(state, (now) => now === 'done' || now === 'failed')).toBe('done');
  }
  const own = processes().filter(({ command }) => command.includes(dataDir));
  expect(own).toHaveLength(1);
  const status = readFileSync(`/proc/${own[0]!.pid}/status`, 'utf8');
  expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(150_000);
});

test('with --exit-with-parent a service ends once its parent is gone', async () => {
  const { child } = await start(temporaryFolder(), '--exit-with-parent');
  // What the kernel does to the pipe of a parent that was killed.
  child.stdin!.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a second service on the same folder is refused and does not affect the first', async () => {
  const dataDir = temporaryFolder();
  const { client } = await start(dataDir);
  await expect(run(dataDir, 'start', '--port', '0')).rejects.toMatchObject({
    code: 1,
    stderr: `A service is running already on ${dataDir}.\n`,
  });
  expect((await client.ask('/api/v1/openapi.json')).status).toBe(200);
});

/** Stops a service and marks its video as `rendering`, as after a crash. */
async function interruptedRender(): Promise<{
  rig: Rig;
  headers: Record<string, string>;
  id: string;
}> {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer });
  const headers = await rig.signUp();
  const made = await rig.client.post('/api/v1/video/generate', storyboard('Film'), headers);
  await renderer.next();
  await rig.stop();
  edit(rig, "UPDATE video SET state = 'rendering'");
  return { rig, headers, id: String(made.json.id) };
}

function edit(rig: Rig, sql: string): void {
  const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
  database.exec(sql);
  database.close();
}

test.each([
  ['rendered', (id: string) => [`.rendering/${id}.jpg`, `.rendering/${id}.mp4`]],
  ['stored in part', (id: string) => [`${id}/1.jpg`, `.rendering/${id}.mp4`]],
  ['stored', (id: string) => [`${id}/1.jpg`, `${id}/1.mp4`]],
])('a video that was %s when the service died is accepted unchanged', async (_when, namesOf) => {
  const { rig, headers, id } = await interruptedRender();
  const folder = path.join(rig.dataDir, 'videos');
  mkdirSync(path.join(folder, id));
  const [poster, video] = namesOf(id) as [string, string];
  writeFileSync(path.join(folder, poster), 'poster');
  writeFileSync(path.join(folder, video), seededBytes('Film', 5000));
  const renderer = new FakeRenderer();
  const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock, renderer });
  const status = await settled(next, headers, id);
  expect(status.json.status).toBe('done');
  expect(renderer.begun).toEqual([]);
  const link = await next.client.ask(`/api/v1/video/download/${id}`, { headers });
  const file = await next.client.ask(String(link.json.downloadUrl));
  expect(file.bytes).toEqual(seededBytes('Film', 5000));
  expect((await next.client.ask(String(status.json.posterUrl))).bytes.toString()).toBe('poster');
});

test('unfinished files of a killed service are deleted at the start', async () => {
  const { rig } = await interruptedRender();
  const folder = path.join(rig.dataDir, 'videos');
  const other = `vid_${'A'.repeat(22)}`;
  for (const name of [
    `${other}.mp4.part`,
    `.rendering/${other}.mp4.part`,
    `.rendering/${other}.jpg`,
  ]) {
    writeFileSync(path.join(folder, name), 'part');
  }
  writeFileSync(path.join(folder, `${other}.mp4`), 'a file of another program');
  const renderer = new FakeRenderer('by-hand');
  await startRig({ dataDir: rig.dataDir, clock: rig.clock, renderer });
  expect(readdirSync(folder).sort()).toEqual(['.rendering', `${other}.mp4`]);
  expect(readdirSync(path.join(folder, '.rendering'))).toEqual([]);
});

test('a video of which only one file was complete is rendered again', async () => {
  const { rig, headers, id } = await interruptedRender();
  writeFileSync(path.join(rig.dataDir, 'videos', '.rendering', `${id}.jpg`), 'poster');
  const renderer = new FakeRenderer();
  const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock, renderer });
  expect((await settled(next, headers, id)).json.status).toBe('done');
  expect(renderer.begun).toEqual(['Film']);
});

test('a video that repeatedly crashes the service fails', async () => {
  const { rig, headers, id } = await interruptedRender();
  edit(rig, 'UPDATE video SET interruptions = 10');
  const renderer = new FakeRenderer();
  const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock, renderer });
  const status = await settled(next, headers, id);
  expect(status.json).toMatchObject({
    status: 'failed',
    error: 'Rendering was interrupted too often.',
  });
  expect(renderer.begun).toEqual([]);
});

/** A folder whose `put` waits for `release`, like a store that does not answer. */
class SilentBlobs extends FolderBlobs {
  readonly #released = Promise.withResolvers<undefined>();
  /** The keys of each waiting call. */
  readonly waiting: string[] = [];

  override async put(
    blobs: readonly NewBlob[],
    signal?: AbortSignal,
  ): Promise<readonly StoredBlob[]> {
    this.waiting.push(blobs.map(({ key }) => key).join());
    const stopped = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
    await Promise.race([this.#released.promise, stopped]);
    return super.put(blobs, signal);
  }

  release(): void {
    this.#released.resolve(undefined);
  }
}

test('a silent store delays the start by two seconds, however many videos were rendered', async () => {
  const renderer = new FakeRenderer('by-hand');
  const files = temporaryFolder();
  const blobs = (): SilentBlobs => new SilentBlobs(files);
  const rig = await startRig({ renderer, workers: 2, blobs: blobs() });
  const { clock, dataDir } = rig;
  const headers = await rig.signUp();
  const ids: string[] = [];
  for (const title of ['One', 'Two']) {
    const made = await rig.client.post('/api/v1/video/generate', storyboard(title), headers);
    ids.push(String(made.json.id));
    await renderer.next();
  }
  await rig.stop();
  edit(rig, "UPDATE video SET state = 'rendering'");
  for (const id of ids) {
    for (const name of ['jpg', 'mp4']) {
      writeFileSync(path.join(dataDir, 'videos', '.rendering', `${id}.${name}`), id);
    }
  }

  const start = async (silent: SilentBlobs): Promise<Rig> => {
    const starting = startRig({ dataDir, clock, renderer, blobs: silent });
    await expect.poll(() => silent.waiting.length).toBe(2);
    clock.advance(2000);
    return starting;
  };
  const stopped = await start(blobs());
  await stopped.stop();

  const silent = blobs();
  const next = await start(silent);
  const { json } = await next.client.ask(`/api/v1/video/status/${ids[0]!}`, { headers });
  expect(json.status).toBe('rendering');
  silent.release();
  for (const id of ids) expect((await settled(next, headers, id)).json.status).toBe('done');
  expect(renderer.begun).toEqual(['One', 'Two']);
});
