import { expect, test } from 'vitest';
import { OrderedUuids } from '../../../src/local-service/postgres/ordered-uuids.ts';

test('are of version 7, and in order of creation', () => {
  const ids = new OrderedUuids();
  const moment = Date.UTC(2026, 10, 23);
  // More than one millisecond can number, and a clock that is set back.
  const moments = [...Array.from({ length: 5000 }, () => moment), moment - 1000, moment + 10];
  const made = moments.map((now) => ids.next(now));
  expect(made).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(made.length);
  for (const id of made) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
});
