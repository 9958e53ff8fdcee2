import { expect, test } from 'vitest';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

function read(content: string): BatchReading {
  return readBatch({ name: 'a.csv', content }, storyboardProfile.request);
}

const warningsOf = (content: string): string[] =>
  read(content).warnings.map(({ message }) => message);

const LONG = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');

test('warns of texts that nobody can read in their seconds', () => {
  const { rows, warnings } = read(`title,message,Dauer\nA,${LONG},5\nB,${LONG},25\nC,${LONG},\n`);
  expect(rows).toHaveLength(3);
  expect(warnings).toMatchObject([
    {
      severity: 'warning',
      kind: 'texts-too-long',
      row: 2,
      column: 'seconds',
      cell: '5',
      message: 'Row 2, Dauer: 5 s is too short to read 61 words, which takes about 22 s.',
    },
  ]);
});

test('counts words of scripts without spaces by their characters', () => {
  const message = '新製品のご紹介です'.repeat(10);
  expect(warningsOf(`title,message,seconds\nA,${message},5\nB,${message},20\n`)).toEqual([
    'Row 2, seconds: 5 s is too short to read 46 words, which takes about 17 s.',
  ]);
});

const TIMED = 'title,message,countdown,seconds\nA,Hi,5,4\nB,Hi,5,7\nC,Hi,,1\n';

test('refuses scenes that do not fit, with the lengths that they have themselves', () => {
  const { rows, errors, warnings } = read(TIMED);
  expect(rows).toHaveLength(2);
  expect(warnings).toEqual([]);
  expect(errors).toMatchObject([
    {
      row: 2,
      column: 'seconds',
      cell: '4',
      message: 'Row 2, seconds: 4 s is too short for the scenes, which need at least 6 s.',
    },
  ]);
});

test('only warns of them where a request’s service is not known to refuse them', () => {
  const { body } = storyboardProfile.request;
  const source = { name: 'a.csv', content: TIMED };
  const { errors, warnings } = readBatch(source, storyboardProfile.request, { template: { body } });
  expect(errors).toEqual([]);
  expect(warnings).toMatchObject([{ kind: 'scenes-too-long', row: 2 }]);
});

test('refuses a length that is too short for the pictures of a row', () => {
  const three = '1.jpg | 2.jpg | 3.jpg';
  const { errors } = read(`title,pictures,seconds\nA,${three},1\nB,${three},2\nC,1.jpg,1\n`);
  expect(errors.map(({ message }) => message)).toEqual([
    'Row 2, seconds: 1 s is too short for the scenes, which need at least 2 s.',
  ]);
});

test('does not count what is not drawn', () => {
  const options = { template: { body: { prompt: '{{title}}', duration: '{{seconds}}' } } };
  const source = { name: 'a.csv', content: `title,seconds\n${LONG},1\n` };
  expect(readBatch(source, storyboardProfile.request, options).warnings).toEqual([]);
});

test.each([
  ['6,5,7,60,6,8', ['Row 5, seconds: 60 s is far from the other lengths, which are about 7 s.']],
  ['30,30,1,30,45', ['Row 4, seconds: 1 s is far from the other lengths, which are about 30 s.']],
  ['6,5,7,20,6,8', []],
  ['5,5,5,60,60,60,5', []],
  ['5,5,5,60', []],
])('warns of a length far from all others: %s', (lengths, expected) => {
  const rows = lengths.split(',').map((length, at) => `Row ${at},${length}`);
  expect(warningsOf(['title,seconds', ...rows].join('\n'))).toEqual(expected);
});

test('names the file of such a row', () => {
  const source = {
    name: 'a.csv',
    content: 'title,seconds\nA,5\nB,5\nC,5\n',
    further: [{ name: 'b.csv', content: 'title,seconds\nD,5\nE,90\n' }],
  };
  const { warnings } = readBatch(source, storyboardProfile.request);
  expect(warnings.map(({ message, row }) => [row, message])).toEqual([
    [7, '“b.csv”: Row 3, seconds: 90 s is far from the other lengths, which are about 5 s.'],
  ]);
});
