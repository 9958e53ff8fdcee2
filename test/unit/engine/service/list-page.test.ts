import { describe, expect, test } from 'vitest';
import { readListPage } from '../../../../src/engine/service/list-page.ts';
import { idFrom, valueAt } from '../../../../src/engine/service/response-reader.ts';

const LIST = {
  path: '/videos',
  items: 'data',
  id: 'id',
  ours: 'meta.ours',
  createdAt: 'at',
  nextPage: { at: 'next', parameter: 'after' },
};
const idOf = (item: unknown) => idFrom(valueAt(item, 'id'));
const read = (json: unknown, list: Parameters<typeof readListPage>[1] = LIST) =>
  readListPage(json, list, idOf);

const MOMENT = Date.UTC(2026, 10, 26, 8, 30);

describe('a page of a list of videos', () => {
  test('has the identifiers, ours, the moments and the place of the next page', () => {
    const page = read({
      data: [
        { id: 'v2', meta: { ours: 'row-2' }, at: '2026-11-26T08:30:00Z' },
        { id: 7, meta: { ours: 12 }, at: MOMENT },
        { id: 'v1' },
      ],
      next: 'p2',
    });
    expect(page).toEqual({
      videos: [
        { remoteId: 'v2', ownId: 'row-2', createdAt: MOMENT },
        { remoteId: '7', ownId: null, createdAt: MOMENT },
        { remoteId: 'v1', ownId: null, createdAt: null },
      ],
      cursor: 'p2',
    });
  });

  test('leaves out a video without an identifier that can be used', () => {
    const page = read({ data: [{ id: null }, { id: 'v1' }, {}, 'v2', null] });
    expect(page?.videos.map((video) => video.remoteId)).toEqual(['v1']);
  });

  test('may be the whole response', () => {
    expect(read([{ id: 'v1' }], { ...LIST, items: '' })?.videos).toHaveLength(1);
    expect(read({ data: [] })).toEqual({ videos: [], cursor: null });
  });

  test.each([[{}], [{ data: null }], [{ data: { 0: { id: 'v1' } } }], [{ data: 'v1' }], [null]])(
    'is not read from %j',
    (json) => {
      expect(read(json)).toBeNull();
    },
  );

  test('has no moments and no next page if the profile names no place for them', () => {
    const json = { data: [{ id: 'v1', at: MOMENT, '': MOMENT }], next: 'p2', '': 'p3' };
    const page = read(json, { ...LIST, createdAt: null, nextPage: null });
    expect(page).toEqual({
      videos: [{ remoteId: 'v1', ownId: null, createdAt: null }],
      cursor: null,
    });
  });
});

test.each([
  ['p2', 'p2'],
  [2, '2'],
  [0, '0'],
  ['x'.repeat(2000), 'x'.repeat(2000)],
  ['x'.repeat(2001), null],
  ['', null],
  [null, null],
  [false, null],
  [true, null],
  [['p2'], null],
  [{ page: 2 }, null],
])('the next page at %j is %j', (next, cursor) => {
  expect(read({ data: [], next })?.cursor).toBe(cursor);
});

test.each([
  ['seconds', MOMENT / 1000, MOMENT],
  ['the last seconds', 1e11 - 1, (1e11 - 1) * 1000],
  ['the first milliseconds', 1e11, 1e11],
  ['milliseconds', MOMENT, MOMENT],
  ['text of seconds', `${MOMENT / 1000}`, MOMENT],
  ['text of seconds with decimals', `${MOMENT / 1000}.250`, MOMENT + 250],
  ['text of milliseconds', `${MOMENT}`, MOMENT],
  ['text of 15 digits', '123456789012345', 123_456_789_012_345],
  ['text of 16 digits', '1234567890123456', null],
  ['a zone of zero', '2026-11-26T08:30:00z', MOMENT],
  ['a zone with a colon', '2026-11-26T10:00:00+01:30', MOMENT],
  ['a zone without a colon', '2026-11-26T05:30:00-0300', MOMENT],
  ['an HTTP date', 'Thu, 26 Nov 2026 08:30:00 GMT', MOMENT],
  ['a date in UTC', '26 Nov 2026 08:30 utc', MOMENT],
  // It would be a different moment in each time zone.
  ['text without a zone', '2026-11-26T08:30:00', null],
  ['a zone before the time', 'GMT 2026-11-26 08:30', null],
  ['a word with a zone', 'at noon GMT', null],
  ['text after a number', '1795681800 s', null],
  ['text before a number', 'ca 1795681800', null],
  ['a moment in a list', [MOMENT], null],
])('%s: the moment %j is %j', (_, at, createdAt) => {
  expect(read({ data: [{ id: 'v1', at }] })?.videos[0]?.createdAt).toBe(createdAt);
});
