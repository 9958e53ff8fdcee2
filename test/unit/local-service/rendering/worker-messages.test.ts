import { expect, it } from 'vitest';
import { messageFromWorker } from '../../../../src/local-service/rendering/worker-messages.ts';

it('reads what a worker reports', () => {
  const drawn = { kind: 'drawn', jpeg: 'AAAA' };
  expect(messageFromWorker(drawn)).toEqual(drawn);
});

it.each([
  undefined,
  'ready',
  { kind: 'exit' },
  { kind: 'drawn', jpeg: '' },
  { kind: 'drawn', jpeg: { length: { toString: 0 } } },
])('reads %o as no message', (raw) => {
  expect(messageFromWorker(raw)).toBeUndefined();
});

it('reads no frame that is larger than a page shows', () => {
  const jpeg = 'A'.repeat(1024 * 1024);
  expect(messageFromWorker({ kind: 'drawn', jpeg })).toBeDefined();
  expect(messageFromWorker({ kind: 'drawn', jpeg: `${jpeg}AAAA` })).toBeUndefined();
});
