import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setAside } from '../../../../src/engine/downloads/place.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('a damaged file that makes way takes the name of no other, nor of an earlier damaged one', async () => {
  const folder = temporaryFolder();
  const film = path.join(folder, 'film.mp4');
  for (const content of ['first', 'second']) {
    writeFileSync(film, content);
    await setAside(film);
  }

  const contents = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  expect(contents.toSorted()).toEqual(['first', 'second']);
  expect(readdirSync(folder)).toContain('film (damaged).mp4');
});
