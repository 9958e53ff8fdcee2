import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { PartFile, readRecord } from '../../../../src/engine/downloads/part-file.ts';
import { FaultServer, honest } from '../../../rigs/fault-server.ts';
import { seededVideo, sha256 } from '../../../rigs/seeded-video.ts';

const SERIES = 20;
const KILLS_IN_A_SERIES = 10;
const LANES = 3;
/** Long enough for most of a file to arrive, short enough to come before its end. */
const LONGEST_LIFE_MS = 60;

const film = seededVideo(7, 8 * 1024 * 1024 + 4321);
const child = path.join(import.meta.dirname, '../../../rigs/download-child.ts');

/** Small and seeded, so that a failing run can be had again (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What lies on the disk after a kill, which must never promise more than there is. */
async function inspect(target: string): Promise<void> {
  const record = await readRecord(target);
  const part = await readFile(PartFile.pathFor(target)).catch(() => undefined);
  if (record && part) {
    expect(record.offset).toBeLessThanOrEqual(part.length);
    const prefix = createHash('sha256').update(part.subarray(0, record.offset)).digest('hex');
    expect(prefix).toBe(record.prefixSha256);
    expect(part.subarray(0, record.offset).equals(film.bytes.subarray(0, record.offset))).toBe(
      true,
    );
  }
  const saved = await readFile(target).catch(() => undefined);
  if (saved) expect(sha256(saved)).toBe(film.sha256);
}

it(
  `a download that is killed ${SERIES * KILLS_IN_A_SERIES} times at any byte is resumed, and ends with the right file (fault 31)`,
  { timeout: 240_000 },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-killed-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    let kills = 0;
    let resumed = 0;

    async function live(target: string, random: () => number, dies: boolean): Promise<string> {
      const server = await FaultServer.start((request) => {
        if (request.from > 0) resumed += 1;
        return {
          ...honest({ bytes: film.bytes, etag: '"film"' }, request),
          hold: async () => {
            if (!dies) return;
            await delay(random() * LONGEST_LIFE_MS);
            running.kill('SIGKILL');
          },
        };
      });
      const running = spawn(process.execPath, [child, server.url(), target], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      running.stdout.on('data', (data: Buffer) => (output += data.toString()));
      await once(running, 'close');
      if (running.signalCode === 'SIGKILL') kills += 1;
      await server.stop();
      return output;
    }

    async function series(number: number): Promise<void> {
      const random = seededRandom(number);
      const target = path.join(folder, `${number}`, 'film.mp4');
      const before = kills;
      for (let life = 0; life < KILLS_IN_A_SERIES * 2; life += 1) {
        await live(target, random, true);
        await inspect(target);
        if (await stat(target).catch(() => undefined)) {
          // A kill may also come between the move and the tidying up, or after it.
          const again = JSON.parse(await live(target, random, false)) as { path: string };
          await inspect(again.path);
          await rm(path.dirname(target), { recursive: true });
        }
      }
      expect(kills - before).toBeGreaterThan(0);
      expect(JSON.parse(await live(target, random, false))).toMatchObject({
        kind: 'saved',
        path: target,
        sha256: film.sha256,
      });
      expect(await readdir(path.dirname(target))).toEqual(['film.mp4']);
      await inspect(target);
    }

    const numbers = Array.from({ length: SERIES }, (_, number) => number);
    const lane = async (): Promise<void> => {
      for (let next = numbers.shift(); next !== undefined; next = numbers.shift()) {
        await series(next);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(kills).toBeGreaterThanOrEqual(SERIES * KILLS_IN_A_SERIES);
    // A life often ends before its first byte is safe; most series have one that does not.
    expect(resumed).toBeGreaterThan(SERIES / 2);
  },
);
