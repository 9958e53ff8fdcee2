import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { withIdleLimit } from '../../../../src/local-service/storage/idle-limit.ts';
import { ManualClock } from '../../../integration/local-service/rig.ts';

const unreachable = { code: 'STORAGE_OUTAGE', outage: 'unreachable' };

function limited(signal?: AbortSignal) {
  const source = new PassThrough();
  const clock = new ManualClock();
  return { source, clock, chunks: withIdleLimit(source, { ms: 1000, after: clock.after, signal }) };
}

test('a source without data for too long fails its reader', async () => {
  const { source, clock, chunks } = limited();
  source.write('one');
  expect(String((await chunks.next()).value)).toBe('one');
  const next = chunks.next();
  clock.advance(999);
  source.write('two');
  expect(String((await next).value)).toBe('two');
  const late = chunks.next();
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1000);
  await expect(late).rejects.toMatchObject(unreachable);
  expect(source.destroyed).toBe(true);
});

test('a reader that pauses does not time out', async () => {
  const { source, clock, chunks } = limited();
  source.write('one');
  await chunks.next();
  clock.advance(3_600_000);
  source.end('two');
  expect(String((await chunks.next()).value)).toBe('two');
  expect((await chunks.next()).done).toBe(true);
});

test('a signal ends the reading with its reason, and a reader that stops destroys the source', async () => {
  const stop = new AbortController();
  const { chunks } = limited(stop.signal);
  const next = chunks.next();
  stop.abort(new Error('shutting down'));
  await expect(next).rejects.toThrow('shutting down');

  const { source, chunks: others } = limited();
  source.write('one');
  await others.next();
  await others.return(undefined);
  expect(source.destroyed).toBe(true);
});
