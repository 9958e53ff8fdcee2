import type { DecoderProcess } from '../../src/host/posters/decoder-process.ts';

/** What the process answers. */
export const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

/** A decoder process that answers and ends when a test says so. */
export class FakeDecoder implements DecoderProcess {
  readonly #exited = Promise.withResolvers<undefined>();
  readonly exited = this.#exited.promise;
  readonly posted: unknown[] = [];
  isKilled = false;
  send: (message: unknown) => void = () => undefined;

  post(message: unknown): void {
    this.posted.push(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.send = listener;
  }

  kill(): void {
    this.isKilled = true;
    this.exit();
  }

  exit(): void {
    this.#exited.resolve(undefined);
  }

  answer(): void {
    this.send({ kind: 'begun' });
    this.send({ kind: 'made', image: JPEG });
  }
}
