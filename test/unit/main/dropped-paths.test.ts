import { expect, it } from 'vitest';
import { droppedPaths } from '../../../src/main/dropped-paths.ts';

it('reads absolute paths', () => {
  expect(droppedPaths('["/trip/a.jpg","b.jpg","/trip/b.jpg"]')).toEqual([
    '/trip/a.jpg',
    '/trip/b.jpg',
  ]);
});

it.each([
  null,
  7,
  '',
  '{',
  '{"0":"/a"}',
  '[7]',
  '[""]',
  `["/${'a'.repeat(5000)}"]`,
  JSON.stringify(Array(10_001).fill('/a')),
])('reads nothing in %j', (message) => {
  expect(droppedPaths(message)).toEqual([]);
});
