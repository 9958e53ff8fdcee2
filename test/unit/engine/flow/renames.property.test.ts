import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { nameKey } from '../../../../src/engine/downloads/file-name.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { filesBelow, saveVideos } from '../../../rigs/saved-files.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { fileCommandsOn } from '../../../rigs/file-commands-on.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

/** Few names, so that they collide, swap, or differ only in case or accents. */
const name = fc.constantFrom('a', 'A', 'b', 'B', 'c', 'd', 'é', 'e\u0301', 'É', 'a (2)');
const below = fc.constantFrom('', '', 'x', 'y', 'x/z');

interface Video {
  readonly below: string;
  readonly name: string;
  readonly to: string;
  readonly kind: string;
  readonly isMissing: boolean;
  readonly isChosen: boolean;
}

interface World {
  readonly videos: readonly Video[];
  /** Files that Spool did not save. */
  readonly otherFiles: readonly Pick<Video, 'below' | 'name'>[];
  readonly template: string;
}

const video = fc.record({
  below,
  name,
  to: name,
  kind: fc.constantFrom('', 'x', 'y', 'X'),
  isMissing: fc.nat(9).map((chance) => chance === 0),
  isChosen: fc.nat(4).map((chance) => chance > 0),
});

const world: fc.Arbitrary<World> = fc.record({
  videos: fc.uniqueArray(video, {
    minLength: 1,
    maxLength: 8,
    selector: (one) => nameKey(path.posix.join(one.below, one.name)),
  }),
  otherFiles: fc.array(fc.record({ below, name }), { maxLength: 3 }),
  template: fc.constantFrom('{to}', '{kind}/{to}', 'x/{to}', '{to}/{title}', 'a', '{title}', 'y/z'),
});

const RUNS = 40;

const plain = { below: '', kind: '', isMissing: false, isChosen: true };

/** Worlds that once failed, by the defect. */
const FAILED_WORLDS: Readonly<Record<string, World>> = {
  'a missing row was given the file that took its name': {
    videos: [
      { ...plain, name: 'é', to: 'a', isMissing: true },
      { ...plain, name: 'a', to: 'é' },
    ],
    // With it, the name in the other form exists.
    otherFiles: [{ below: '', name: 'e\u0301' }],
    template: '{to}',
  },
};

test(
  'after any renames, no file is lost or replaced, and the store has the path of each',
  { timeout: 60_000 },
  async () => {
    const folder = temporaryFolder();
    const clock = new VirtualClock();
    const store = await openStore({
      folder,
    });
    onTestFinished(() => store.close());
    const commands = fileCommandsOn(store, clock);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(world, async ({ videos, otherFiles, template }) => {
        runs += 1;
        const renders = path.join(folder, `renders ${runs}`);
        const ids = saveVideos(
          store,
          renders,
          videos.map((one) => ({
            file: path.posix.join(one.below, `${one.name}.mp4`),
            title: one.name,
            cells: { to: one.to, kind: one.kind },
          })),
        );
        for (const other of otherFiles) {
          putOtherFile(path.join(renders, other.below), `${other.name}.mp4`);
        }
        videos.forEach(({ isMissing }, index) => {
          if (isMissing) rmSync(store.jobs.get(ids[index] ?? 0).filePath ?? '');
        });
        const before = filesBelow(renders);
        const chosen = ids.filter((_, index) => videos[index]?.isChosen);
        if (chosen.length === 0) return;
        const wanted = { ids: chosen.map(String), nameTemplate: template };
        const plan = await commands.planRename({ ...wanted, limit: 1000 });

        const { renamed, refused } = await commands.rename(wanted);

        const after = filesBelow(renders);
        expect([...after.values()].toSorted()).toEqual([...before.values()].toSorted());
        const isRefused = new Set(refused.map(({ id }) => id));
        for (const [index, id] of ids.entries()) {
          const { state, renameTo, filePath, fileSha256 } = store.jobs.get(id);
          const isFoundMissing = videos[index]?.isMissing === true && chosen.includes(id);
          expect({ state, renameTo }).toEqual({
            state: isFoundMissing ? 'missing' : 'done',
            renameTo: null,
          });
          if (videos[index]?.isMissing) continue;
          expect(after.get(inFolder(renders, filePath))).toBe(fileSha256);
        }
        const saved = new Set(ids.map((id) => store.jobs.get(id).fileSha256));
        for (const [file, sha256] of before) {
          if (!saved.has(sha256)) expect(after.get(file)).toBe(sha256);
        }
        for (const { id, to, outcome } of plan.files) {
          if (outcome === 'kept') expect(isRefused.has(id)).toBe(true);
          else if (!isRefused.has(id)) {
            const { filePath, fileName } = store.jobs.get(Number(id));
            expect(inFolder(renders, filePath)).toBe(to);
            expect(fileName === to || outcome === 'unchanged').toBe(true);
          }
        }
        // A planned rename fails only where a file has the name of a new folder.
        const { renamed: plain, numbered, kept } = plan.counts;
        expect(renamed + refused.length).toBe(plain + numbered + kept);
        const notRenamed = refused.filter(({ id }) => store.jobs.get(Number(id)).state === 'done');
        if (template !== '{to}/{title}') expect(notRenamed).toEqual([]);
      }),
      { numRuns: RUNS, examples: Object.values(FAILED_WORLDS).map((failed) => [failed]) },
    );
  },
);

let otherFiles = 0;

/** Does nothing if the name is taken. */
function putOtherFile(folder: string, file: string): void {
  otherFiles += 1;
  const content = createHash('sha256').update(`other file ${otherFiles}`).digest();
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, file), content, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function inFolder(folder: string, file: string | null): string {
  return path
    .relative(folder, file ?? '')
    .split(path.sep)
    .join('/');
}
