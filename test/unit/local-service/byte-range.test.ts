import { describe, expect, test } from 'vitest';
import { responseFor } from '../../../src/local-service/videos/byte-range.ts';

const file = { size: 1000, etag: '"abc"' };

describe('Range', () => {
  test.each([
    ['bytes=0-0', { status: 206, first: 0, last: 0 }],
    ['bytes=0-499', { status: 206, first: 0, last: 499 }],
    ['bytes=500-', { status: 206, first: 500, last: 999 }],
    ['bytes=999-5000', { status: 206, first: 999, last: 999 }],
    ['bytes=-1', { status: 206, first: 999, last: 999 }],
    ['bytes=-5000', { status: 206, first: 0, last: 999 }],
    ['Bytes=1-2', { status: 206, first: 1, last: 2 }],
    [' bytes=1-2', { status: 206, first: 1, last: 2 }],
    ['bytes=1000-', { status: 416 }],
    ['bytes=1000-2000', { status: 416 }],
    ['bytes=-0', { status: 416 }],
    ['bytes=5-4', { status: 200 }],
    ['bytes=0-1,5-6', { status: 200 }],
    ['bytes=-', { status: 200 }],
    ['bytes=a-b', { status: 200 }],
    ['items=0-1', { status: 200 }],
    ['kilobytes=0-1', { status: 200 }],
    ['', { status: 200 }],
  ])('%s is answered with %j', (range, answer) => {
    expect(responseFor(file, { range })).toEqual(answer);
  });
});

describe('validators', () => {
  const range = 'bytes=10-19';
  const part = { status: 206, first: 10, last: 19 };

  test('If-Range with the present validator keeps the range', () => {
    expect(responseFor(file, { range, ifRange: '"abc"' })).toEqual(part);
    expect(responseFor(file, { range, ifRange: ' "abc"' })).toEqual(part);
  });
  test.each(['"old"', 'W/"abc"', 'Tue, 10 Mar 2026 12:00:00 GMT', '"abc", "old"'])(
    'If-Range %s gets the whole file',
    (ifRange) => expect(responseFor(file, { range, ifRange })).toEqual({ status: 200 }),
  );
  test('an If-Range that does not match hides a range that would be refused', () => {
    expect(responseFor(file, { range: 'bytes=2000-', ifRange: '"old"' })).toEqual({ status: 200 });
  });
  test.each(['"abc"', '*', '"x", "abc"', 'W/"abc"'])('If-None-Match %s is a 304', (ifNoneMatch) =>
    expect(responseFor(file, { range, ifNoneMatch })).toEqual({ status: 304 }),
  );
  test.each(['"old"', 'W/"old"'])('If-None-Match %s gets the range', (ifNoneMatch) =>
    expect(responseFor(file, { range, ifNoneMatch })).toEqual(part),
  );
  test('If-Match compares strongly and comes first', () => {
    expect(responseFor(file, { ifMatch: '"abc"' })).toEqual({ status: 200 });
    expect(responseFor(file, { ifMatch: 'W/"abc"', ifNoneMatch: '*' })).toEqual({ status: 412 });
    expect(responseFor(file, { ifMatch: '"old"', range })).toEqual({ status: 412 });
  });
});
