import { expect, it } from 'vitest';
import { z } from 'zod';
import { safeParse } from '../../../src/contract/safe-parse.ts';

const schema = z.object({ name: z.string().max(5), tags: z.array(z.string()).max(2).optional() });

it('reads what Zod reads, with its issues', () => {
  expect(safeParse(schema, { name: 'a' })).toEqual({ success: true, data: { name: 'a' } });
  const { error } = safeParse(schema, { name: 1 }, { reportInput: true });
  expect(error?.issues).toMatchObject([{ path: ['name'], code: 'invalid_type', input: 1 }]);
});

it.each(['{"length":{"toString":0}}', '{"length":{"toString":{}}}'])(
  'refuses %s, at which Zod throws',
  (json) => {
    const hostile: unknown = JSON.parse(json);
    for (const value of [{ name: hostile }, { name: 'a', tags: hostile }]) {
      expect(() => schema.safeParse(value)).toThrow(TypeError);
      expect(safeParse(schema, value).error?.issues).toMatchObject([{ code: 'custom', path: [] }]);
    }
  },
);

it('rethrows an error of our own check', () => {
  const failing = z.string().refine(() => {
    throw new RangeError('of our own');
  });
  expect(() => safeParse(failing, 'a')).toThrow('of our own');
});
