import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { CheckedFiles } from '../../../../src/local-service/storage/checked-files.ts';

const stats = (ino: bigint): BigIntStats =>
  ({ dev: 1n, ino, size: 4n, mtimeNs: 1n, ctimeNs: 1n }) as BigIntStats;
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

/** A file that counts its reads, which end when `end` is called. */
class SlowFile {
  reads = 0;
  readonly #content: string;
  readonly #streams: Readable[] = [];

  constructor(content: string) {
    this.#content = content;
  }

  readonly read = (): Readable => {
    this.reads += 1;
    const stream = new Readable({ read: () => undefined });
    this.#streams.push(stream);
    return stream;
  };

  end(): void {
    for (const stream of this.#streams.splice(0)) {
      stream.push(this.#content);
      stream.push(null);
    }
  }

  fail(): void {
    for (const stream of this.#streams.splice(0)) stream.destroy(new Error('EIO'));
  }
}

test('reads a file once for concurrent and later calls', async () => {
  const files = new CheckedFiles();
  const file = new SlowFile('film');
  const asked = Array.from({ length: 50 }, () => files.read('a', stats(1n), file.read));
  file.end();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([sha256('film')]));
  expect(await files.read('a', stats(1n), file.read)).toBe(sha256('film'));
  expect(files.sha256Of('a', stats(1n))).toBe(sha256('film'));
  expect(file.reads).toBe(1);
});

test('reads a file again that was replaced, also while the earlier one is read', async () => {
  const files = new CheckedFiles();
  const [before, after] = [new SlowFile('before'), new SlowFile('after')];
  const asked = [files.read('a', stats(1n), before.read), files.read('a', stats(2n), after.read)];
  after.end();
  before.end();
  expect(await Promise.all(asked)).toEqual([sha256('before'), sha256('after')]);
});

test('reads any number of files one after another, also when some cannot be read', async () => {
  const files = new CheckedFiles();
  for (let ino = 1n; ino <= 6n; ino += 1n) {
    const file = new SlowFile(`film ${ino}`);
    const asked = files.read('a', stats(ino), file.read);
    if (ino % 2n === 0n) {
      file.fail();
      await expect(asked).rejects.toThrow('EIO');
    } else {
      file.end();
      expect(await asked).toBe(sha256(`film ${ino}`));
    }
  }
});

test('reads two files at a time', async () => {
  const files = new CheckedFiles();
  const slow = [1, 2, 3, 4].map((n) => new SlowFile(`film ${n}`));
  const asked = slow.map((file, n) => files.read(`${n}`, stats(BigInt(n)), file.read));
  expect(slow.map(({ reads }) => reads)).toEqual([1, 1, 0, 0]);
  slow[1]!.end();
  await asked[1];
  await expect.poll(() => slow.map(({ reads }) => reads)).toEqual([1, 1, 1, 0]);
  // A failed read frees its slot, like a finished one.
  slow[0]!.fail();
  await expect(asked[0]).rejects.toThrow('EIO');
  await expect.poll(() => slow.map(({ reads }) => reads)).toEqual([1, 1, 1, 1]);
  slow[2]!.end();
  slow[3]!.end();
  expect(await Promise.all(asked.slice(2))).toEqual([sha256('film 3'), sha256('film 4')]);
});

test('reads a file again after a read that failed', async () => {
  const files = new CheckedFiles();
  const file = new SlowFile('film');
  const failing = files.read('a', stats(1n), file.read);
  file.fail();
  await expect(failing).rejects.toThrow('EIO');
  const asked = files.read('a', stats(1n), file.read);
  file.end();
  expect(await asked).toBe(sha256('film'));
});

test('drops the file that was added first when there are too many', () => {
  const files = new CheckedFiles();
  for (let n = 0; n <= 10_000; n += 1) files.add(`${n}`, stats(1n), 'x');
  expect(files.sha256Of('0', stats(1n))).toBeUndefined();
  expect(files.sha256Of('1', stats(1n))).toBe('x');
});
