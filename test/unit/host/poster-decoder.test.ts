import { expect, onTestFinished, test } from 'vitest';
import { PosterDecoder } from '../../../src/host/posters/poster-decoder.ts';
import { FakeDecoder, JPEG } from '../../rigs/fake-decoder.ts';

const never = new AbortController().signal;

/** A decoder whose processes answer and end when a test says so. */
function rig() {
  const processes: FakeDecoder[] = [];
  const decoder = new PosterDecoder(() => {
    const created = new FakeDecoder();
    processes.push(created);
    return created;
  });
  onTestFinished(() => decoder.close());
  return { decoder, processes };
}

test('a decoder that ends before it begins a video does not reject that video', async () => {
  const { decoder, processes } = rig();
  const first = decoder.make('/one.mp4', never);
  processes[0]?.answer();
  expect(await first).toEqual({ kind: 'made', jpeg: JPEG });

  const second = decoder.make('/two.mp4', never);
  processes[0]?.exit();
  expect(await second).toEqual({ kind: 'impossible' });

  const third = decoder.make('/three.mp4', never);
  processes[1]?.send({ kind: 'begun' });
  processes[1]?.exit();
  expect(await third).toEqual({ kind: 'killed' });
  expect(processes.flatMap(({ posted }) => posted)).toEqual(
    ['/one.mp4', '/two.mp4', '/three.mp4'].map((video) => ({ video })),
  );
});

test('another process makes the posters after the fiftieth', async () => {
  const { decoder, processes } = rig();
  for (let count = 1; count <= 51; count += 1) {
    const poster = decoder.make('/film.mp4', never);
    processes.at(-1)?.answer();
    expect(await poster).toMatchObject({ kind: 'made' });
    expect(processes).toHaveLength(count <= 50 ? 1 : 2);
  }
  expect(processes.map(({ isKilled }) => isKilled)).toEqual([true, false]);
});

test('a process that was replaced has no say about a later video', async () => {
  const { decoder, processes } = rig();
  const stop = new AbortController();
  const stopped = decoder.make('/one.mp4', stop.signal);
  stop.abort(new Error('too late'));
  await expect(stopped).rejects.toThrow('too late');
  expect(processes[0]?.isKilled).toBe(true);

  const next = decoder.make('/two.mp4', never);
  processes[0]?.send({ kind: 'impossible' });
  processes[1]?.answer();
  expect(await next).toMatchObject({ kind: 'made' });
});

// abuse.md 31
test.each([
  [
    'more bytes than a picture has',
    { kind: 'made', image: Buffer.concat([JPEG], 40 * 1024 * 1024 + 1) },
  ],
  ['a text instead of bytes', { kind: 'made', image: JPEG.toString('base64') }],
  ['numbers of another size', { kind: 'made', image: new Float64Array(4) }],
  ['an object that looks like bytes', { kind: 'made', image: { length: 4, 0: 0xff } }],
  ['nothing of the kind', null],
])('a decoder that answers with %s is killed', async (_, message) => {
  const { decoder, processes } = rig();
  const poster = decoder.make('/film.mp4', never);
  processes[0]?.send({ kind: 'begun' });
  processes[0]?.send(message);
  expect((await poster).kind).toBe('killed');
  expect(processes[0]?.isKilled).toBe(true);
});
