import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const REPOSITORY = path.join(import.meta.dirname, '..', '..');

/** The change log names files as they were when it was written. */
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: REPOSITORY }).filter(
  (document) => document !== 'CHANGELOG.md',
);

const FILES = globSync(['*', '{src,test,bench,tools,build}/**/*'], { cwd: REPOSITORY }).map(
  (file) => `/${file.replaceAll(path.sep, '/')}`,
);

it.each(DOCUMENTS)('%s links to files that exist', (document) => {
  const text = readFileSync(path.join(REPOSITORY, document), 'utf8');
  const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s:]+)[^)\s]*\)/g)].map(
    ([, target = '']) => target,
  );
  const folder = path.join(REPOSITORY, path.dirname(document));
  expect(targets.filter((target) => !existsSync(path.join(folder, target)))).toEqual([]);
});

it.each(DOCUMENTS)('%s names source files that exist', (document) => {
  const text = readFileSync(path.join(REPOSITORY, document), 'utf8');
  const names = [...text.matchAll(/`([\w./-]+\.(?:ts|svelte))`/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => !FILES.some((file) => file.endsWith(`/${name}`)));
  expect(missing.filter((name) => !NOT_OURS.includes(name))).toEqual([]);
});

/** Examples of names that a reader chooses. */
const NOT_OURS = ['scratch.ts'];
