import { expect, test } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { profileSchema } from '../../../../src/engine/profiles/profile.ts';
import { startingPoints } from '../../../../src/host/settings/starting-points.ts';

test('there is one for storyboards and one for each of the eight known services', () => {
  expect(startingPoints.map(({ name }) => name)).toEqual([
    'Storyboard',
    'Shotstack',
    'Creatomate',
    'JSON2Video',
    'Runway',
    'Luma',
    'HeyGen',
    'Synthesia',
    'Replicate',
  ]);
});

test.each(startingPoints)(
  '$name is unchanged after being written to a file and read again',
  (profile) => {
    expect(profileSchema.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
  },
);

test.each(startingPoints)(
  '$name builds a request from its required columns alone',
  ({ request }) => {
    const needed = Object.keys(request.columns).filter((name) => request.columns[name]?.required);
    const content = JSON.stringify([Object.fromEntries(needed.map((name) => [name, 'Something']))]);
    const { rows, errors } = readBatch({ name: 'a.json', content }, request);

    expect(errors).toEqual([]);
    expect(rows).toHaveLength(1);
  },
);

test('a profile with a field that does not exist is refused', () => {
  const [first] = startingPoints;

  expect(profileSchema.safeParse({ ...first, answer: {} }).success).toBe(false);
});
