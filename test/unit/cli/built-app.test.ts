import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildRecordFile, hashSources, isBuildCurrent } from '../../../src/cli/build-sources.ts';
import { ensureBuilt, NotBuiltError } from '../../../src/cli/built-app.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A repository with a page and an engine, and a build that is counted. */
function repository() {
  const root = temporaryFolder();
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  write('src/renderer/main.ts', 'page');
  write('src/renderer/queue/row.svelte', 'row');
  write('src/contract/job.ts', 'contract');
  write('src/engine/engine.ts', 'engine');
  const messages: string[] = [];
  let builds = 0;
  let works = true;
  const build = async (): Promise<boolean> => {
    builds += 1;
    await Promise.resolve();
    if (works) write('out/built-from.json', JSON.stringify(hashSources(root)));
    return works;
  };
  return {
    root,
    write,
    messages,
    builds: () => builds,
    breakBuild: () => (works = false),
    ensure: (part: 'page' | 'app' = 'page') =>
      ensureBuilt(part, (sentence) => messages.push(sentence), { root, build }),
  };
}

it('builds the app once while its sources are unchanged', async () => {
  const { ensure, builds, messages } = repository();
  await ensure();
  await ensure();
  await ensure('app');
  expect(builds()).toBe(1);
  expect(messages).toEqual(['Building the app for the first time …']);
});

it.each([
  ['a file of the page', 'src/renderer/queue/row.svelte'],
  ['a new file', 'src/renderer/queue/cell.svelte'],
  ['what the page and the engine share', 'src/contract/job.ts'],
  ['the versions of packages', 'package-lock.json'],
  ['the build configuration', 'electron.vite.config.ts'],
])('builds again after a change of %s', async (_, file) => {
  const { ensure, builds, write, messages } = repository();
  await ensure();
  write(file, 'changed');
  await ensure();
  expect(builds()).toBe(2);
  expect(messages.at(-1)).toBe('Building the app again: its sources changed …');
});

it('builds again when a changed file has an older date than the page, as after unpacking', async () => {
  const { root, ensure, builds, write } = repository();
  await ensure();
  write('src/renderer/main.ts', 'PAGE');
  utimesSync(path.join(root, 'src/renderer/main.ts'), 0, 0);
  await ensure();
  expect(builds()).toBe(2);
});

it('builds again after a file was removed', async () => {
  const { root, ensure, builds } = repository();
  await ensure();
  rmSync(path.join(root, 'src/renderer/queue/row.svelte'));
  await ensure();
  expect(builds()).toBe(2);
});

it('builds for the desktop app after a change of the engine, which no page contains', async () => {
  const { ensure, builds, write } = repository();
  await ensure();
  write('src/engine/engine.ts', 'changed');
  await ensure('page');
  expect(builds()).toBe(1);
  await ensure('app');
  expect(builds()).toBe(2);
});

it('refuses to start with a page that is older than its sources', async () => {
  const { ensure, write, breakBuild } = repository();
  await ensure();
  write('src/renderer/main.ts', 'a mistake');
  breakBuild();
  await expect(ensure()).rejects.toThrow(NotBuiltError);
  await expect(ensure()).rejects.toThrow('The app could not be built from its sources');
});

it('treats a truncated build record as no build', async () => {
  const { root, ensure, builds, write } = repository();
  await ensure();
  write(path.relative(root, buildRecordFile(root)), '{"page":"');
  expect(isBuildCurrent(root, 'page')).toBe(false);
  await ensure();
  expect(builds()).toBe(2);
});

it('builds once for two commands that start at the same time', async () => {
  const { ensure, builds } = repository();
  await Promise.all([ensure(), ensure()]);
  expect(builds()).toBe(1);
});
