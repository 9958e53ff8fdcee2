import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
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

const program = path.resolve('src/local-service/main.ts');

async function run(dataDir: string, ...args: string[]): Promise<Record<string, string>> {
  const all = [program, ...args, '--data-dir', dataDir];
  const { stdout } = await promisify(execFile)(process.execPath, all);
  return JSON.parse(stdout) as Record<string, string>;
}

interface Started {
  readonly child: ChildProcess;
  readonly client: Client;
}

/** The service as its own process, with its real renderer. */
async function start(dataDir: string, ...more: string[]): Promise<Started> {
  const args = [program, 'start', '--port', '0', '--data-dir', dataDir, '--log-level', 'error'];
  const child = spawn(process.execPath, [...args, ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, caFile } = JSON.parse(line.toString()) as { url: string; caFile: string };
  const client = new Client(url, caFile);
  onTestFinished(() => client.close());
  return { child, client };
}

/** Asks until `done` says so, as often as a patient person would. */
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
  // The second is long enough to be found at work, however seldom a busy machine lets one look.
  for (const seconds of [1, 20, 1]) {
    const made = await client.post('/api/v1/video/generate', film(seconds), headers);
    ids.push(String(made.json.id));
  }
  const [first, second, third] = ids as [string, string, string];
  const isBegun = (state: string): boolean => state !== 'queued' && state !== 'starting';
  expect(await until(() => stateOf(second), isBegun)).toBe('rendering');
  const finished = statSync(path.join(dataDir, 'videos', `${first}.mp4`));

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
  const untouched = statSync(path.join(dataDir, 'videos', `${first}.mp4`));
  expect([untouched.ino, untouched.mtimeMs]).toEqual([finished.ino, finished.mtimeMs]);
  const names = ids.flatMap((id) => [`${id}.jpg`, `${id}.mp4`]).sort();
  expect(readdirSync(path.join(dataDir, 'videos')).sort()).toEqual(names);
  const refused = await client.post('/api/v1/video/generate', film(1), headers);
  expect(refused.json.details).toMatchObject({ used: 3, limit: 3 });

  child.stdin!.end();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('with --exit-with-parent it ends by itself once its parent is gone', async () => {
  const { child } = await start(temporaryFolder(), '--exit-with-parent');
  // What the kernel does to the pipe of a parent that was killed.
  child.stdin!.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a second service on the same folder says so and leaves the first alone', async () => {
  const dataDir = temporaryFolder();
  const { client } = await start(dataDir);
  await expect(run(dataDir, 'start', '--port', '0')).rejects.toMatchObject({
    code: 1,
    stderr: `A service is running already on ${dataDir}.\n`,
  });
  expect((await client.ask('/api/v1/openapi.json')).status).toBe(200);
});

/** A service that died at a chosen point: its database says that this video was being rendered. */
async function interruptedOnce(): Promise<{
  rig: Rig;
  headers: Record<string, string>;
  id: string;
}> {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer });
  const headers = rig.signUp();
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

test('a video whose files were complete when the service died is taken as it is', async () => {
  const { rig, headers, id } = await interruptedOnce();
  const folder = path.join(rig.dataDir, 'videos');
  writeFileSync(path.join(folder, `${id}.jpg`), 'poster');
  writeFileSync(path.join(folder, `${id}.mp4`), seededBytes('Film', 5000));
  const renderer = new FakeRenderer();
  const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock, renderer });
  const status = await settled(next, headers, id);
  expect(status.json.status).toBe('done');
  expect(renderer.begun).toEqual([]);
});

test('a video of which only one file was complete is rendered again', async () => {
  const { rig, headers, id } = await interruptedOnce();
  writeFileSync(path.join(rig.dataDir, 'videos', `${id}.jpg`), 'poster');
  const renderer = new FakeRenderer();
  const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock, renderer });
  expect((await settled(next, headers, id)).json.status).toBe('done');
  expect(renderer.begun).toEqual(['Film']);
});

test('a video that takes the service down with it again and again is given up', async () => {
  const { rig, headers, id } = await interruptedOnce();
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
