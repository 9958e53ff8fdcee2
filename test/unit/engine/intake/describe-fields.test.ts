import { describe, expect, it } from 'vitest';
import type { RefusedField } from '../../../../src/contract/failure.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { describeRow } from '../../../../src/engine/intake/describe-fields.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const { request: template } = storyboardProfile;

const row = {
  template,
  values: [
    ['title', 'Launch'],
    ['note', 'for the file name'],
    ['points', ['One', 'Two | three']],
    ['seconds', 7.5],
    ['aspect', ''],
  ],
} as const;

function refused(...fields: readonly RefusedField[]) {
  const code = 'service-refused' as const;
  const failure = { code, ...userMessage('verbatim', { text: 'No.' }), fields: [...fields] };
  return describeRow(row, template, failure).refused;
}

describe('a stored row', () => {
  it('is shown with its values in a cell’s notation, by the columns of its template', () => {
    const { fields, values, isOwnTemplate } = describeRow(row, template, null);

    expect(fields.map(({ name }) => name)).toEqual(Object.keys(template.columns));
    expect(values).toEqual({ title: 'Launch', points: 'One\nTwo | three', seconds: '7.5' });
    expect(isOwnTemplate).toBe(false);
  });

  it('has its own template where the profile has another body', () => {
    const other = { ...template, body: { prompt: '{{title}}' } };
    expect(describeRow({ ...row, template: other }, template, null).isOwnTemplate).toBe(true);
  });

  it.each([
    ['title', ['title']],
    ['duration', ['seconds']],
    // Scenes without values are not in the request: the second is the list.
    ['scenes[0].text', ['title']],
    ['scenes[1].items[1]', ['points']],
    [
      'scenes[1].background',
      ['clip', 'clip from', 'clip to', 'clip fit', 'clip focus', 'clip end', 'clip sound'],
    ],
    [
      'scenes[1]',
      [
        'points',
        'points heading',
        'clip',
        'clip from',
        'clip to',
        'clip fit',
        'clip focus',
        'clip end',
        'clip sound',
      ],
    ],
    ['theme.accent', ['accent']],
    ['scenes[7].text', []],
    ['constructor.name', []],
    ['scenes[0].kind', []],
  ])('knows the columns of %s, which the service refuses', (path, columns) => {
    expect(refused({ path, detail: 'is wrong' })).toEqual(
      columns.map((field) => ({ field, detail: 'is wrong' })),
    );
  });

  it('names a column once, however often the service does', () => {
    const fields = [
      { path: 'title', detail: 'one' },
      { path: 'scenes[0].text', detail: null },
    ];
    expect(refused(...fields)).toEqual([{ field: 'title', detail: 'one' }]);
  });
});

it('says which fields take a file, and of which kind', () => {
  const { fields } = describeRow(row, template, null);
  const kinds = fields.flatMap(({ name, holds }) => (holds === undefined ? [] : [[name, holds]]));

  expect(Object.fromEntries(kinds)).toEqual({
    picture: 'picture',
    pictures: 'picture',
    logo: 'picture',
    clip: 'clip',
    'music file': 'sound',
    voice: 'sound',
    captions: 'captions',
    font: 'font',
  });
  const address = { type: 'picture', isAddressPossible: true } as const;
  const other = describeRow(
    { ...row, template: { ...template, columns: { address } } },
    template,
    null,
  );
  expect(other.fields[0]).not.toHaveProperty('holds');
});
