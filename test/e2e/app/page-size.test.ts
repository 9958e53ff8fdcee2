import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../../rigs/spool-process.ts';

const PAGE = path.join(REPOSITORY, 'out', 'renderer');

/** Bytes of the page's files of one kind, as a server would send them. */
function zipped(extension: string): number {
  const files = globSync(`**/*.${extension}`, { cwd: PAGE });
  expect(files).not.toEqual([]);
  return files
    .map((file) => gzipSync(readFileSync(path.join(PAGE, file))).length)
    .reduce((total, bytes) => total + bytes, 0);
}

it('the page’s script, style and document are 200 kB at most, compressed', () => {
  expect(zipped('js') + zipped('css') + zipped('html')).toBeLessThanOrEqual(200_000);
});

it('the page brings no schemas: what it hears was checked by whoever said it', () => {
  const scripts = globSync('**/*.js', { cwd: PAGE });
  for (const file of scripts)
    expect(readFileSync(path.join(PAGE, file), 'utf8')).not.toMatch(/_zod/);
});
