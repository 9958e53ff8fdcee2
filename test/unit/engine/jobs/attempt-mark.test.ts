import { expect, test } from 'vitest';
import { NOT_LOOKED_FOR, settlingSchema } from '../../../../src/engine/jobs/attempt-mark.ts';

test('a stored report is read under its earlier name', () => {
  expect(settlingSchema.parse({ looks: 3, isTold: true })).toEqual({
    ...NOT_LOOKED_FOR,
    looks: 3,
    isReported: true,
  });
  expect(settlingSchema.parse({ isTold: false, isReported: true }).isReported).toBe(true);
});
