import { expect, test } from 'vitest';
import type { MisfitText } from '../../../../src/engine/check-layouts.ts';
import { misfitTexts } from '../../../../src/engine/commands/misfit-texts.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { storyboardSchema } from '../../../../src/local-service/rendering/storyboard.ts';

const LONG = 'Many words that take more space than a frame has. '.repeat(4).trim();

function readingOf(lines: readonly string[]) {
  const reading = readBatch(
    { name: 'a.csv', content: lines.join('\n') },
    storyboardProfile.request,
  );
  expect(reading.errors).toEqual([]);
  return reading;
}

/** The warnings, and the requests that were checked. */
async function warningsOf(lines: readonly string[], answer: readonly MisfitText[][] | null) {
  const reading = readingOf(lines);
  const asked: unknown[] = [];
  const issues = await misfitTexts(reading.rows, reading, (requests) => {
    asked.push(...requests);
    return Promise.resolve(answer);
  });
  return { issues, asked };
}

test('warns of the cell whose text would be too small, with the characters that fit', async () => {
  const lines = ['Title,message', 'Short,Short', `Other,${LONG}`];
  const [page] = LONG.split('. ');
  const { issues, asked } = await warningsOf(lines, [
    [
      { text: page!, kind: 'too-long', fits: 90 },
      { text: LONG, kind: 'too-long', fits: 90 },
    ],
  ]);
  // Only the row that may have an error is checked.
  expect(asked).toMatchObject([{ title: 'Other' }]);
  expect(issues).toMatchObject([
    {
      severity: 'warning',
      kind: 'text-too-small',
      row: 3,
      column: 'message',
      message: 'Row 3, message: would be too small to read on a phone. About 90 characters fit.',
    },
  ]);
});

test('names the column of the language, and a cell of several shapes once', async () => {
  const lines = ['title[de],title[en],aspect', `Kurz,${LONG},"16:9, 9:16"`];
  const misfit: MisfitText = { text: LONG, kind: 'too-long', fits: 90 };
  const { issues } = await warningsOf(lines, [[misfit], [misfit]]);
  expect(issues).toMatchObject([{ row: 2, column: 'title[en]' }]);
  expect(issues).toHaveLength(1);
});

test('says of files only whether text stands on a picture or a clip', async () => {
  const lines = [
    'Title,message,music file,voice,logo,font,picture,clip',
    `Both,${LONG},a.mp3,b.mp3,c.png,d.ttf,e.png,f.mp4`,
    `Neither,${LONG},a.mp3,b.mp3,c.png,d.ttf,,`,
  ];
  const { asked } = await warningsOf(lines, [[], []]);
  const background = { asset: 'any' };
  const plain = {
    title: 'Neither',
    scenes: [
      { kind: 'title', text: 'Neither' },
      { kind: 'text', text: LONG },
    ],
    aspect: '16:9',
    fps: 30,
    look: 'picture',
    motion: 'full',
    resolution: 720,
    soundtrack: 'calm',
  };
  expect(asked).toEqual([
    {
      ...plain,
      title: 'Both',
      picture: 'any',
      scenes: [
        { kind: 'title', text: 'Both', background },
        { kind: 'text', text: LONG, background },
      ],
    },
    plain,
  ]);
  // Otherwise none of them would be checked.
  for (const request of asked) expect(storyboardSchema.safeParse(request).success).toBe(true);
});

test('warns of words that would be broken, in lists and in names', async () => {
  const word = 'x'.repeat(40);
  const lines = ['Title,points,quote,by', `One,"A | ${word}",Said,${word}`];
  const { issues } = await warningsOf(lines, [
    [
      { text: word, kind: 'broken-word', fits: 20 },
      { text: `— ${word}`, kind: 'broken-word', fits: 20 },
      { text: 'Never in this row', kind: 'too-long', fits: 3 },
    ],
  ]);
  expect(issues.map(({ column, kind }) => [column, kind])).toEqual([
    ['points', 'text-word-broken'],
  ]);
});

test('warns of colours with too little contrast, with the one that is shown instead', async () => {
  const lines = ['Title,text colour,background', 'Plain,,', '#888888 is grey,#888888,#777777'];
  const { issues, asked } = await warningsOf(lines, [
    [{ text: '#888888', kind: 'low-contrast', nearest: '#ffffff' }],
  ]);
  expect(asked).toMatchObject([{ title: '#888888 is grey' }]);
  expect(issues).toMatchObject([
    {
      severity: 'warning',
      kind: 'colour-low-contrast',
      row: 3,
      message:
        'Row 3, text colour: has too little contrast with the background. #ffffff is shown instead.',
    },
  ]);
});

test('sends no picture, and warns of nothing that is not known', async () => {
  const lines = ['Title,message', `One,${LONG}`];
  const { issues, asked } = await warningsOf(lines, null);
  expect(issues).toEqual([]);
  expect(asked).toMatchObject([{ title: 'One' }]);
  expect(asked[0]).not.toHaveProperty('picture');
  const reading = readingOf(lines);
  expect(await misfitTexts(reading.rows, reading, undefined)).toEqual([]);
});
