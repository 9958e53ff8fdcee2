import { expect, test } from 'vitest';
import {
  readEditedRequest,
  type EditReading,
} from '../../../../src/engine/intake/edited-request.ts';
import { compileBody } from '../../../../src/engine/intake/request-body.ts';
import { requestTemplateSchema } from '../../../../src/engine/intake/request-template.ts';

const template = requestTemplateSchema.parse({
  columns: {
    title: { type: 'text', required: true },
    seconds: { type: 'number', min: 1, max: 60 },
    size: { type: 'choice', options: ['small', 'large'] },
    model: { type: 'choice', options: ['fast', 'good'], default: 'fast' },
    image: { type: 'text', maxLength: 10 },
  },
  title: 'title',
  body: {
    model: '{{model}}',
    duration: '{{seconds}}s',
    size: '{{size}}',
    parts: [
      { $if: 'image', kind: 'image', of: { src: '{{image}}' } },
      { kind: 'text', text: '{{title}}' },
    ],
  },
  preset: [{ column: 'model' }, { column: 'seconds', step: 5 }, { column: 'size' }],
  limits: [{ when: [{ column: 'model', is: ['fast'] }], column: 'size', options: ['small'] }],
});

const fill = compileBody(template.body);
const values = new Map<string, string | number>([
  ['title', 'One'],
  ['seconds', 12],
  ['size', 'small'],
  ['model', 'fast'],
]);
const body = fill(values);
const request = JSON.parse(body) as Record<string, never>;

function edit(change: Record<string, unknown>, before = body): EditReading {
  const edited = { ...request, ...change } as Parameters<typeof readEditedRequest>[2];
  return readEditedRequest(template, { body: before, cells: { title: 'One' } }, edited);
}

test('a request that was not changed is the row’s, byte for byte', () => {
  expect(edit({})).toMatchObject({
    kind: 'request',
    request: { body, preset: 'model=fast seconds=10+ size=small' },
  });
});

test('a value inside a text is checked, and part of the preset', () => {
  expect(edit({ duration: '21s' })).toMatchObject({
    request: { preset: 'model=fast seconds=20+ size=small' },
  });
  expect(edit({ duration: '90s' })).toMatchObject({
    kind: 'faulty',
    fault: { column: 'duration', message: 'duration: “90” is not between 1 and 60.' },
  });
});

test('a limit that depends on another column applies to an edit of either', () => {
  const fault = { column: 'size', message: expect.stringContaining('“large”') as string };
  expect(edit({ size: 'large' })).toMatchObject({ kind: 'faulty', fault });
  const good = fill(new Map([...values, ['size', 'large'], ['model', 'good']]));
  expect(edit({ size: 'large', model: 'fast' }, good)).toMatchObject({ kind: 'faulty', fault });
  expect(edit({ size: 'large', model: 'good' })).toMatchObject({ kind: 'request' });
});

test('an element that the row did not have is recognised by what is constant in it', () => {
  const parts = (src: string) => [
    { kind: 'image', of: { src } },
    { kind: 'text', text: 'Two' },
  ];
  expect(edit({ parts: parts('a.png') })).toMatchObject({
    request: { body: fill(new Map([...values, ['image', 'a.png'], ['title', 'Two']])) },
  });
  expect(edit({ parts: parts('a-long-name.png') })).toMatchObject({
    fault: {
      column: 'parts',
      message: expect.stringContaining('src: “a-long-name.png”') as string,
    },
  });
});

test('a value that was removed is missing if every video needs it', () => {
  expect(edit({ parts: [] })).toMatchObject({
    fault: { column: 'parts', message: 'text: is empty, and every video needs one.' },
  });
});
