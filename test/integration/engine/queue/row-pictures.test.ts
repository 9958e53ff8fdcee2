import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import type { BatchSource } from '../../../../src/contract/batch.ts';
import type { Failure } from '../../../../src/contract/failure.ts';
import type { Column } from '../../../../src/engine/intake/column.ts';
import type { FitPicture, PictureFit } from '../../../../src/engine/pictures/picture-fit.ts';
import type { FilePart, UploadOutcome } from '../../../../src/engine/service/upload.ts';
import { serviceApiSchema } from '../../../../src/contract/service-profile.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { EngineRig, type EngineRigOptions } from '../../../rigs/engine-rig.ts';
import { blankPng, noisePng, turnedJpeg } from '../../../rigs/pictures.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const PNG = noisePng(40, 30);

/** A table in a folder with pictures. */
class Table {
  readonly folder = path.join(temporaryFolder(), 'table');

  constructor() {
    mkdirSync(this.folder);
  }

  at(...name: string[]): string {
    return path.join(this.folder, ...name);
  }

  write(name: string, bytes: Buffer | string = PNG): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), bytes);
  }

  source(pictures: readonly string[], name = 'Table.csv', column = 'picture'): BatchSource {
    const rows = pictures.map((picture, index) => `Row ${index + 1},"${picture}"`);
    return { name, content: [`title,${column}`, ...rows].join('\n'), folder: this.folder };
  }
}

type Send = NonNullable<Extract<Column, { type: 'picture' }>['send']>;

/** The documented API with an address for uploads. */
const TAKES_UPLOADS = {
  ...storyboardProfile,
  api: serviceApiSchema.parse({ upload: { path: '/api/v1/files', at: 'id' } }),
};

/** The storyboard profile with another way to send pictures. */
function sending(send: Send, limits: object = {}, name = 'picture'): EngineRigOptions {
  const { request } = storyboardProfile;
  const picture = { ...request.columns[name], send, ...limits } as Column;
  const columns = { ...request.columns, [name]: picture };
  const profile = send === 'upload' ? TAKES_UPLOADS : storyboardProfile;
  return { profile: { ...profile, request: { ...request, columns } } };
}

async function errorsOf(rig: EngineRig, source: BatchSource): Promise<string[]> {
  const { issues } = await rig.engine.commands.batches.plan({ source, options: {} });
  return issues.map(({ message }) => message);
}

async function add(rig: EngineRig, source: BatchSource): Promise<string[]> {
  const { origin } = rig.engine.summary().service;
  return (await rig.engine.commands.batches.add({ origin, source, options: {} })).jobIds;
}

function pause(rig: EngineRig) {
  const { origin } = rig.engine.summary().service;
  return rig.engine.commands.queue.pause({ origin, what: 'sending' });
}

function resume(rig: EngineRig) {
  const { origin } = rig.engine.summary().service;
  return rig.engine.commands.queue.resume({ origin });
}

const dataUrl = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;

describe('the picture of a row', () => {
  it('is in its request, byte for byte, and not what stands for it', async () => {
    const rig = await EngineRig.open();
    const table = new Table();
    table.write('boat.png');
    table.write('Media/tree.png', noisePng(9, 9));
    await add(rig, table.source(['boat.png', 'tree.png', table.at('boat.png')]));
    await rig.until(() => rig.service.asked.length === 3);
    const pictures = rig.service.asked.map(
      (body) => (JSON.parse(body) as { picture: string }).picture,
    );
    expect(pictures).toEqual([dataUrl(PNG), dataUrl(noisePng(9, 9)), dataUrl(PNG)]);
  });

  it('is part of what a duplicate is, wherever its file is', async () => {
    const rig = await EngineRig.open();
    const [one, other] = [new Table(), new Table()];
    one.write('boat.png');
    other.write('ship.png');
    other.write('else.png', noisePng(8, 8));
    await add(rig, one.source(['boat.png']));
    const plan = await rig.engine.commands.batches.plan({
      source: { ...other.source(['ship.png'], 'Same.csv') },
      options: {},
    });
    expect(plan.rows).toMatchObject([{ outcome: 'in-other-batch' }]);
    const different = await rig.engine.commands.batches.plan({
      source: other.source(['else.png'], 'Other.csv'),
      options: {},
    });
    expect(different.rows).toMatchObject([{ outcome: 'new' }]);
  });

  it('is not read with others that have more than 100 MB together', async () => {
    const { request } = storyboardProfile;
    const { picture, title } = request.columns;
    const names = ['one', 'two', 'three'];
    const profile = {
      ...storyboardProfile,
      request: {
        ...request,
        columns: { title, ...Object.fromEntries(names.map((name) => [name, picture])) },
        body: { title: '{{title}}', ...Object.fromEntries(names.map((n) => [n, `{{${n}}}`])) },
        preset: [],
        limits: [],
      },
    } as typeof storyboardProfile;
    const rig = await EngineRig.open({ profile });
    const table = new Table();
    for (const [index, name] of names.entries())
      table.write(`${name}.png`, Buffer.concat([blankPng(3, 3 + index), Buffer.alloc(35_000_000)]));
    const row = ['x', ...names.map((name) => `${name}.png`)].join(',');
    const content = ['title,one,two,three', row].join('\n');
    const [id = ''] = await add(rig, { name: 'Large.csv', content, folder: table.folder });
    await rig.until(async () => (await rig.engine.commands.jobs.show({ id })).job.state === 'held');
    const { job } = await rig.engine.commands.jobs.show({ id });
    expect(job.failure).toMatchObject({
      code: 'picture-unusable',
      message: 'The pictures of this video have more than 100 MB together. Make them smaller.',
    });
    expect(rig.service.asked).toEqual([]);
  });

  it('that changed after the check holds its row, and is sent once it is as before', async () => {
    const rig = await EngineRig.open();
    const table = new Table();
    table.write('boat.png');
    table.write('tree.png');
    await pause(rig);
    const [changed] = await add(rig, table.source(['boat.png', 'tree.png']));
    table.write('boat.png', noisePng(41, 31));
    await resume(rig);
    await rig.until(() => rig.service.asked.length === 1);
    const [held, sent] = await rig.jobs();
    expect(held).toMatchObject({
      state: 'held',
      failure: {
        code: 'picture-unusable',
        message:
          'The file “boat.png” is not the one that was checked. Restore it and release this video, or cancel it and add the table again.',
      },
    });
    expect(sent!.title).toBe('Row 2');
    table.write('boat.png');
    await rig.engine.commands.jobs.release({ ids: [changed!] });
    await rig.until(() => rig.service.asked.length === 2);
    expect(rig.service.asked[1]).toContain(dataUrl(PNG));
  });

  it('is not sent from elsewhere when a link takes its place after the check', async () => {
    const rig = await EngineRig.open();
    const table = new Table();
    table.write('boat.png');
    const outside = path.join(temporaryFolder(), 'boat.png');
    writeFileSync(outside, PNG);
    await pause(rig);
    await add(rig, table.source(['boat.png']));
    rmSync(table.at('boat.png'));
    symlinkSync(outside, table.at('boat.png'));
    await resume(rig);
    await rig.until(async () => (await rig.job(0)).state === 'held');
    expect((await rig.job(0)).failure?.message).toMatch(/^The file “boat.png” leads out of/);
    expect(rig.service.asked).toEqual([]);
  });

  it('that is gone holds its row, and says so', async () => {
    const rig = await EngineRig.open();
    const table = new Table();
    table.write('boat.png');
    await pause(rig);
    await add(rig, table.source(['boat.png']));
    rmSync(table.at('boat.png'));
    await resume(rig);
    await rig.until(async () => (await rig.job(0)).state === 'held');
    expect((await rig.job(0)).failure?.message).toMatch(/^The file “boat.png” is not in/);
    expect(rig.service.asked).toEqual([]);
  });

  it('is a part of its own in a form', async () => {
    const rig = await EngineRig.open(sending('part'));
    const table = new Table();
    table.write('boat.png');
    await add(rig, table.source(['boat.png']));
    await rig.until(() => rig.service.asked.length === 1);
    expect(JSON.parse(rig.service.asked[0] ?? '')).not.toHaveProperty('picture');
    expect(rig.service.askedFiles).toEqual([
      [{ property: 'picture', fileName: 'picture.png', mediaType: 'image/png', bytes: PNG }],
    ]);
  });

  it('is uploaded once for all rows that show it, and after that named', async () => {
    const uploads: string[] = [];
    const answers: UploadOutcome[] = [
      { kind: 'unavailable', failure: { code: 'service-unreachable', message: 'No.', says: [] } },
      { kind: 'uploaded', value: 'https://files.example/1', lifeMs: 3_600_000 },
    ];
    const rig = await EngineRig.open({
      ...sending('upload'),
      upload: ({ bytes }) => {
        uploads.push(hash('sha256', bytes));
        return Promise.resolve(answers.shift()!);
      },
    });
    const table = new Table();
    table.write('boat.png');
    await add(rig, table.source(['boat.png', 'boat.png', 'boat.png']));
    await rig.until(() => rig.service.asked.length === 3);
    expect(uploads).toEqual(Array(2).fill(hash('sha256', PNG)));
    for (const body of rig.service.asked) {
      expect(JSON.parse(body)).toMatchObject({ picture: 'https://files.example/1' });
    }
  });

  it('that the service does not take holds its row alone', async () => {
    const failure: Failure = {
      code: 'service-refused',
      message: 'Refused.',
      says: [],
      detail: 'No faces.',
    } as const;
    const rig = await EngineRig.open({
      ...sending('upload'),
      upload: ({ bytes }) =>
        Promise.resolve(
          bytes.equals(PNG)
            ? { kind: 'refused', failure }
            : { kind: 'uploaded', value: 'file-2', lifeMs: 3_600_000 },
        ),
    });
    const table = new Table();
    table.write('boat.png');
    table.write('tree.png', noisePng(8, 8));
    await add(rig, table.source(['boat.png', 'tree.png']));
    await rig.until(() => rig.service.asked.length === 1);
    expect(await rig.jobs()).toMatchObject([
      {
        state: 'held',
        failure: {
          code: 'picture-unusable',
          message:
            'The service does not take the file “boat.png”. Use another one, or remove it from this row.',
          detail: 'No faces.',
        },
      },
      { title: 'Row 2' },
    ]);
  });

  it('that the profile sends to an address that is missing holds its row, and no other', async () => {
    const failure: Failure = { code: 'picture-unusable', message: 'No files here.', says: [] };
    const rig = await EngineRig.open({
      ...sending('upload'),
      upload: () => Promise.resolve({ kind: 'no-endpoint', failure }),
    });
    const table = new Table();
    table.write('boat.png');
    await add(rig, table.source(['boat.png', '']));
    await rig.until(() => rig.service.asked.length === 1);
    expect(await rig.jobs()).toMatchObject([{ state: 'held', failure }, { title: 'Row 2' }]);
  });

  it('that an edit names is checked in the folder of the one before', async () => {
    const rig = await EngineRig.open();
    const table = new Table();
    table.write('boat.png');
    table.write('tree.png', noisePng(8, 8));
    writeFileSync(path.join(table.folder, '..', 'outside.png'), PNG);
    await pause(rig);
    const [id] = await add(rig, table.source(['boat.png']));
    const edit = (picture: string) =>
      rig.engine.commands.jobs.edit({ id: id!, values: { picture } });
    await expect(edit('../outside.png')).rejects.toThrow(/Picture: leads out of/);
    await expect(edit('none.png')).rejects.toThrow(/Picture: is not in the table/);
    await edit('tree.png');
    await resume(rig);
    await rig.until(() => rig.service.asked.length === 1);
    expect(rig.service.asked[0]).toContain(dataUrl(noisePng(8, 8)));
  });

  it('that an edit names by its full path may be anywhere, also in a row without a folder', async () => {
    const rig = await EngineRig.open();
    const table = new Table();
    table.write('boat.png');
    table.write('note.txt', 'just text');
    await pause(rig);
    const { folder: _, ...pasted } = table.source(['']);
    const [id] = await add(rig, pasted);
    const edit = (picture: string) =>
      rig.engine.commands.jobs.edit({ id: id!, values: { picture } });
    await expect(edit('boat.png')).rejects.toThrow(
      'Picture: is not a full path. Choose the file, or enter its full path.',
    );
    await expect(edit(table.at('note.txt'))).rejects.toThrow(/Picture: is not a picture/);
    await edit(table.at('boat.png'));
    const other = new Table();
    other.write('tree.png', noisePng(8, 8));
    await edit(other.at('tree.png'));
    await resume(rig);
    await rig.until(() => rig.service.asked.length === 1);
    expect(rig.service.asked[0]).toContain(dataUrl(noisePng(8, 8)));
  });
});

/** A table beside every kind of file that is no usable picture. */
function tableOfBadFiles(): Table {
  const table = new Table();
  const jpeg = Buffer.from('ffd8ffc0000b080010001001011100', 'hex');
  table.write('empty.png', '');
  table.write('text.png', 'just text');
  table.write('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>');
  table.write(
    'photo.heic',
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic0000')]),
  );
  table.write('moving.gif', 'GIF89a....');
  table.write('cut.png', PNG.subarray(0, PNG.length - 20));
  table.write('cut.jpg', jpeg);
  table.write(
    'print.jpg',
    Buffer.from('ffd8ffc00014080010001004011100021100031100041100ffd9', 'hex'),
  );
  table.write('bomb.png', blankPng(12_000, 12_000));
  table.write('moving.png', animatedPng());
  table.write('moving.webp', animatedWebp());
  table.write('active.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  table.write('page.svg', '<html><svg xmlns="http://www.w3.org/2000/svg"></svg></html></svg>');
  table.write(
    'moving.svg',
    '<svg xmlns="http://www.w3.org/2000/svg"><animate attributeName="x"/></svg>',
  );
  table.write('large.png');
  truncateSync(table.at('large.png'), 41 * 1024 * 1024);
  writeFileSync(path.join(table.folder, '..', 'outside.png'), PNG);
  symlinkSync('../outside.png', table.at('link.png'));
  symlinkSync('..', table.at('up'));
  symlinkSync('/dev/zero', table.at('zero.png'));
  mkdirSync(table.at('folder.png'));
  execFileSync('mkfifo', [table.at('pipe.png')]);
  table.write('good.png');
  return table;
}

/** With the chunk of an animation before its pixels. */
function animatedPng(): Buffer {
  const control = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex');
  return Buffer.concat([PNG.subarray(0, 33), control, PNG.subarray(33)]);
}

/** A WebP whose extended header says that it is animated. */
function animatedWebp(): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF    WEBPVP8X', 'latin1');
  bytes.writeUInt32LE(32, 4);
  bytes[20] = 0x02;
  return bytes;
}

// abuse.md 70
describe('a cell that names no usable picture', () => {
  it.each([
    ['none.png', 'is not in the table’s folder. Check the name, or put the file there.'],
    ['empty.png', 'is an empty file. Export it again.'],
    ['text.png', 'is not a picture. PNG, JPEG, WebP, AVIF and SVG are possible.'],
    [
      'drawing.svg',
      'is an SVG drawing with scripts, or with references to other files. Export it as PNG.',
    ],
    [
      'active.svg',
      'is an SVG drawing with scripts, or with references to other files. Export it as PNG.',
    ],
    ['photo.heic', 'is a picture in the format HEIC. Save it as PNG, JPEG or WebP.'],
    ['moving.gif', 'is a picture in the format GIF. Save it as PNG, JPEG or WebP.'],
    ['moving.png', 'is an animation. Export one of its pictures.'],
    ['moving.webp', 'is an animation. Export one of its pictures.'],
    ['moving.svg', 'is an animation. Export one of its pictures.'],
    ['page.svg', 'is not a picture. PNG, JPEG, WebP, AVIF and SVG are possible.'],
    ['cut.png', 'is a picture whose end is missing. Copy or export it again.'],
    ['cut.jpg', 'is a picture whose end is missing. Copy or export it again.'],
    ['print.jpg', 'has colours for printing (CMYK). Export it with RGB colours.'],
    ['bomb.png', 'has 144 megapixels, and at most 64 are possible. Export the picture smaller.'],
    ['large.png', 'has 43.0 MB, and at most 41.9 MB are possible here. Export it smaller.'],
    ['folder.png', 'is not a file. Enter the name of a file.'],
    ['pipe.png', 'is not a file. Enter the name of a file.'],
    ['zero.png', 'leads out of the table’s folder. Put the file into this folder.'],
    ['link.png', 'leads out of the table’s folder. Put the file into this folder.'],
    ['up/outside.png', 'leads out of the table’s folder. Put the file into this folder.'],
    ['../outside.png', 'leads out of the table’s folder. Put the file into this folder.'],
    ['/etc/passwd', 'leads out of the table’s folder. Put the file into this folder.'],
    [
      'https://example.com/a.png',
      'is an address. Save the picture beside the table, and enter the name of its file.',
    ],
    ['file:///etc/passwd', 'leads out of the table’s folder. Put the file into this folder.'],
    [
      'good.png | page.svg',
      'names several files, and one is possible. Enter several in the column “pictures”, or make a row for each.',
    ],
    [
      `none.png#sha256=${'0'.repeat(64)}`,
      'is not in the table’s folder. Check the name, or put the file there.',
    ],
  ])('is an error that says what to do: %s', async (name, says) => {
    const rig = await EngineRig.open();
    const table = tableOfBadFiles();
    const source = table.source(['good.png', name]);
    const plan = await rig.engine.commands.batches.plan({ source, options: {} });
    expect(plan.issues.map(({ message }) => message)).toEqual([`Row 3, picture: ${says}`]);
    expect(plan.issues[0]).toMatchObject({ row: 3, column: 'picture', severity: 'error' });
    expect(plan.invalidRows).toEqual([{ row: 3, name: 'Row 2' }]);
    expect(plan.samples.map(({ request }) => request !== null)).toEqual([true, false]);
    await expect(add(rig, source)).rejects.toThrow(says);
  });

  it('is checked again when the file is there', async () => {
    const table = tableOfBadFiles();
    const rig = await EngineRig.open();
    expect(await errorsOf(rig, table.source(['later.png']))).toHaveLength(1);
    table.write('later.png');
    expect(await errorsOf(rig, table.source(['later.png']))).toEqual([]);
    table.write('later.png', 'no longer');
    expect(await errorsOf(rig, table.source(['later.png']))).toHaveLength(1);
  });

  it('is every file for pasted text, which has no folder', async () => {
    const table = tableOfBadFiles();
    const rig = await EngineRig.open();
    const { folder: _folder, ...pasted } = table.source(['good.png']);
    expect(await errorsOf(rig, pasted)).toEqual([
      'Row 2, picture: is a file in a folder that is not known here. Put the table beside its files, and open it in the app or with spool run.',
    ]);
  });

  it('is a picture with transparent parts, where the service takes none', async () => {
    const table = tableOfBadFiles();
    table.write('glass.png', transparentPng());
    for (const limits of [{ formats: ['jpeg'] }, { isAlphaPossible: false }]) {
      const rig = await EngineRig.open(sending('data-url', limits));
      expect(await errorsOf(rig, table.source(['glass.png']))).toEqual([
        'Row 2, picture: has transparent parts, which this service does not take. Save it without transparency.',
      ]);
    }
  });
});

/** A PNG with red, green, blue and alpha. */
function transparentPng(): Buffer {
  return createCanvas(20, 10).toBuffer('image/png');
}

const JPEG = createCanvas(400, 200).toBuffer('image/jpeg');

describe('the voice of a row', () => {
  const WAV = Buffer.concat([Buffer.from('RIFF....WAVEfmt ', 'latin1'), Buffer.alloc(50)]);

  function tableWithVoice(): { readonly table: Table; readonly source: BatchSource } {
    const table = new Table();
    table.write('talk.wav', WAV);
    const source = {
      name: 'Table.csv',
      content: 'title,voice\nOne,talk.wav',
      folder: table.folder,
    };
    return { table, source };
  }

  /** A service on this computer. */
  const HERE = { newKey: () => Promise.resolve('a new key') };

  it('is an error of its cell where the service takes no such files', async () => {
    const { source } = tableWithVoice();
    const remote = await EngineRig.open();
    expect(await errorsOf(remote, source)).toEqual([
      'Row 2, voice: is a file that this service does not take. Render this row on this computer, or empty the cell.',
    ]);
    await expect(add(remote, source)).rejects.toThrow('is a file that this');
    expect(await errorsOf(await EngineRig.open(HERE), source)).toEqual([]);
  });

  it('holds its row if it turns out that the service takes no uploads', async () => {
    const rig = await EngineRig.open(HERE);
    await add(rig, tableWithVoice().source);
    await rig.until(async () => (await rig.job(0)).state === 'held');
    expect((await rig.job(0)).failure?.message).toMatch(/^This service takes no files such as/);
    expect(rig.service.asked).toEqual([]);
  });

  it('holds its row when the file is no longer the one that was checked', async () => {
    const rig = await EngineRig.open(HERE);
    const { table, source } = tableWithVoice();
    await pause(rig);
    await add(rig, source);
    table.write('talk.wav', Buffer.concat([WAV, WAV]));
    await resume(rig);
    await rig.until(async () => (await rig.job(0)).state === 'held');
    expect((await rig.job(0)).failure?.message).toMatch(/^The file “talk.wav” is not the one/);
  });
});

describe('the captions of a row', () => {
  const SRT = '1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i>\n';
  const CAPTIONS = [{ from: 1, text: 'Hello', to: 2.5 }];

  function tableWith(captions: string) {
    const table = new Table();
    table.write('talk.srt', SRT);
    const content = `title,captions,seconds\nOne,${captions},2`;
    return { table, source: { name: 'Spoken.csv', content, folder: table.folder } };
  }

  it('are in its request as they are in their file, without an upload', async () => {
    const rig = await EngineRig.open();
    await add(rig, tableWith('talk.srt').source);
    await rig.until(() => rig.service.asked.length === 1);
    expect(JSON.parse(rig.service.asked[0]!)).toMatchObject({ title: 'One', captions: CAPTIONS });
  });

  it('are text in its request, if the cell holds no file', async () => {
    const rig = await EngineRig.open();
    await add(rig, tableWith('Note: hello.').source);
    await rig.until(() => rig.service.asked.length === 1);
    expect(JSON.parse(rig.service.asked[0]!)).toMatchObject({ captions: 'Note: hello.' });
  });

  it('hold their row if the file is no longer the one that was checked', async () => {
    const rig = await EngineRig.open();
    const { table, source } = tableWith('talk.srt');
    await pause(rig);
    await add(rig, source);
    table.write('talk.srt', SRT.replace('Hello', 'Bye'));
    await resume(rig);
    await rig.until(async () => (await rig.job(0)).state === 'held');
    expect((await rig.job(0)).failure?.message).toMatch(/^The file “talk.srt” is not the one/);
    expect(rig.service.asked).toEqual([]);
  });

  it('are a warning if they go on after the row’s length', async () => {
    const rig = await EngineRig.open();
    expect(await errorsOf(rig, tableWith('talk.srt').source)).toEqual([
      'Row 2, captions: goes on after the length of 2 s. Later captions are not shown.',
    ]);
  });

  it('are no thumbnail of their row', async () => {
    const rig = await EngineRig.open();
    const { source } = tableWith('talk.srt');
    const { rows } = await rig.engine.commands.batches.plan({ source, options: {} });
    expect(rows[0]).not.toHaveProperty('picture');
  });
});

describe('the font of a row', () => {
  const FONT = readFileSync('resources/fonts/newsreader-latin.woff2');

  function tableWith(...titles: readonly string[]) {
    const table = new Table();
    table.write('own.woff2', FONT);
    const rows = titles.map((title) => `${title},own.woff2`);
    const content = ['title,schriftart', ...rows].join('\n');
    return { table, source: { name: 'Fonts.csv', content, folder: table.folder } };
  }

  it('is a warning of the rows with characters that it lacks', async () => {
    const rig = await EngineRig.open({ profile: TAKES_UPLOADS });
    expect(await errorsOf(rig, tableWith('Café', 'Ωmega').source)).toEqual([
      'Row 3, schriftart: has no Ω. These characters are drawn in another font.',
    ]);
  });

  it('is an error if it is no font', async () => {
    const rig = await EngineRig.open({ profile: TAKES_UPLOADS });
    const { table, source } = tableWith('One');
    table.write('own.woff2', PNG);
    expect(await errorsOf(rig, source)).toEqual([
      'Row 2, schriftart: is not a font. TTF, OTF and WOFF2 are possible.',
    ]);
  });

  it('is uploaded, and holds its row if it changed since it was checked', async () => {
    const uploaded: unknown[] = [];
    const upload = ({ mediaType, bytes }: FilePart): Promise<UploadOutcome> => {
      uploaded.push([mediaType, bytes.length]);
      return Promise.resolve({ kind: 'uploaded', value: 'img_font', lifeMs: 600_000 });
    };
    const rig = await EngineRig.open({ upload, profile: TAKES_UPLOADS });
    const { table, source } = tableWith('One');
    await add(rig, source);
    await rig.until(() => rig.service.asked.length === 1);
    expect(JSON.parse(rig.service.asked[0]!)).toMatchObject({ font: { asset: 'img_font' } });
    expect(uploaded).toEqual([['font/woff2', FONT.length]]);
    await pause(rig);
    const two = { ...source, name: 'Two.csv', content: source.content.replace('One', 'Two') };
    await add(rig, two);
    table.write('own.woff2', FONT.subarray(0, -4));
    await resume(rig);
    await rig.until(async () => (await rig.job(1)).state === 'held');
    expect(rig.service.asked).toHaveLength(1);
  });
});

describe('the brand of a row', () => {
  async function branded() {
    const rig = await EngineRig.open();
    const table = new Table();
    table.write('brands.csv', 'brand,accent,logo\nNorth,#102030,boat.png');
    table.write('boat.png');
    await pause(rig);
    const content = 'title,brand\nOne,North';
    const [id = ''] = await add(rig, { name: 'Films.csv', content, folder: table.folder });
    return { rig, table, id };
  }

  it('is in its request as it was when the row was added', async () => {
    const { rig, table } = await branded();
    table.write('brands.csv', 'brand,accent\nNorth,#ffffff');
    await resume(rig);
    await rig.until(() => rig.service.asked.length === 1);
    expect(JSON.parse(rig.service.asked[0]!)).toMatchObject({
      theme: { accent: '#102030' },
      logo: dataUrl(PNG),
    });
    expect(JSON.parse(rig.service.asked[0]!)).not.toHaveProperty('brand');
  });

  it('is not changed in the queue, where the values that it gave are', async () => {
    const { rig, id } = await branded();
    const edit = (values: Record<string, string>) => rig.engine.commands.jobs.edit({ id, values });
    await expect(edit({ brand: 'South' })).rejects.toThrow(
      'Brand: is applied when a table is added. Change the other fields of this video instead.',
    );
    await edit({ accent: '#405060' });
    await resume(rig);
    await rig.until(() => rig.service.asked.length === 1);
    expect(JSON.parse(rig.service.asked[0]!)).toMatchObject({ theme: { accent: '#405060' } });
  });
});

describe('a picture that the service does not take as it is', () => {
  /** Converts, and notes how. */
  function fitting(made: Buffer | null = JPEG) {
    const fits: PictureFit[] = [];
    const fitPicture: FitPicture = (_bytes, fit) => {
      fits.push(fit);
      return Promise.resolve(made);
    };
    return { fits, fitPicture };
  }

  it.each([
    ['has more pixels', { maxSide: 400 }, { maxSide: 400, format: 'png' }],
    ['has more bytes than base64 allows', { maxBytes: 8000 }, { maxBytes: 6000, format: 'png' }],
    ['has another format', { formats: ['webp'] }, { format: 'webp' }],
  ] as const)('because it %s is converted, and the plan says so', async (_, limits, wanted) => {
    const png = createCanvas(4000, 3000);
    png.getContext('2d').fillRect(0, 0, 3000, 3000);
    const made =
      wanted.format === 'webp'
        ? createCanvas(80, 60).toBuffer('image/webp')
        : createCanvas(400, 300).toBuffer('image/png');
    const { fits, fitPicture } = fitting(made);
    const rig = await EngineRig.open({ ...sending('data-url', limits), fitPicture });
    const table = new Table();
    table.write('boat.png', png.toBuffer('image/png'));
    const plan = await rig.engine.commands.batches.plan({
      source: table.source(['boat.png']),
      options: {},
    });
    expect(plan.issues).toMatchObject([
      { row: 2, column: 'picture', severity: 'warning', kind: 'picture-fitted' },
    ]);
    expect(plan.issues[0]?.message).toMatch(/^Row 2, picture: is PNG with 4000 × 3000 pixels\. It/);
    await add(rig, table.source(['boat.png']));
    await rig.until(() => rig.service.asked.length === 1);
    expect(fits).toMatchObject([wanted]);
    const sent = JSON.parse(rig.service.asked[0]!) as { picture: string };
    expect(sent.picture).toBe(`data:image/${wanted.format};base64,${made.toString('base64')}`);
  });

  it('is turned where the service ignores its metadata, and only there', async () => {
    const table = new Table();
    table.write('photo.jpg', turnedJpeg(JPEG, 6));
    table.write('upright.jpg', turnedJpeg(JPEG, 1));
    table.write('upside-down.jpg', turnedJpeg(JPEG, 3));
    const { fits, fitPicture } = fitting();
    const rig = await EngineRig.open({ ...sending('data-url', { upright: true }), fitPicture });
    const source = table.source(['photo.jpg', 'upright.jpg', 'upside-down.jpg']);
    const { issues } = await rig.engine.commands.batches.plan({ source, options: {} });
    expect(issues.map(({ message }) => message)).toEqual([
      'Row 2, picture: is JPEG with 400 × 200 pixels. It is sent as JPEG with at most 200 × 400.',
      'Row 4, picture: is JPEG with 400 × 200 pixels. It is sent as JPEG with at most 400 × 200.',
    ]);
    await add(rig, source);
    await rig.until(() => rig.service.asked.length === 3);
    expect(fits).toHaveLength(2);
    const other = await EngineRig.open({ ...sending('data-url'), fitPicture });
    expect(await errorsOf(other, source)).toEqual([]);
  });

  it('is uploaded as it was converted, once', async () => {
    const table = new Table();
    table.write(
      'drawing.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>',
    );
    const made = createCanvas(20, 20).toBuffer('image/png');
    const uploads: Buffer[] = [];
    const rig = await EngineRig.open({
      ...sending('upload'),
      fitPicture: fitting(made).fitPicture,
      upload: ({ bytes, mediaType }) => {
        expect(mediaType).toBe('image/png');
        uploads.push(bytes);
        return Promise.resolve({ kind: 'uploaded', value: 'file-1', lifeMs: 3_600_000 });
      },
    });
    await add(rig, table.source(['drawing.svg', 'drawing.svg']));
    await rig.until(() => rig.service.asked.length === 2);
    expect(uploads).toEqual([made]);
  });

  it.each([
    ['cannot be converted', null],
    ['is larger than wanted afterwards', createCanvas(500, 9).toBuffer('image/png')],
    ['is something else afterwards', Buffer.from('<html>')],
  ])('holds its row if it %s', async (_, made) => {
    const table = new Table();
    table.write('boat.png', noisePng(900, 30));
    const { fitPicture } = fitting(made);
    const rig = await EngineRig.open({ ...sending('data-url', { maxSide: 400 }), fitPicture });
    await add(rig, table.source(['boat.png']));
    await rig.until(async () => (await rig.job(0)).state === 'held');
    expect((await rig.job(0)).failure?.message).toBe(
      'The picture “boat.png” could not be converted to what the service takes. Export it smaller, as JPEG or PNG.',
    );
    expect(rig.service.asked).toEqual([]);
  });
});

describe('several pictures of a row', () => {
  const [ONE, OTHER] = [noisePng(9, 9), noisePng(8, 8)];
  const tableOf = (...cells: string[]) => {
    const table = new Table();
    table.write('boat, red.png');
    table.write('Media/one.png', ONE);
    table.write('other.png', OTHER);
    return { table, source: table.source(cells, 'Table.csv', 'pictures') };
  };
  const galleriesAt = (rig: EngineRig): unknown[] =>
    rig.service.asked.map((body) => {
      const { scenes } = JSON.parse(body) as { scenes: { kind: string; images?: string[] }[] };
      return scenes.find(({ kind }) => kind === 'gallery')?.images;
    });

  it('are in its request in their order, separated by bars or line breaks', async () => {
    const rig = await EngineRig.open();
    const { source } = tableOf('boat, red.png | one.png', 'one.png\nother.png', 'other.png', '|');
    await add(rig, source);
    await rig.until(() => rig.service.asked.length === 4);
    expect(galleriesAt(rig)).toEqual([
      [dataUrl(PNG), dataUrl(ONE)],
      [dataUrl(ONE), dataUrl(OTHER)],
      [dataUrl(OTHER)],
      undefined,
    ]);
  });

  it('are errors of their cell, each with its name', async () => {
    const rig = await EngineRig.open();
    const { table } = tableOf();
    table.write('empty.png', '');
    const twelve = Array.from({ length: 13 }, () => 'other.png').join('|');
    const cells = ['none.png|other.png|empty.png', twelve, 'other.png, one.png'];
    const source = table.source(cells, 'Table.csv', 'pictures');
    expect(await errorsOf(rig, source)).toEqual([
      'Row 2, pictures: The file “none.png” is not in the table’s folder. Check the name, or put the file there.',
      'Row 2, pictures: The file “empty.png” is an empty file. Export it again.',
      expect.stringMatching(/^Row 3, pictures: .*13.*12/),
      'Row 4, pictures: The file “other.png, one.png” is not in the table’s folder. If it is several files, separate them with | or line breaks.',
    ]);
    await expect(add(rig, source)).rejects.toThrow('The file “none.png” is not');
  });

  it('are compared by their bytes, and shown by the first', async () => {
    const rig = await EngineRig.open();
    const { table, source } = tableOf('one.png|other.png');
    await add(rig, source);
    table.write('same.png', OTHER);
    const cells = ['one.png|same.png', 'other.png|one.png'];
    const plan = await rig.engine.commands.batches.plan({
      source: table.source(cells, 'Other.csv', 'pictures'),
      options: {},
    });
    expect(plan.rows).toMatchObject([
      { outcome: 'in-other-batch', picture: `sha256:${hash('sha256', ONE)}` },
      { outcome: 'new', picture: `sha256:${hash('sha256', OTHER)}` },
    ]);
  });

  it('are uploaded once each', async () => {
    const uploaded: Buffer[] = [];
    const rig = await EngineRig.open({
      ...sending('upload', {}, 'pictures'),
      upload: ({ bytes }) => {
        uploaded.push(Buffer.from(bytes));
        return Promise.resolve({
          kind: 'uploaded',
          value: `file-${uploaded.length}`,
          lifeMs: 3_600_000,
        });
      },
    });
    await add(rig, tableOf('one.png|other.png|one.png', 'other.png').source);
    await rig.until(() => rig.service.asked.length === 2);
    expect(uploaded).toEqual([ONE, OTHER]);
    expect(galleriesAt(rig)).toEqual([['file-1', 'file-2', 'file-1'], ['file-2']]);
  });

  it('are changed in the queue', async () => {
    const rig = await EngineRig.open();
    await pause(rig);
    const { table, source } = tableOf('one.png|other.png');
    const [id = ''] = await add(rig, source);
    const edit = (pictures: string) => rig.engine.commands.jobs.edit({ id, values: { pictures } });
    const shown = async () => (await rig.engine.commands.jobs.show({ id })).row.values.pictures;
    expect(await shown()).toBe(`${table.at('Media/one.png')}\n${table.at('other.png')}`);
    await edit(`${table.at('other.png')}\n${table.at('boat, red.png')}`);
    await expect(edit('none.png')).rejects.toThrow('Pictures: The file “none.png” is not');
    await resume(rig);
    await rig.until(() => rig.service.asked.length === 1);
    expect(galleriesAt(rig)).toEqual([[dataUrl(OTHER), dataUrl(PNG)]]);
  });

  it('are an error if they are too much together', async () => {
    const rig = await EngineRig.open();
    const { table } = tableOf();
    // A check reads headers only.
    const wide = blankPng(3, 3);
    for (const at of [16, 20]) wide.writeUInt32BE(7900, at);
    table.write('wide.png', wide);
    table.write('heavy.png', Buffer.concat([PNG, Buffer.alloc(36_000_000)]));
    const times = (count: number, name: string) => Array(count).fill(name).join('|');
    const cells = [times(8, 'wide.png'), times(9, 'wide.png'), times(3, 'heavy.png')];
    expect(await errorsOf(rig, table.source(cells, 'Table.csv', 'pictures'))).toEqual([
      'Row 3, pictures: has pictures of more than 500 megapixels together. Make them smaller, or remove some.',
      'Row 4, pictures: The pictures of this video have more than 100 MB together. Make them smaller.',
    ]);
  });

  it('are parts of the same name in a form', async () => {
    const { profile = storyboardProfile } = sending('part', {}, 'pictures');
    const body = { title: '{{title}}', pictures: '{{pictures}}' };
    const request = { ...profile.request, body };
    const rig = await EngineRig.open({ profile: { ...profile, request } });
    await add(rig, tableOf('one.png|other.png').source);
    await rig.until(() => rig.service.asked.length === 1);
    expect(JSON.parse(rig.service.asked[0] ?? '')).toEqual({ title: 'Row 1' });
    const part = { property: 'pictures', fileName: 'picture.png', mediaType: 'image/png' };
    expect(rig.service.askedFiles).toEqual([
      [
        { ...part, bytes: ONE },
        { ...part, bytes: OTHER },
      ],
    ]);
  });

  it('are an error of their cell at a service that takes one', async () => {
    const rig = await EngineRig.open({
      profile: builtInProfile('runway'),
      origin: 'https://api.dev.runwayml.com',
    });
    const { table } = tableOf();
    const content = 'prompt,pictures\nA boat,other.png | Media/one.png\nA tree,other.png';
    const source = { name: 'Table.csv', content, folder: table.folder };
    expect(await errorsOf(rig, source)).toEqual([
      'Row 2, pictures: names several files, and one is possible. Keep one, or make a row for each.',
    ]);
  });

  it('hold their row if one is no longer the one that was checked', async () => {
    const rig = await EngineRig.open();
    await pause(rig);
    const { table, source } = tableOf('one.png|other.png', 'one.png');
    await add(rig, source);
    table.write('other.png', ONE);
    await resume(rig);
    await rig.until(() => rig.service.asked.length === 1);
    const [held, sent] = await rig.jobs();
    expect(held).toMatchObject({ state: 'held', failure: { code: 'picture-unusable' } });
    expect(sent!.title).toBe('Row 2');
  });
});
