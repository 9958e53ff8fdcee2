import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isPlaceholder, quarantine, undoHalfMove } from '../../../../src/engine/downloads/place.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('a damaged file that is moved aside replaces no other file, nor an earlier damaged one', async () => {
  const folder = temporaryFolder();
  const film = path.join(folder, 'film.mp4');
  for (const content of ['first', 'second']) {
    writeFileSync(film, content);
    await quarantine(film);
  }

  const contents = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  expect(contents.toSorted()).toEqual(['first', 'second']);
  expect(readdirSync(folder)).toContain('film (damaged).mp4');
});

const PLACEHOLDER = 'Spool was about to move a video here.\n';

test.each([
  ['whole', PLACEHOLDER],
  ['cut short', PLACEHOLDER.slice(0, 7)],
  ['empty', ''],
])(
  'a placeholder that is %s is recognised, and removed next to the file it stands for',
  async (_, left) => {
    const folder = temporaryFolder();
    const [from, target] = [path.join(folder, 'film.part'), path.join(folder, 'film.mp4')];
    writeFileSync(from, 'a film');
    writeFileSync(target, left);

    expect(await isPlaceholder(target)).toBe(true);
    await undoHalfMove(from, target);
    expect(readdirSync(folder)).toEqual(['film.part']);
  },
);

test.each([['other text'], [`${PLACEHOLDER}and more`], [PLACEHOLDER.replace('video', 'movie')]])(
  'a file with %j in it is not a placeholder',
  async (content) => {
    const folder = temporaryFolder();
    const [from, target] = [path.join(folder, 'film.part'), path.join(folder, 'film.mp4')];
    writeFileSync(from, 'a film');
    writeFileSync(target, content);

    expect(await isPlaceholder(target)).toBe(false);
    await undoHalfMove(from, target);
    expect(readFileSync(target, 'utf8')).toBe(content);
  },
);
