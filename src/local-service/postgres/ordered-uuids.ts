import { randomBytes } from 'node:crypto';

/** The counter's range; after that, the next millisecond is used. */
const MAX_PER_MILLISECOND = 0x1000;

/**
 * Generates UUIDs of version 7 (RFC 9562 §5.7) with a counter, in ascending order within this
 * process. When pg-boss fetches too many jobs of one account, it keeps those with the lowest
 * identifiers.
 */
export class OrderedUuids {
  #milliseconds = 0;
  #count = 0;

  /** @param now milliseconds since the epoch */
  next(now: number): string {
    this.#count += 1;
    if (now > this.#milliseconds || this.#count === MAX_PER_MILLISECOND) {
      this.#milliseconds = Math.max(now, this.#milliseconds + 1);
      this.#count = 0;
    }
    const time = this.#milliseconds.toString(16).padStart(12, '0');
    const count = this.#count.toString(16).padStart(3, '0');
    const random = randomBytes(8);
    random.writeUInt8((random.readUInt8() & 0x3f) | 0x80);
    const tail = random.toString('hex');
    return [time.slice(0, 8), time.slice(8), `7${count}`, tail.slice(0, 4), tail.slice(4)].join(
      '-',
    );
  }
}
