import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { finishRenames } from '../../src/engine/flow/renamer.ts';
import type { JobRow } from '../../src/engine/jobs/job-row.ts';
import { openStore, type OpenStore } from '../rigs/open-store.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { filesBelow, saveVideos } from '../rigs/saved-files.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import type { RenameInstructions } from './rename-process.ts';

/** Runs at the same time: each mostly waits for the disk. */
const PARALLEL_RUNS = 6;

/**
 * Renames that form a cycle, that need another file's name, that differ in case only, and that move
 * to another folder.
 */
const RENAMES = [
  { from: 'a.mp4', to: 'b' },
  { from: 'b.mp4', to: 'a' },
  { from: 'f.mp4', to: 'F' },
  { from: 'x/g.mp4', to: 'c' },
  { from: 'c.mp4', to: 'd' },
];

/** A template folder with data and videos, copied for each rename. */
interface Prepared {
  readonly folder: string;
  readonly instructions: Pick<RenameInstructions, 'ids' | 'nameTemplate'>;
}

const NEVER = new AbortController().signal;

function open(folder: string): Promise<OpenStore> {
  const origin = 'https://service.example';
  return openStore({ folder, origin });
}

/** Without hard links the operations differ but not their order, so a few cases suffice. */
const WITHOUT_LINKS = 3;

/** The store contains the files' absolute paths, so every run uses the same folder. */
async function prepare(folder: string, renames: typeof RENAMES): Promise<Prepared> {
  const store = await open(folder);
  const ids = saveVideos(
    store,
    path.join(folder, 'renders'),
    renames.map(({ from, to }) => ({ file: from, cells: { to } })),
  );
  await store.close();
  return { folder, instructions: { ids: ids.map(String), nameTemplate: '{to}.mp4' } };
}

let program: BundledProgram;
beforeAll(async () => {
  program = await BundledProgram.build(path.join(import.meta.dirname, 'rename-process.ts'));
  return () => program.remove();
});

/** @returns how many changes it made, if it was not killed */
async function rename(instructions: RenameInstructions): Promise<number | null> {
  const child = spawn(process.execPath, [program.file], { env: program.env });
  child.stdin.end(JSON.stringify(instructions));
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaint).toBe('');
  return output === '' ? null : Number(output);
}

/** Kills a process while it renames, and finishes the renames as the next start does. */
async function runRename(killBefore: number | null, hasLinks: boolean): Promise<number | null> {
  const { folder, instructions } = await prepare(
    temporaryFolder(),
    hasLinks ? RENAMES : RENAMES.slice(0, WITHOUT_LINKS),
  );
  const renders = path.join(folder, 'renders');
  const before = filesBelow(renders);

  const changes = await rename({ ...instructions, folder, killBefore, hasLinks });

  const store = await open(folder);
  const jobs = (): readonly JobRow[] => instructions.ids.map((id) => store.jobs.get(Number(id)));
  const wasBegun = jobs().some(({ filePath, renameTo }, index) => {
    const old = path.join(renders, RENAMES[index]?.from ?? '');
    return renameTo !== null || filePath !== old;
  });
  await finishRenames(store, systemClock, NEVER);
  const known = jobs();
  await store.close();
  const at = `killed before change ${killBefore}`;
  const after = filesBelow(renders);
  expect([...after.values()].toSorted(), at).toEqual([...before.values()].toSorted());
  for (const [index, { filePath, fileSha256, renameTo }] of known.entries()) {
    const name = path.relative(renders, filePath ?? '').replaceAll(path.sep, '/');
    expect(renameTo, at).toBe(null);
    expect(after.get(name), at).toBe(fileSha256);
    const { from, to } = RENAMES[index] ?? { from: '', to: '' };
    expect(name, at).toBe(wasBegun ? `${to}.mp4` : from);
  }
  return changes;
}

test.each([{ hasLinks: true }, { hasLinks: false }])(
  'a start after a kill before any change finishes all renames (links: $hasLinks)',
  { timeout: 120_000 },
  async ({ hasLinks }) => {
    const changes = (await runRename(null, hasLinks)) ?? 0;
    // Per file at least: the new name, the removal of the old one, and the commit.
    expect(changes).toBeGreaterThan((hasLinks ? RENAMES.length : WITHOUT_LINKS) * 3);
    for (let first = 1; first <= changes; first += PARALLEL_RUNS) {
      const killPoints = Array.from({ length: PARALLEL_RUNS }, (_, index) => first + index);
      await Promise.all(
        killPoints
          .filter((killPoint) => killPoint <= changes)
          .map((killPoint) => runRename(killPoint, hasLinks)),
      );
    }
  },
);
