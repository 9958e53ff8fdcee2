import { expect, onTestFinished, test } from 'vitest';
import { PictureFitter } from '../../../src/host/posters/picture-fitter.ts';
import { FakeDecoder, JPEG } from '../../rigs/fake-decoder.ts';

/** Converts pictures of which the first byte is their name. */
function rig(atOnce?: number) {
  const processes: FakeDecoder[] = [];
  const start = () => {
    processes.push(new FakeDecoder());
    return processes.at(-1)!;
  };
  const fitter = new PictureFitter(start, atOnce);
  onTestFinished(() => fitter.close());
  const fit = (name: string): Promise<Buffer | null> =>
    fitter.fit(Buffer.from(name), { maxSide: 96, maxBytes: 9, format: 'jpeg' });
  const posted = () =>
    processes.map((process) =>
      process.posted.map((request) =>
        Buffer.from((request as { picture: string }).picture, 'base64').toString(),
      ),
    );
  return { processes, fit, posted };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('pictures are converted at once in as many processes as are allowed', async () => {
  const { processes, fit, posted } = rig(2);
  const made = ['a', 'b', 'c', 'd'].map(fit);
  await settled();
  expect(posted()).toEqual([['a'], ['b']]);
  processes[1]?.answer();
  expect(await made[1]).toEqual(JPEG);
  await settled();
  expect(posted()).toEqual([['a'], ['b', 'd']]);
  processes[0]?.answer();
  await settled();
  expect(posted()).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ]);
});

test('one after another needs one process', async () => {
  const { processes, fit, posted } = rig(4);
  for (const name of ['a', 'b', 'c']) {
    const made = fit(name);
    await settled();
    processes[0]?.answer();
    expect(await made).toEqual(JPEG);
  }
  expect(posted()).toEqual([['a', 'b', 'c']]);
});

test('a picture that ends its process leaves the others', async () => {
  const { processes, fit } = rig(2);
  const made = ['a', 'b', 'c'].map(fit);
  await settled();
  processes[0]?.send({ kind: 'begun' });
  processes[0]?.exit();
  expect(await made[0]).toBeNull();
  processes[1]?.answer();
  expect(await made[1]).toEqual(JPEG);
  await settled();
  processes[2]?.answer();
  expect(await made[2]).toEqual(JPEG);
});
