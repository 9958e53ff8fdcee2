import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changedFiles, stepsFor } from '../../../tools/changed.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A Git repository with one commit of three files. */
function repository() {
  const folder = temporaryFolder();
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  };
  const write = (name: string): void => writeFileSync(path.join(folder, name), `${Math.PI}`);
  git('init', '--initial-branch=main');
  writeFileSync(path.join(folder, '.gitignore'), 'ignored.ts\n');
  for (const name of ['same.ts', 'changed.ts', 'gone.ts']) {
    writeFileSync(path.join(folder, name), '');
  }
  git('add', '.');
  git('commit', '-m', 'First');
  return { folder, git, write };
}

it('finds files that changed since the branch began, committed or not, and new ones', () => {
  const { folder, git, write } = repository();
  git('switch', '-c', 'work');
  write('changed.ts');
  write('committed.ts');
  git('add', '.');
  git('commit', '-m', 'Second');
  write('new file.ts');
  write('ignored.ts');
  rmSync(path.join(folder, 'gone.ts'));
  expect(changedFiles(folder)).toEqual(['changed.ts', 'committed.ts', 'new file.ts']);
});

it('finds files that changed since the last commit where there is no branch to compare with', () => {
  const { folder, git, write } = repository();
  git('branch', '--move', 'main', 'other');
  write('changed.ts');
  expect(changedFiles(folder)).toEqual(['changed.ts']);
});

it('checks the types of the layers that have changed', () => {
  const files = ['src/engine/engine.ts', 'src/engine/jobs/store.ts', 'test/rigs/browser.ts'];
  const [types] = stepsFor([...files, 'vitest.config.ts', 'README.md']);
  expect(types?.args.slice(-4)).toEqual(['--singleThreaded', 'src/engine', 'test', 'tools']);
});

it.each([
  [['src/engine/engine.ts'], ['types', 'lint', 'layers', 'format']],
  [['tools/check.ts'], ['types', 'lint', 'format']],
  [['src/renderer/app.svelte'], ['lint of components', 'layers', 'format of components']],
  [
    ['src/renderer/state/ticker.svelte.ts'],
    ['lint of components', 'types', 'lint', 'layers', 'format'],
  ],
  [['README.md'], ['format']],
  [
    ['package-lock.json', 'src/cli/tsconfig.json'],
    ['types', 'format', 'lockfile'],
  ],
  [[], []],
])('checks %j with %j', (files, names) => {
  const steps = stepsFor(files);
  expect(steps.map(({ name }) => name)).toEqual(names);
  for (const { args } of steps) expect(existsSync(args[0] ?? ''), args[0]).toBe(true);
});
