import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PictureChecks } from '../../../../src/engine/pictures/read-picture.ts';
import { noisePng } from '../../../rigs/pictures.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const PNG = noisePng(8, 8);

/** A folder with a table, in which these files are. */
function folderWith(...names: readonly string[]): string {
  const folder = path.join(temporaryFolder(), 'table');
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), PNG);
  }
  return folder;
}

/** The name of the picture that a cell means; `null` for an error. */
async function meant(folder: string, cell: string): Promise<string | null> {
  const reading = await new PictureChecks().check(cell, folder);
  return reading.kind === 'picture' ? path.relative(folder, reading.picture.path) : null;
}

const nfc = (text: string): string => text.normalize('NFC');
const nfd = (text: string): string => text.normalize('NFD');

it.each([
  ['umlauts as macOS writes them on the disk', nfd('Größe.png'), nfc('Größe.png')],
  ['umlauts as macOS writes them in the cell', nfc('Größe.png'), nfd('Größe.png')],
  ['capitals in the ending', 'boat.PNG', 'boat.png'],
  ['capitals in the name', 'Boat.png', 'boat.png'],
  ['a space after the name on the disk', 'boat.png ', 'boat.png'],
  ['separators of Windows', 'Bilder/boat.png', 'Bilder\\boat.png'],
  ['capitals in a folder', 'Bilder/boat.png', 'bilder/Boat.png'],
  ['quotes around it', 'boat.png', '"boat.png"'],
  ['the folder for media', 'Media/Boat.png', 'boat.png'],
])('a file is found by a name with other %s', async (_, name, cell) => {
  expect(await meant(folderWith(name), cell)).toBe(name);
});

it('the exact name is preferred, then that with the same letters; several are none', async () => {
  const folder = folderWith('Boat.png', 'boat.png', nfd('größe.png'), nfc('Größe.png'));
  expect(await meant(folder, 'boat.png')).toBe('boat.png');
  expect(await meant(folder, 'BOAT.png')).toBeNull();
  expect(await meant(folder, nfc('größe.png'))).toBe(nfd('größe.png'));
});

it('a name that comes to the folder later is found', async () => {
  const folder = folderWith('tree.png');
  expect(await meant(folder, 'boat.png')).toBeNull();
  mkdirSync(path.join(folder, 'new'));
  writeFileSync(path.join(folder, 'new', 'Boat.png'), PNG);
  expect(await meant(folder, 'New/boat.png')).toBe(path.join('new', 'Boat.png'));
});

// abuse.md 70
it.each([
  '..\\outside.png',
  '"../outside.png"',
  'UP/outside.png',
  'LINK.png',
  'UP',
  '\\etc\\passwd',
])('no other spelling leads out of the folder: %s', async (cell) => {
  const folder = folderWith('boat.png');
  writeFileSync(path.join(folder, '..', 'outside.png'), PNG);
  symlinkSync('..', path.join(folder, 'up'));
  symlinkSync('../outside.png', path.join(folder, 'link.png'));
  expect(await meant(folder, cell)).toBeNull();
});
