/** What a form writes into the cell of a file. */
import { describe, expect, it } from 'vitest';
import type { RowField } from '../../../src/contract/row-field.ts';
import {
  cellOfFile,
  cellWithFiles,
  folderOfFiles,
} from '../../../src/renderer/state/chosen-files.ts';
import { VideoForm } from '../../../src/renderer/state/row-form.svelte.ts';

describe('the cell of a chosen file', () => {
  it('is relative to the folder of the table', () => {
    expect(cellOfFile('/home/ana/shop/media/mug.png', '/home/ana/shop')).toBe('media/mug.png');
    expect(cellOfFile('/home/ana/shop/mug.png', '/home/ana/shop/')).toBe('mug.png');
    expect(cellOfFile('/mug.png', '/')).toBe('mug.png');
    expect(cellOfFile(String.raw`C:\Shop\media\mug.png`, String.raw`c:\shop`)).toBe(
      'media/mug.png',
    );
  });

  it('is the whole path elsewhere, which the check refuses', () => {
    expect(cellOfFile('/home/ana/shopping/mug.png', '/home/ana/shop')).toBe(
      '/home/ana/shopping/mug.png',
    );
    expect(cellOfFile('/home/ana/mug.png', undefined)).toBe('/home/ana/mug.png');
    expect(cellOfFile(String.raw`D:\mug.png`, String.raw`C:\shop`)).toBe(String.raw`D:\mug.png`);
  });
});

describe('the folder of chosen files', () => {
  it('is the innermost one that has them all', () => {
    expect(folderOfFiles(['/home/ana/shop/mug.png'])).toBe('/home/ana/shop');
    expect(folderOfFiles(['/home/ana/shop/mug.png', '/home/ana/shopping/song.mp3'])).toBe(
      '/home/ana',
    );
    expect(folderOfFiles(['/media/mug.png', '/home/song.mp3'])).toBe('/');
    expect(folderOfFiles([String.raw`C:\shop\mug.png`, String.raw`c:\Shop\a\song.mp3`])).toBe(
      String.raw`C:\shop`,
    );
    expect(folderOfFiles([String.raw`C:\mug.png`])).toBe('C:\\');
  });

  it('is unknown without files, on several drives, and of what is no path', () => {
    expect(folderOfFiles([])).toBeUndefined();
    expect(folderOfFiles(['mug.png', 'https://shop.example/mug.png', '//server/mug.png'])).toBe(
      undefined,
    );
    expect(folderOfFiles([String.raw`C:\mug.png`, String.raw`D:\song.mp3`])).toBeUndefined();
  });
});

it('sends the form of one video with the folder of its files', () => {
  const fields: RowField[] = [
    { name: 'title', type: 'text', required: true },
    { name: 'picture', type: 'picture', holds: 'picture', required: false },
    { name: 'voice', type: 'picture', holds: 'sound', required: false },
  ];
  const form = new VideoForm('Single videos');
  expect(form.source(fields)).not.toHaveProperty('folder');
  form.write('title', '/etc/passwd');
  form.write('picture', '/home/ana/shop/mug.png');
  expect(form.source(fields).folder).toBe('/home/ana/shop');
  form.write('voice', '/home/ana/voice.wav');
  expect(form.source(fields).folder).toBe('/home/ana');
});

it('adds files to those of a cell, each on its line', () => {
  const files = ['/shop/media/mug, red.png', '/home/ana/jug.png'];
  expect(cellWithFiles('', files, '/shop')).toBe('media/mug, red.png\n/home/ana/jug.png');
  expect(cellWithFiles('tray.png\n', files, '/shop')).toBe(
    'tray.png\nmedia/mug, red.png\n/home/ana/jug.png',
  );
});

it('sends the form with the folder of all files of a field', () => {
  const pictures: RowField = {
    name: 'pictures',
    type: 'picture',
    holds: 'picture',
    maxItems: 12,
    required: false,
  };
  const form = new VideoForm('Single videos');
  form.write('pictures', '/home/ana/shop/mug.png\n/home/ana/jug.png');
  expect(form.source([pictures]).folder).toBe('/home/ana');
});
