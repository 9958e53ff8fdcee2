/** Damages or replaces the data folder of an engine that was killed after it had sent requests. */
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import { World } from './world.ts';

const SEED = 4711;
const ROWS = 10;
const SENT = 6;

let program: BundledProgram;
beforeAll(async () => {
  program = await BundledProgram.build(path.join(import.meta.dirname, 'engine-process.ts'));
  return () => program.remove();
});

/** A world whose engine was killed after the service had accepted its nth request. */
async function killedAfter(nth: number): Promise<World> {
  const world = await World.make(program);
  onTestFinished(() => world.end());
  world.addBatch(ROWS);
  const { wasKilled } = await world.run({ kind: 'service', at: 'request-after', nth }, SEED);
  expect(wasKilled).toBe(true);
  return world;
}

/** Adds the same rows again, as a user who runs the same command, and lets everything be sent. */
async function expectNothingTwice(world: World): Promise<string> {
  world.mayBeBlocked = true;
  let message = '';
  for (let run = 0; run < 2; run++) {
    // An engine that does not ask sends all that it can.
    const { events } = await world.run(null, SEED + run);
    const twice = [...world.service.posts].filter(([, posts]) => posts > 1);
    expect(twice, `run ${run}`).toEqual([]);
    message = events.flatMap((event) => (event.kind === 'blocked' ? [event.message] : []))[0] ?? '';
    expect(message, `run ${run}`).not.toBe('');
  }
  return message;
}

/** Flips every bit of some bytes. */
function flip(file: string, at: number, bytes = 40): void {
  const opened = openSync(file, 'r+');
  const piece = Buffer.alloc(bytes);
  readSync(opened, piece, 0, bytes, at);
  writeSync(
    opened,
    piece.map((byte) => ~byte),
    0,
    bytes,
    at,
  );
  closeSync(opened);
}

const WAL_HEADER = 32;

// abuse.md 65
test.each<[string, (folder: string) => void]>([
  ['its log is damaged', (folder) => flip(path.join(folder, 'spool.db-wal'), WAL_HEADER)],
  ['its log is lost', (folder) => rmSync(path.join(folder, 'spool.db-wal'))],
  ['the database is lost, and not its log', (folder) => rmSync(path.join(folder, 'spool.db'))],
])('asks before it sends when %s, and uses the backup', async (_what, damage) => {
  const world = await killedAfter(SENT);
  expect(existsSync(path.join(world.folder, 'spool.backup.db'))).toBe(true);

  damage(world.folder);

  expect(await expectNothingTwice(world)).toContain('has been restored from its last backup');
  expect(world.readDatabase().jobs).toHaveLength(ROWS);
});

// abuse.md 65
test.each<[string, (folder: string) => void]>([
  ['its log is damaged', (folder) => flip(path.join(folder, 'spool.db-wal'), WAL_HEADER)],
  ['its log is lost', (folder) => rmSync(path.join(folder, 'spool.db-wal'))],
  ['the database is lost, and not its log', (folder) => rmSync(path.join(folder, 'spool.db'))],
])('asks before it sends when %s, without a backup', async (_what, damage) => {
  const world = await killedAfter(SENT);
  rmSync(path.join(world.folder, 'spool.backup.db'));

  damage(world.folder);

  await expectNothingTwice(world);
});

function restoreInPlace(copy: string, folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!existsSync(path.join(copy, name))) rmSync(path.join(folder, name), { recursive: true });
  }
  for (const name of readdirSync(copy)) {
    if (name === 'renders') continue;
    writeFileSync(path.join(folder, name), readFileSync(path.join(copy, name)));
  }
}

function replace(copy: string, folder: string): void {
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true, preserveTimestamps: true });
}

// abuse.md 64
test.each([
  ['replaced by', replace],
  ['overwritten with', restoreInPlace],
])('asks before it sends when its folder is %s a copy of before', async (_how, restore) => {
  const world = await killedAfter(2);
  const copy = temporaryFolder();
  cpSync(world.folder, copy, { recursive: true, preserveTimestamps: true });
  await world.run({ kind: 'service', at: 'request-after', nth: SENT - 2 }, SEED);

  restore(copy, world.folder);

  await expectNothingTwice(world);
});
