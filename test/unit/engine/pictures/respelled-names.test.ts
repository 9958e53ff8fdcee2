import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
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
  ['single quotes around it', 'boat.png', "'boat.png'"],
  ['spaces as in addresses', 'Red boat.png', 'red%20boat.png'],
  ['a percent sign as in addresses', '50% off.png', '50%25%20off.png'],
  ['the space of a macOS screenshot', 'Shot 3.04\u202fPM.png', 'Shot 3.04 PM.png'],
  ['characters that cannot be seen', 'boat.png', 'boat\u200b.png'],
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

it('a name that has codes itself is preferred to what they stand for', async () => {
  const folder = folderWith('a b.png', 'a%20b.png');
  expect(await meant(folder, 'A%20b.png')).toBe('a%20b.png');
});

it('a file is found by its address', async () => {
  const folder = folderWith('Größe 1.png');
  const address = pathToFileURL(path.join(folder, 'Größe 1.png')).href;
  expect(await meant(folder, address)).toBe('Größe 1.png');
  expect(await meant(folder, address.replace('file://', 'FILE://localhost'))).toBe('Größe 1.png');
});

it('a whole path is looked for only there', async () => {
  const folder = folderWith('boat.png');
  expect(await meant(folder, path.join(folder, 'Boat.png'))).toBe('boat.png');
  const inMedia = path.join('Media', folder, 'tree.png');
  mkdirSync(path.dirname(path.join(folder, inMedia)), { recursive: true });
  writeFileSync(path.join(folder, inMedia), PNG);
  expect(await meant(folder, path.join(folder, 'tree.png'))).toBeNull();
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
  '%2e%2e%2foutside.png',
  '..%5Coutside.png',
  'boat.png%00',
  'file:///etc/passwd',
  'file://host/boat.png',
  'file:boat.png%2f..%2f..%2foutside.png',
])('no other spelling leads out of the folder: %s', async (cell) => {
  const folder = folderWith('boat.png');
  writeFileSync(path.join(folder, '..', 'outside.png'), PNG);
  symlinkSync('..', path.join(folder, 'up'));
  symlinkSync('../outside.png', path.join(folder, 'link.png'));
  expect(await meant(folder, cell)).toBeNull();
});
