import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../../rigs/spool-process.ts';

const PAGE = path.join(REPOSITORY, 'out', 'renderer');

const DOCUMENT = readFileSync(path.join(PAGE, 'index.html'), 'utf8');
const [HEAD = '', BODY = ''] = DOCUMENT.split('<body>');

const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);

/** The files that a browser loads first: the document, and the scripts and styles in its head. */
const initialFiles = (): readonly string[] => ['index.html', ...filesIn(HEAD)];

const zipped = (file: string): number => gzipSync(readFileSync(path.join(PAGE, file))).length;

it('the page’s initial script, style and document are 155 kB at most, compressed', () => {
  const files = initialFiles();
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  expect(files.reduce((bytes, file) => bytes + zipped(file), 0)).toBeLessThanOrEqual(155_000);
});

// abuse.md 62
it('the page names every other script, so that none is fetched once its host has ended', () => {
  const scripts = globSync('**/*.js', { cwd: PAGE });
  expect(filesIn(HEAD + BODY).toSorted()).toEqual(
    [...scripts, ...globSync('**/*.css', { cwd: PAGE })].toSorted(),
  );
  expect(filesIn(HEAD).filter((file) => file.endsWith('.css'))).toHaveLength(1);
});

it('the page runs only the language that it shows', () => {
  const scriptsWith = (words: string): readonly string[] =>
    globSync('**/*.js', { cwd: PAGE }).filter((file) =>
      readFileSync(path.join(PAGE, file), 'utf8').includes(words),
    );
  const german = scriptsWith('Zur Warteschlange');
  expect(german).toHaveLength(1);
  expect(initialFiles()).not.toContain(german[0]);
  // Of the queue, of a view, of the engine.
  for (const text of ['Go to the timeline', 'Not changed yet', 'The disk is full.']) {
    expect(scriptsWith(text)).toHaveLength(1);
    expect(scriptsWith(text)).not.toEqual(german);
  }
  for (const text of ['Noch nicht gewechselt', 'Das Laufwerk ist voll.'])
    expect(scriptsWith(text)).toEqual(german);
});

it('the page contains no schemas: the process that sends data checks it', () => {
  const scripts = globSync('**/*.js', { cwd: PAGE });
  for (const file of scripts)
    expect(readFileSync(path.join(PAGE, file), 'utf8')).not.toMatch(/_zod/);
});
