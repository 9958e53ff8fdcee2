import { createHash, type Hash } from 'node:crypto';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { BlobDamagedError } from '../storage-errors.ts';

export interface ContentCheck {
  readonly key: string;
  /** Expected number of bytes. */
  readonly length: number;
  /** Of the content, in hexadecimal; not checked when omitted. */
  readonly sha256?: string | undefined;
  /** Called after the last byte was read; rejects when the content may have changed meanwhile. */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** Converts an error of the source. */
  readonly errorOf: (error: unknown) => unknown;
}

/**
 * The same content as a stream that fails with `BlobDamagedError` when length or hash differ.
 * Readers use bytes before the end, so the last chunk is held back until everything is checked: a
 * reader that counts bytes never gets a complete but wrong blob.
 */
export function checkedContent(source: Readable, check: ContentCheck): Readable {
  const checking = new CheckingStream(check);
  pipeline(source, checking, () => undefined);
  return checking;
}

class CheckingStream extends Transform {
  readonly #check: ContentCheck;
  readonly #hash: Hash | undefined;
  #received = 0;
  #last: Buffer | undefined;

  constructor(check: ContentCheck) {
    super({ highWaterMark: 256 * 1024 });
    this.#check = check;
    this.#hash = check.sha256 === undefined ? undefined : createHash('sha256');
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const { key, length } = this.#check;
    this.#received += chunk.length;
    if (this.#received > length) {
      done(new BlobDamagedError(key, `it has more than ${length} bytes`));
      return;
    }
    this.#hash?.update(chunk);
    if (this.#last) this.push(this.#last);
    this.#last = chunk;
    done();
  }

  override _flush(done: TransformCallback): void {
    const { confirm } = this.#check;
    if (confirm) confirm().then(() => this.#end(done), done);
    else this.#end(done);
  }

  #end(done: TransformCallback): void {
    const { key, length, sha256 } = this.#check;
    if (this.#received < length) {
      done(new BlobDamagedError(key, `it has ${this.#received} of ${length} bytes`));
    } else if (this.#hash && this.#hash.digest('hex') !== sha256) {
      done(new BlobDamagedError(key, 'its bytes are others'));
    } else {
      if (this.#last) this.push(this.#last);
      done();
    }
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error && (this.#check.errorOf(error) as Error));
  }
}
