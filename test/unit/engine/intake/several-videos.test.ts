import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BatchReadings } from '../../../../src/engine/intake/batch-readings.ts';
import {
  readBatch,
  type BatchReading,
  type ReadingOptions,
} from '../../../../src/engine/intake/read-batch.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

function read(lines: readonly string[], options: ReadingOptions = {}): BatchReading {
  const source = { name: 'Week.csv', content: Buffer.from(lines.join('\n')) };
  return readBatch(source, storyboardProfile.request, options);
}

function messagesOf({ errors }: BatchReading): string[] {
  return errors.map(({ message }) => message);
}

/** What distinguishes the videos, and a part of their requests. */
function videosOf({ rows }: BatchReading) {
  return rows.map(({ row, variant, title, body }) => {
    const { aspect } = JSON.parse(body) as { aspect: string };
    return { row, variant, title, aspect };
  });
}

describe('a cell with several shapes', () => {
  it.each([
    '"16:9, 9:16"',
    '16:9|9:16',
    '16:9;9:16',
    '16:9 und 9:16',
    '16:9 9:16',
    '"landscape, 9:16, 16:9"',
    '16/9 + 9/16',
    '16:9/9:16',
    '16:9 (landscape) / 9:16 (portrait)',
    'Quer- und Hochformat',
    '[16:9、９：１６]',
  ])('makes a video of each: %s', (cell) => {
    const reading = read(
      ['title;aspect', `Lake;${cell}`, 'Tree;1:1'].map((line) => line.replace(';', '\t')),
    );
    expect(messagesOf(reading)).toEqual([]);
    expect(videosOf(reading)).toMatchObject([
      { row: 2, title: 'Lake', aspect: '16:9' },
      { row: 2, title: 'Lake', aspect: '9:16' },
      { row: 3, variant: '', title: 'Tree', aspect: '1:1' },
    ]);
    expect(new Set(reading.rows.map(({ bodySha256 }) => bodySha256)).size).toBe(3);
    expect(reading.rowCount).toBe(2);
    expect(reading.rows.map(({ index }) => index)).toEqual([1, 1, 2]);
  });

  it('with one that the service lacks is an error, whose fix leaves it out', () => {
    const reading = read(['title,aspect', 'Lake,"16:9, 21:9, 1:1"']);
    expect(reading.rows).toEqual([]);
    expect(reading.errors).toMatchObject([
      { row: 2, column: 'aspect', cell: '16:9, 21:9, 1:1', fix: { value: '16:9, 1:1' } },
    ]);
    expect(messagesOf(reading)[0]).toMatch(/^Row 2, aspect: “21:9” is not one of/);
    const fixed = read(['title,aspect', 'Lake,"16:9, 21:9, 1:1"'], {
      edits: { '2': { aspect: '16:9, 1:1' } },
    });
    expect(videosOf(fixed).map(({ variant }) => variant)).toEqual(['16:9', '1:1']);
  });

  it('with one that a limit between columns excludes is an error of that shape alone', () => {
    const source = {
      name: 'Week.csv',
      content: Buffer.from('prompt,size,model\nA lake,"16:9, 960:960",gen4.5\n'),
    };
    const { errors } = readBatch(source, builtInProfile('runway').request);
    expect(errors).toMatchObject([
      { column: 'size', cell: '16:9, 960:960', fix: { value: '16:9' } },
    ]);
  });

  it.each(['"16,9"', '16:9;', '"16:9, 16:9"', 'landscape 16:9'])(
    'is one value where the text means one ratio: %s',
    (cell) => {
      expect(videosOf(read(['title,aspect', `Lake,${cell}`]))).toMatchObject([
        { variant: '', aspect: '16:9' },
      ]);
    },
  );

  it.each(['all', 'Alle Formate'])('with “%s” makes a video of each that there is', (cell) => {
    expect(videosOf(read(['title,aspect', `Lake,${cell}`])).map(({ aspect }) => aspect)).toEqual([
      '16:9',
      '9:16',
      '1:1',
      '4:5',
    ]);
  });

  it.each(['9:16 or 1:1', '16:9 (portrait) 4:4', 'not 16:9, but 9:16', 'both'])(
    'is an error where it may mean something else: %s',
    (cell) => {
      expect(read(['title,aspect', `Lake,"${cell}"`]).errors).toMatchObject([{ column: 'aspect' }]);
    },
  );

  it.each([
    ['runway', 'prompt,size', 'hochkant, 16x9', ['720:1280', '1280:720']],
    ['fal', 'prompt,aspect', 'vertical|square', ['9:16', '1:1']],
  ] as const)('is understood alike at every service: %s', (service, header, cell, expected) => {
    const source = { name: 'Week.csv', content: Buffer.from(`${header}\nA lake,"${cell}"\n`) };
    const { rows } = readBatch(source, builtInProfile(service).request);
    const column = header.split(',')[1]!;
    expect(rows.map(({ values }) => new Map(values).get(column))).toEqual(expected);
  });
});

describe('columns for languages', () => {
  const LINES = ['title[de],title[en],message[de],message[en],aspect', 'See,Lake,Ruhig.,Calm.,'];

  it('make a video in each language', () => {
    const reading = read(LINES);
    expect(messagesOf(reading)).toEqual([]);
    expect(videosOf(reading)).toMatchObject([
      { row: 2, variant: 'de', title: 'See' },
      { row: 2, variant: 'en', title: 'Lake' },
    ]);
    expect(reading.rows[1]!.body).toContain('Calm.');
    expect(reading.rows[1]!.body).not.toContain('Ruhig.');
    expect(reading.rows.map(({ values }) => new Map(values).get('language'))).toEqual(['de', 'en']);
    expect(reading.languages).toEqual(['de', 'en']);
    expect(reading.warnings).toEqual([]);
    expect(
      reading.fields.flatMap(({ name, from }) => (from === null ? [] : [[name, from]])),
    ).toEqual([
      ['title[de]', 'title[de]'],
      ['title[en]', 'title[en]'],
      ['message[de]', 'message[de]'],
      ['message[en]', 'message[en]'],
      ['aspect', 'aspect'],
    ]);
  });

  it('make a video of each shape in each language', () => {
    const reading = read([LINES[0]!, 'See,Lake,Ruhig.,Calm.,9:16|1:1']);
    expect(videosOf(reading).map(({ variant }) => variant)).toEqual([
      '9:16 · de',
      '1:1 · de',
      '9:16 · en',
      '1:1 · en',
    ]);
  });

  it.each([
    'title_de,title_en',
    'Titel (DE),Titel (EN)',
    'Titel DE,Headline-en',
    'Title German,Title English',
    'Titel (deutsch),Titel (englisch)',
    'title.de,title[en]',
    'title［de］,title［en］',
  ])('may be written otherwise: %s', (header) => {
    const reading = read([header, 'See,Lake']);
    expect(messagesOf(reading)).toEqual([]);
    expect(videosOf(reading)).toMatchObject([
      { variant: 'de', title: 'See' },
      { variant: 'en', title: 'Lake' },
    ]);
  });

  it.each([
    ['title,title_pt_BR', ['', 'pt-br']],
    ['title,message_de,message_en', ['de', 'en']],
    ['title,Titel (deutsch)', ['', 'de']],
  ])('beside a plain column may be written otherwise, too: %s', (header, expected) => {
    const row = header.replace(/[^,]+/g, 'a');
    expect(videosOf(read([header, row])).map(({ variant }) => variant)).toEqual(expected);
  });

  it.each([
    'title,title_id',
    'title,message_no',
    'title,title_nr',
    'title,title (old)',
    'title,message_de',
    'title,quote_by',
    'Title (English),message',
  ])('are none where the header may say something else: %s', (header) => {
    expect(videosOf(read([header, 'a,b']))).toMatchObject([{ variant: '', title: 'a' }]);
  });

  it('make videos of rows that have nothing else', () => {
    const lines = ['title_de,title_en,aspect', 'Rot,Red,1:1', '2025,2025,', '2026,2026,'];
    expect(videosOf(read(lines)).map(({ row }) => row)).toEqual([2, 2, 3, 3, 4, 4]);
  });

  it('are asked about where two are for one language', () => {
    const lines = ['title,title_de,Titel (deutsch)', 'Lake,See,Teich'];
    const reading = read(lines);
    expect(reading.errors).toMatchObject([{ kind: 'columns-alike', column: 'title[de]' }]);
    const columns = { 'title[de]': 'Titel (deutsch)' };
    expect(videosOf(read(lines, { columns })).map(({ title }) => title)).toEqual(['Lake', 'Teich']);
  });

  it('with a column without one make a video of the original, too', () => {
    const reading = read(['Titel [DE],Headline', 'See,Lake']);
    expect(videosOf(reading)).toMatchObject([
      { variant: '', title: 'Lake' },
      { variant: 'de', title: 'See' },
    ]);
  });

  it('without a translation are an error of its cell, whose fix is the other text', () => {
    const reading = read([LINES[0]!, 'See,,,,', 'See,Lake,,Calm.,']);
    expect(reading.rows).toEqual([]);
    expect(reading.errors).toMatchObject([
      { row: 2, column: 'title[en]', cell: '', fix: { value: 'See' } },
      { row: 3, column: 'message[de]', cell: '', fix: { value: 'Calm.' } },
    ]);
    expect(messagesOf(reading)[0]).toBe(
      'Row 2, title[en]: is empty, and another language has a text. Enter the translation, or use that text.',
    );
    const edits = { '2': { 'title[en]': 'See' }, '3': { 'message[de]': 'Ruhig.' } };
    expect(read([LINES[0]!, 'See,,,,', 'See,Lake,,Calm.,'], { edits }).rows).toHaveLength(4);
  });

  it('name the file of each language that is missing, also beside other errors', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'ok.srt'), '1\n00:00:00,000 --> 00:00:02,000\nHallo\n');
    const lines = [
      'title[de],title[en],Captions[de],Captions[en],seconds,picture',
      'Eins,One,ok.srt,one.srt,5,',
      'Zwei,Two,zwei.srt,two.srt,5,',
      'Drei,Three,drei.srt,three.srt,long,',
      'Vier,Four,ok.srt,ok.srt,5,four.png',
    ];
    const { errors, rows } = await new BatchReadings().read(
      { name: 'Week.csv', content: lines.join('\n'), folder },
      storyboardProfile.request,
    );
    expect(rows).toEqual([]);
    expect(errors.map(({ row, column, cell }) => [row, column, cell])).toEqual([
      [2, 'captions[en]', 'one.srt'],
      [3, 'captions[de]', 'zwei.srt'],
      [3, 'captions[en]', 'two.srt'],
      [4, 'seconds', 'long'],
      [4, 'captions[de]', 'drei.srt'],
      [4, 'captions[en]', 'three.srt'],
      [5, 'picture', 'four.png'],
    ]);
    expect(errors[0]?.message).toMatch(/^Row 2, Captions\[en\]: /);
  });

  it('are named in warnings of the texts and lengths of one language', () => {
    const long = 'Many words of a text that takes longer to read than it is shown here';
    const { warnings } = read([
      'title[de],title[en],message[de],message[en],Seconds[de],Seconds[en]',
      `Eins,One,Kurz,${long},2,2`,
      'Zwei,#REF! Two,Kurz,Short,5,5',
    ]);
    expect(warnings).toMatchObject([
      { row: 3, column: 'title[en]', cell: '#REF! Two' },
      {
        column: 'seconds[en]',
        message: expect.stringMatching(/^Row 2, Seconds\[en\]: /) as string,
      },
    ]);
  });

  it('that are missing for one field are an error of the file', () => {
    expect(messagesOf(read(['title[de],title[en],message[de]', 'See,Lake,Ruhig.']))).toEqual([
      '“message” has columns for other languages, but none for “en”. Add the column “message[en]”.',
    ]);
    expect(messagesOf(read(['title,title[de],message[de]', 'Lake,See,Ruhig.']))).toEqual([
      expect.stringMatching(/^“message” only has columns for single languages/),
    ]);
  });

  it('are others where the header is a name of its own, or was chosen', () => {
    expect(read(['title,notes[de]', 'Lake,Ruhig.']).rows).toMatchObject([{ variant: '' }]);
    const chosen = read(['title[de],title[en]', 'See,Lake'], { columns: { title: 'title[en]' } });
    expect(videosOf(chosen)).toMatchObject([{ variant: '', title: 'Lake' }]);
    const without = read(LINES, { columns: { 'title[de]': null, 'message[de]': null } });
    expect(videosOf(without)).toMatchObject([{ variant: 'en', title: 'Lake' }]);
  });
});
