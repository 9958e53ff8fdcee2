import { expect, it } from 'vitest';
import { MAX_RATIO, ratioOf } from '../../rigs/growth.ts';
import { readGenerated } from './fuzz.ts';
import { grown } from './mutations.ts';

const seeds = ['{"a":[1,2,3]}'];

it('finds an undeclared error, and prints its seed and input', async () => {
  const parse = (input: Buffer): void => {
    if (input.includes('[[')) throw new TypeError('It is nested.');
  };
  const reported = readGenerated('a parser', { parse, seeds, tokens: ['[['] });
  await expect(reported).rejects.toThrow(/seed: \d+[^]*Buffer\.from\('[^']*\[\[[^']*', 'latin1'\)/);
  const declared = { parse, seeds, tokens: ['[['], throws: [TypeError] };
  await expect(readGenerated('a parser', declared)).resolves.toBeUndefined();
});

it('finds a result that violates an invariant', async () => {
  const parser = {
    seeds,
    parse: (input: Buffer) => input.indexOf('}'),
    check: (at: number) => expect(at).toBeGreaterThan(0),
  };
  await expect(readGenerated('a parser', parser)).rejects.toThrow('Property failed');
});

it('finds excessive memory use', async () => {
  const parse = (input: Buffer): Buffer => Buffer.alloc(input.includes('1') ? 512 * 1024 ** 2 : 1);
  await expect(readGenerated('a parser', { parse, seeds })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('bytes of memory') as unknown },
  });
});

it('finds time that grows faster than the input', async () => {
  const slow = (input: Buffer): number => {
    let found = 0;
    for (let at = 0; at < input.length; at += 8) {
      for (let before = 0; before < at; before += 1) found += input[before] ?? 0;
    }
    return found;
  };
  const growth = { head: Buffer.from('"'), piece: Buffer.from('ab'), tail: Buffer.alloc(0) };
  const inputOf = (size: number): Buffer => grown(growth, size);
  // A reading may be interrupted or compiled between two sizes: that can hide the growth, but
  // cannot produce it.
  await expect.poll(() => ratioOf(slow, inputOf, 64 * 1024, 1)).toBeGreaterThan(MAX_RATIO);
  expect(await ratioOf((input) => input.indexOf('x'), inputOf, 64 * 1024)).toBe(1);
});
