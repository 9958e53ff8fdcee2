import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { finishRenames } from '../../src/engine/flow/renamer.ts';
import type { JobRow } from '../../src/engine/jobs/job-row.ts';
import { openStore, type OpenStore } from '../rigs/open-store.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { filesBelow, saveVideos } from '../rigs/saved-files.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import type { RenameOrder } from './rename-process.ts';

/** Runs at the same time: most of each is waiting for the disk. */
const AT_ONCE = 6;

/**
 * Renames that form a cycle, that need another file's name, that differ in case only, and that move
 * to another folder.
 */
const WAYS = [
  { from: 'a.mp4', to: 'b' },
  { from: 'b.mp4', to: 'a' },
  { from: 'f.mp4', to: 'F' },
  { from: 'x/g.mp4', to: 'c' },
  { from: 'c.mp4', to: 'd' },
];

/** A template folder with data and videos, copied for each rename. */
interface Prepared {
  readonly folder: string;
  readonly order: Pick<RenameOrder, 'ids' | 'nameTemplate'>;
}

const NEVER = new AbortController().signal;

function open(folder: string): Promise<OpenStore> {
  const origin = 'https://service.example';
  return openStore({ folder, origin, now: 0, onChange: () => undefined });
}

/** Without hard links the operations differ but not their order, so a few cases suffice. */
const WITHOUT_LINKS = 3;

/** The store contains the files' absolute paths, so every run uses the same folder. */
async function prepare(folder: string, ways: typeof WAYS): Promise<Prepared> {
  const store = await open(folder);
  const ids = saveVideos(
    store,
    path.join(folder, 'renders'),
    ways.map(({ from, to }) => ({ file: from, cells: { to } })),
  );
  await store.close();
  return { folder, order: { ids: ids.map(String), nameTemplate: '{to}.mp4' } };
}

/** @returns how many changes it made, if it was not killed */
async function rename(program: BundledProgram, order: RenameOrder): Promise<number | null> {
  const child = spawn(process.execPath, [program.file], { env: program.env });
  child.stdin.end(JSON.stringify(order));
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaint).toBe('');
  return output === '' ? null : Number(output);
}

/** A renaming that is killed, and the next start. */
async function runRename(
  program: BundledProgram,
  dieBefore: number | null,
  hasLinks: boolean,
): Promise<number | null> {
  const { folder, order } = await prepare(
    temporaryFolder(),
    hasLinks ? WAYS : WAYS.slice(0, WITHOUT_LINKS),
  );
  const renders = path.join(folder, 'renders');
  const before = filesBelow(renders);

  const changes = await rename(program, { ...order, folder, dieBefore, hasLinks });

  const store = await open(folder);
  const jobs = (): readonly JobRow[] => order.ids.map((id) => store.jobs.get(Number(id)));
  const wasBegun = jobs().some(({ filePath, renameTo }, index) => {
    const old = path.join(renders, WAYS[index]?.from ?? '');
    return renameTo !== null || filePath !== old;
  });
  await finishRenames(store, systemClock, NEVER);
  const known = jobs();
  await store.close();
  const at = `killed before change ${dieBefore}`;
  const after = filesBelow(renders);
  expect([...after.values()].toSorted(), at).toEqual([...before.values()].toSorted());
  for (const [index, { filePath, fileSha256, renameTo }] of known.entries()) {
    const name = path.relative(renders, filePath ?? '').replaceAll(path.sep, '/');
    expect(renameTo, at).toBe(null);
    expect(after.get(name), at).toBe(fileSha256);
    const { from, to } = WAYS[index] ?? { from: '', to: '' };
    expect(name, at).toBe(wasBegun ? `${to}.mp4` : from);
  }
  return changes;
}

test.each([{ hasLinks: true }, { hasLinks: false }])(
  'killed before each change, the next start has every file under its new name (links: $hasLinks)',
  { timeout: 120_000 },
  async ({ hasLinks }) => {
    const program = await BundledProgram.build(path.join(import.meta.dirname, 'rename-process.ts'));
    onTestFinished(() => {
      program.remove();
    });
    const changes = (await runRename(program, null, hasLinks)) ?? 0;
    // Per file at least: the new name, the removal of the old one, and the commit.
    expect(changes).toBeGreaterThan((hasLinks ? WAYS.length : WITHOUT_LINKS) * 3);
    for (let first = 1; first <= changes; first += AT_ONCE) {
      const killPoints = Array.from({ length: AT_ONCE }, (_, index) => first + index);
      await Promise.all(
        killPoints
          .filter((killPoint) => killPoint <= changes)
          .map((killPoint) => runRename(program, killPoint, hasLinks)),
      );
    }
  },
);
