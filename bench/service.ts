/**
 * Compares the status endpoint with a bare Fastify route: `npm run bench:service`.
 *
 * Each runs in a separate process, over TLS, and returns the same JSON. The service works as usual:
 * it looks the key up, counts the request in its database, reads the video, signs the link to its
 * poster and logs. Only its limit is too high to be reached. The two alternate in short rounds, and
 * each round's ratio is taken, since other programs disturb the measurements. Target: at least 0.5
 * of the bare route's requests per second.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { load, type LoadResult, type Target } from './service/load.ts';

const TARGET = 0.5;
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
const SECONDS = 0.75;
const ROUNDS = 20;

const service = path.join(import.meta.dirname, '..', 'src', 'local-service', 'main.ts');
const bare = path.join(import.meta.dirname, 'service', 'bare-fastify.ts');
const dataDir = mkdtempSync(path.join(tmpdir(), 'spool-bench-'));
const children: ChildProcess[] = [];

/** Starts a server and returns the first line that it prints. */
async function start(file: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

function command(...args: string[]): { key?: string } {
  const all = [service, ...args, '--account', 'bench@example.com', '--data-dir', dataDir];
  return JSON.parse(execFileSync(process.execPath, all, { encoding: 'utf8' })) as { key?: string };
}

/** Renders a video: the status of a finished one is the longest and takes the most work. */
async function makeVideo(
  url: string,
  ca: Buffer,
  headers: Record<string, string>,
): Promise<{ path: string; json: string }> {
  const dispatcher = new Agent({ connect: { ca } });
  const made = await request(`${url}/api/v1/video/generate`, {
    dispatcher,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Bench',
      resolution: 480,
      duration: 1,
      scenes: [{ kind: 'title', text: 'Bench' }],
    }),
  });
  const { id } = (await made.body.json()) as { id: string };
  for (;;) {
    const answer = await request(`${url}/api/v1/video/status/${id}`, { dispatcher, headers });
    const status = (await answer.body.json()) as { status: string };
    if (status.status === 'done') {
      await dispatcher.close();
      return { path: `/api/v1/video/status/${id}`, json: JSON.stringify(status) };
    }
    await delay(200);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function report(name: string, rounds: readonly LoadResult[]): void {
  const rate = median(rounds.map((round) => round.requestsPerSecond));
  const p99 = median(rounds.map((round) => round.p99));
  console.log(
    `${name.padEnd(14)} ${rate.toFixed(0).padStart(6)} requests/s   p99 ${p99.toFixed(1)} ms`,
  );
}

try {
  execFileSync(process.execPath, [
    service,
    'account',
    'add',
    '--email',
    'bench@example.com',
    '--plan',
    'free',
    '--data-dir',
    dataDir,
  ]);
  const { key = '' } = command('key', 'create', '--name', 'bench');
  const limit = ['--limit', 'status=1000000000/3600s'];
  const ready = await start(service, ['start', '--port', '0', '--data-dir', dataDir, ...limit]);
  const { url, caFile } = JSON.parse(ready) as { url: string; caFile: string };
  const headers = { 'x-api-key': key };
  const video = await makeVideo(url, readFileSync(caFile), headers);
  const folder = path.dirname(caFile);
  const barePort = await start(bare, [
    path.join(folder, 'server.pem'),
    path.join(folder, 'server-key.pem'),
    video.json,
  ]);

  const shared = { caFile, path: video.path, headers };
  const targets: Record<'service' | 'bare', Target> = {
    service: { ...shared, port: Number(new URL(url).port) },
    bare: { ...shared, port: Number(barePort) },
  };
  await load(targets.bare, CONNECTIONS, WARM_UP_SECONDS);
  await load(targets.service, CONNECTIONS, WARM_UP_SECONDS);
  const rounds: Record<'service' | 'bare', LoadResult>[] = [];
  while (rounds.length < ROUNDS) {
    rounds.push({
      bare: await load(targets.bare, CONNECTIONS, SECONDS),
      service: await load(targets.service, CONNECTIONS, SECONDS),
    });
  }
  report(
    'bare Fastify',
    rounds.map((round) => round.bare),
  );
  report(
    'service',
    rounds.map((round) => round.service),
  );
  const ratio = median(
    rounds.map(({ bare, service }) => service.requestsPerSecond / bare.requestsPerSecond),
  );
  console.log(`ratio          ${ratio.toFixed(2)}, median of ${ROUNDS} rounds (target ${TARGET})`);
  process.exitCode = ratio >= TARGET ? 0 : 1;
} finally {
  for (const child of children) child.kill();
  rmSync(dataDir, { recursive: true, force: true });
}
