import { expect, test } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import {
  requestTemplateSchema,
  type RequestTemplate,
} from '../../../../src/engine/intake/request-template.ts';

/** A model that takes three sizes with a picture and two without, and one that needs a picture. */
const template: RequestTemplate = requestTemplateSchema.parse({
  title: 'prompt',
  columns: {
    prompt: { type: 'text' },
    model: { type: 'choice', options: ['gen', 'turbo', 'free'], default: 'gen' },
    size: { type: 'choice', options: ['wide', 'tall', 'square'], aliases: ['ratio'] },
    seconds: { type: 'number', default: 5 },
    image: { type: 'text' },
    template: { type: 'text' },
  },
  body: { model: '{{model}}', size: '{{size}}', seconds: '{{seconds}}', image: '{{image}}' },
  preset: [],
  limits: [
    {
      when: [
        { column: 'model', is: ['gen'] },
        { column: 'image', isEmpty: true },
      ],
      column: 'size',
      options: ['wide', 'tall'],
    },
    { when: [{ column: 'model', is: ['turbo'] }], column: 'image', required: true },
    { when: [{ column: 'model', is: ['turbo'] }], column: 'seconds', options: [4, 6, 8] },
    { when: [{ column: 'template', isEmpty: true }], column: 'prompt', required: true },
  ],
});

function errors(...rows: string[]): string[] {
  const content = ['prompt,Model,Ratio,seconds,Image,template', ...rows].join('\n');
  return readBatch({ name: 'a.csv', content }, template).errors.map(({ message }) => message);
}

test('a value that another column’s value excludes is an error of its row, before anything is sent', () => {
  expect(
    errors(
      'A,gen,wide,,,',
      'B,gen,square,,,',
      'C,,square,,,',
      'D,gen,square,,https://a.example/1.png,',
      'E,free,square,7,,',
      'F,turbo,square,6,,',
      'G,turbo,square,5,https://a.example/1.png,',
      ',free,,,,',
      ',free,,,,t1',
      'H,gen,,,,',
    ),
  ).toEqual([
    'Row 3, Ratio: “square” is not possible with Model gen and no Image. Possible: wide, tall.',
    'Row 4, Ratio: “square” is not possible with Model gen and no Image. Possible: wide, tall.',
    'Row 7, Image: is empty, but Model turbo needs a value.',
    'Row 8, seconds: “5” is not possible with Model turbo. Possible: 4, 6, 8.',
    'Row 9, prompt: is empty, which is possible only with a value for template.',
  ]);
});

test('a limit of a column that does not exist is an error of the profile', () => {
  const limits = [{ when: [{ column: 'modle', is: ['gen'] }], column: 'sise', required: true }];
  const { error } = requestTemplateSchema.safeParse({ ...template, limits });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'There is no column “sise”.',
    'There is no column “modle”.',
  ]);
});
