import { expect, it } from 'vitest';
import { rendersAtOnce } from '../../../src/local-service/renders-at-once.ts';

const GIB = 1024 ** 3;

it.each([
  { cores: 2, memory: 16 * GIB, videos: 2 },
  { cores: 16, memory: 8 * GIB, videos: 4 },
  { cores: 1, memory: 1 * GIB, videos: 1 },
])('renders $videos at a time on $cores cores', ({ cores, memory, videos }) => {
  expect(rendersAtOnce(cores, memory)).toBe(videos);
});
