import { describe, expect, test } from 'vitest';
import { RefusedRequest } from '../../../src/renderer/state/refused-request.svelte.ts';

const REQUEST = {
  title: 'Launch',
  duration: 5,
  loop: true,
  scenes: [
    { kind: 'title', text: 'Launch' },
    { kind: 'list', items: ['One', 'Two'] },
  ],
};

const form = (...paths: string[]) =>
  new RefusedRequest(
    REQUEST,
    paths.map((path) => ({ path, detail: 'is wrong' })),
  );

describe('the form of a refused request', () => {
  test.each([
    ['title', 'text', 'Launch'],
    ['duration', 'number', '5'],
    ['scenes[0].text', 'text', 'Launch'],
    ['scenes[1].items[1]', 'text', 'Two'],
    ['scenes[0]', 'json', JSON.stringify(REQUEST.scenes[0], null, 2)],
    ['scenes[1].heading', 'text', ''],
  ])('opens %s as %s', (path, kind, text) => {
    expect(form(path).fields).toMatchObject([{ field: { kind, text }, detail: 'is wrong' }]);
  });

  test.each(['subject.text', 'scenes[7].text', 'scenes[0].text.length', 'constructor.name'])(
    'does not open %s, which the request does not have',
    (path) => {
      expect(form(path).fields).toEqual([]);
    },
  );

  test('opens a field once, however often it is named', () => {
    expect(form('title', 'title').fields).toHaveLength(1);
  });

  test('changes only the named fields', () => {
    const refused = form('scenes[1].items[1]', 'duration', 'loop', '__proto__');
    for (const { field } of refused.fields) {
      if (field.kind === 'choice') field.on = false;
      else field.text = '7';
    }
    expect(refused.submit()).toEqual({
      ...REQUEST,
      duration: 7,
      loop: false,
      scenes: [REQUEST.scenes[0], { kind: 'list', items: ['One', '7'] }],
      ['__proto__']: '7',
    });
  });

  test('shows an invalid value after the first attempt to send', () => {
    const refused = form('duration');
    const [{ field }] = refused.fields as [(typeof refused.fields)[number]];
    if (field.kind !== 'choice') field.text = 'five';
    expect(refused.isFaulty(field)).toBe(false);
    expect(refused.submit()).toBeNull();
    expect(refused.isFaulty(field)).toBe(true);
  });
});
