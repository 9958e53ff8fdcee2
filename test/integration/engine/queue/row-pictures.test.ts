import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchSource } from '../../../../src/contract/batch.ts';
import type { Failure } from '../../../../src/contract/failure.ts';
import type { Column } from '../../../../src/engine/intake/column.ts';
import type { UploadOutcome } from '../../../../src/engine/service/upload.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { EngineRig, type EngineRigOptions } from '../../../rigs/engine-rig.ts';
import { blankPng, noisePng } from '../../../rigs/pictures.ts';
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

  source(pictures: readonly string[], name = 'Table.csv'): BatchSource {
    const rows = pictures.map((picture, index) => `Row ${index + 1},"${picture}"`);
    return { name, content: ['title,picture', ...rows].join('\n'), folder: this.folder };
  }
}

type Send = NonNullable<Extract<Column, { type: 'picture' }>['send']>;

/** The storyboard profile with another way to send pictures. */
function sending(send: Send, limits: object = {}): EngineRigOptions {
  const { request } = storyboardProfile;
  const picture = { ...request.columns.picture, send, ...limits } as Column;
  const columns = { ...request.columns, picture };
  return { profile: { ...storyboardProfile, request: { ...request, columns } } };
}

async function faultsOf(rig: EngineRig, source: BatchSource): Promise<string[]> {
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
          'The picture “boat.png” is not the one that was checked. Restore it and release this video, or cancel it and add the table again.',
      },
    });
    expect(sent!.title).toBe('Row 2');
    table.write('boat.png');
    await rig.engine.commands.jobs.release({ ids: [changed!] });
    await rig.until(() => rig.service.asked.length === 2);
    expect(rig.service.asked[1]).toContain(dataUrl(PNG));
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
    expect((await rig.job(0)).failure?.message).toMatch(/^The picture “boat.png” is not in/);
    expect(rig.service.asked).toEqual([]);
  });

  it('is a part of its own in a form', async () => {
    const rig = await EngineRig.open(sending('part'));
    const table = new Table();
    table.write('boat.png');
    await add(rig, table.source(['boat.png']));
    await rig.until(() => rig.service.asked.length === 1);
    expect(rig.service.asked[0]).not.toContain('picture');
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
      { state: 'held', failure: { code: 'picture-unusable', detail: 'No faces.' } },
      { title: 'Row 2' },
    ]);
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

// abuse.md 70
describe('a cell that names no usable picture', () => {
  it.each([
    ['none.png', 'is not in the table’s folder. Check the name, or put the picture there.'],
    ['empty.png', 'is an empty file. Export the picture again.'],
    ['text.png', 'is not a picture. PNG, JPEG and WebP are possible.'],
    ['drawing.svg', 'is a picture in the format SVG. Save it as PNG, JPEG or WebP.'],
    ['photo.heic', 'is a picture in the format HEIC. Save it as PNG, JPEG or WebP.'],
    ['moving.gif', 'is a picture in the format GIF. Save it as PNG, JPEG or WebP.'],
    ['cut.png', 'is a picture whose end is missing. Copy or export it again.'],
    ['cut.jpg', 'is a picture whose end is missing. Copy or export it again.'],
    ['print.jpg', 'has colours for printing (CMYK). Export it with RGB colours.'],
    ['bomb.png', 'has 144 megapixels, and at most 64 are possible. Export the picture smaller.'],
    [
      'large.png',
      'has 43.0 MB, and at most 41.9 MB are possible here. Export the picture smaller.',
    ],
    ['folder.png', 'is not a file. Enter the name of a picture.'],
    ['pipe.png', 'is not a file. Enter the name of a picture.'],
    ['zero.png', 'leads out of the table’s folder. Put the picture into this folder.'],
    ['link.png', 'leads out of the table’s folder. Put the picture into this folder.'],
    ['up/outside.png', 'leads out of the table’s folder. Put the picture into this folder.'],
    ['../outside.png', 'leads out of the table’s folder. Put the picture into this folder.'],
    ['/etc/passwd', 'leads out of the table’s folder. Put the picture into this folder.'],
    [
      'https://example.com/a.png',
      'is an address. Save the picture beside the table, and enter the name of its file.',
    ],
    [
      'file:///etc/passwd',
      'is an address. Save the picture beside the table, and enter the name of its file.',
    ],
    [
      `none.png#sha256=${'0'.repeat(64)}`,
      'is not in the table’s folder. Check the name, or put the picture there.',
    ],
  ])('is an error that says what to do: %s', async (name, says) => {
    const rig = await EngineRig.open();
    const table = tableOfBadFiles();
    const source = table.source(['good.png', name]);
    const plan = await rig.engine.commands.batches.plan({ source, options: {} });
    expect(plan.issues.map(({ message }) => message)).toEqual([`Row 3, picture: ${says}`]);
    expect(plan.issues[0]).toMatchObject({ row: 3, column: 'picture', severity: 'error' });
    expect(plan.faultyRows).toEqual([{ row: 3, name: 'Row 2' }]);
    expect(plan.samples.map(({ request }) => request !== null)).toEqual([true, false]);
    await expect(add(rig, source)).rejects.toThrow(says);
  });

  it('is checked again when the file is there', async () => {
    const table = tableOfBadFiles();
    const rig = await EngineRig.open();
    expect(await faultsOf(rig, table.source(['later.png']))).toHaveLength(1);
    table.write('later.png');
    expect(await faultsOf(rig, table.source(['later.png']))).toEqual([]);
    table.write('later.png', 'no longer');
    expect(await faultsOf(rig, table.source(['later.png']))).toHaveLength(1);
  });

  it('is every file for pasted text, which has no folder', async () => {
    const table = tableOfBadFiles();
    const rig = await EngineRig.open();
    const { folder: _folder, ...pasted } = table.source(['good.png']);
    expect(await faultsOf(rig, pasted)).toEqual([
      'Row 2, picture: is a file, and the folder of this table is not known, as of pasted text and in a browser. Open the table in the app or with spool run, beside its pictures.',
    ]);
  });

  it('is a picture that is too large in the request', async () => {
    const table = tableOfBadFiles();
    const rig = await EngineRig.open(sending('data-url', { maxBytes: 100, formats: ['jpeg'] }));
    expect(await faultsOf(rig, table.source(['good.png']))).toEqual([
      'Row 2, picture: is a picture in the format PNG, which this service does not take. Save it as JPEG.',
    ]);
    const other = await EngineRig.open(sending('data-url', { maxBytes: 100 }));
    expect(await faultsOf(other, table.source(['good.png']))).toHaveLength(1);
  });
});
