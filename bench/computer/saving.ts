/**
 * What it takes to save the finished files of a service on this computer, one after another: as the
 * engine does it (a link, a download over TLS, all checks), and by a move within the disk with the
 * same checks of length, container and SHA-256, and the same syncs.
 */
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import { Agent, fetch } from 'undici';
import { Connections } from '../../src/engine/downloads/connections.ts';
import { DiskRoom } from '../../src/engine/downloads/disk.ts';
import { download } from '../../src/engine/downloads/download.ts';
import { PartLocks } from '../../src/engine/downloads/part-locks.ts';
import { moveIntoPlace } from '../../src/engine/downloads/place.ts';
import { verifyFile } from '../../src/engine/downloads/verify.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { defaultLimits } from '../../src/local-service/accounts/rate-limits.ts';
import { systemClock as serviceClock } from '../../src/local-service/clock.ts';
import { startService } from '../../src/local-service/server.ts';
import { openSqliteAccountStores } from '../../src/local-service/sqlite/sqlite-stores.ts';
import type { Renderer } from '../../src/local-service/videos/renderer.ts';

/** Milliseconds a file, as medians. */
export interface SavingTimes {
  readonly download: number;
  readonly move: number;
  readonly bytes: number;
}

interface FinishedFile {
  readonly id: string;
  readonly file: string;
  readonly sha256: string;
}

const NEVER = new AbortController().signal;

/**
 * @param files MP4 files of one kind, at least one
 * @param folder empty, for data that the caller deletes
 */
export async function measureSaving(
  files: readonly string[],
  folder: string,
): Promise<SavingTimes> {
  const dataDir = path.join(folder, 'service');
  await mkdir(dataDir, { recursive: true });
  const rest = [...files];
  const renderer: Renderer = {
    async render(task) {
      await copyFile(rest.shift() ?? '', task.videoPath);
      await copyFile(files[0] ?? '', task.posterPath);
    },
    close: () => Promise.resolve(),
  };
  const service = await startService({
    dataDir,
    host: '127.0.0.1',
    port: 0,
    window: 'fixed',
    limits: defaultLimits,
    clock: serviceClock,
    log: pino({ level: 'silent' }),
    renderer,
    frames: {
      draw: () => Promise.reject(new Error('No frames here.')),
      findUndrawable: () => Promise.resolve([]),
      checkLayouts: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    },
    workers: 1,
  });
  const ca = readFileSync(service.caFile ?? '', 'utf8');
  const agent = new Agent({ connect: { ca } });
  try {
    const key = await newKey(dataDir);
    const api = async (
      method: string,
      where: string,
      body?: object,
    ): Promise<Record<string, unknown>> => {
      const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(`${service.url}/api/v1/video/${where}`, {
        method,
        headers,
        dispatcher: agent,
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    const finished: FinishedFile[] = [];
    for (const [index] of files.entries()) {
      const scenes = [{ kind: 'title', text: `Row ${index}` }];
      const { id } = await api('POST', 'generate', { title: `Row ${index}`, scenes });
      while ((await api('GET', `status/${String(id)}`)).status !== 'done')
        await systemClock.sleep(20);
      const { sha256 } = await api('GET', `download/${String(id)}`);
      const file = path.join(dataDir, 'videos', String(id), '1.mp4');
      finished.push({ id: String(id), file, sha256: String(sha256) });
    }
    const connections = new Connections({ exceptions: [{ origin: service.url, ca }] });
    const deps = {
      clock: systemClock,
      random: Math.random,
      connections,
      room: new DiskRoom(),
      locks: new PartLocks(),
    };
    const downloads: number[] = [];
    const moves: number[] = [];
    // The first file of each is not counted: it opens connections and compiles code.
    for (const [index, { id, file, sha256 }] of finished.entries()) {
      const began = performance.now();
      const { downloadUrl: url } = await api('GET', `download/${id}`);
      const outcome = await download(
        {
          link: { url: String(url), expiresAt: null },
          video: id,
          target: path.join(folder, 'downloaded', `${index}.mp4`),
          onCollision: 'number',
          signal: NEVER,
          onProgress: () => undefined,
        },
        deps,
      );
      downloads.push(performance.now() - began);
      if (outcome.kind !== 'saved' || outcome.sha256 !== sha256)
        throw new Error(JSON.stringify(outcome));
      const moved = path.join(folder, 'moved', `${index}.mp4`);
      await mkdir(path.dirname(moved), { recursive: true });
      const start = performance.now();
      await move(file, moved, sha256);
      moves.push(performance.now() - start);
    }
    const { size } = await stat(files[0] ?? '');
    return { download: median(downloads.slice(1)), move: median(moves.slice(1)), bytes: size };
  } finally {
    await agent.close();
    await service.close();
  }
}

/** With every check that a download makes. */
async function move(from: string, to: string, sha256: string): Promise<void> {
  const found = await verifyFile(from, { sha256 }, NEVER);
  if (found.kind !== 'intact') throw new Error(`${from} is ${found.kind}.`);
  const file = await open(from, 'r+');
  await file.sync();
  await file.close();
  await moveIntoPlace(from, to, false, systemClock, NEVER);
}

async function newKey(dataDir: string): Promise<string> {
  const stores = openSqliteAccountStores(dataDir, serviceClock);
  try {
    const account = await stores.accounts.add({ email: 'bench@example.com', plan: 'unlimited' });
    return (await stores.keys.create(account, 'bench')).value;
  } finally {
    stores.close();
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
