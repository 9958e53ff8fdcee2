import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

function photo(colour: string): Buffer {
  const canvas = createCanvas(400, 300);
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, 400, 300);
  return canvas.toBuffer('image/jpeg');
}

it('renders a video for each picture of a folder, in the order in which people sort them', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'Trip'));
  for (const [name, colour] of [
    ['10 Red_boat.jpg', '#c03020'],
    ['2 Tree.jpg', '#208040'],
  ] as const) {
    writeFileSync(path.join(folder, 'Trip', name), photo(colour));
  }
  writeFileSync(path.join(folder, 'Trip', 'notes.txt'), 'not a picture');
  const command = ['run', 'Trip', '--data-dir', path.join(folder, 'data')];
  const run = await spoolHere([...command, '--name', '{index} {title} {picture}'], { cwd: folder });
  expect(run).toMatchObject({ code: 0 });
  const saved = readdirSync(path.join(folder, 'renders')).filter((name) => name.endsWith('.mp4'));
  expect(saved.toSorted()).toEqual(['1 2 Tree 2 Tree.mp4', '2 10 Red boat 10 Red_boat.mp4']);
});

it('renders nothing of a table with a picture that is missing', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'table.csv'), 'title,bild\nOne,none.jpg\n');
  const run = await spoolHere(['run', 'table.csv', '--data-dir', path.join(folder, 'data')], {
    cwd: folder,
  });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('Row 2, bild: is not in the table’s folder.');
});
