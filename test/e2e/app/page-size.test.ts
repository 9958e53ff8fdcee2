import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../../rigs/spool-process.ts';

const PAGE = path.join(REPOSITORY, 'out', 'renderer');

/** The files that a browser loads first: the document, and the scripts and styles in it. */
function initialFiles(): readonly string[] {
  const document = readFileSync(path.join(PAGE, 'index.html'), 'utf8');
  const named = [...document.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)];
  return ['index.html', ...named.map(([, file = '']) => file)];
}

const zipped = (file: string): number => gzipSync(readFileSync(path.join(PAGE, file))).length;

it('the page’s initial script, style and document are 140 kB at most, compressed', () => {
  const files = initialFiles();
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  expect(files.reduce((bytes, file) => bytes + zipped(file), 0)).toBeLessThanOrEqual(140_000);
});

it('the page loads only the language that it shows', () => {
  const german = globSync('**/*.js', { cwd: PAGE }).filter((file) =>
    readFileSync(path.join(PAGE, file), 'utf8').includes('Warteschlange'),
  );
  expect(german).toHaveLength(1);
  expect(initialFiles()).not.toContain(german[0]);
});

it('the page contains no schemas: the process that sends data checks it', () => {
  const scripts = globSync('**/*.js', { cwd: PAGE });
  for (const file of scripts)
    expect(readFileSync(path.join(PAGE, file), 'utf8')).not.toMatch(/_zod/);
});
