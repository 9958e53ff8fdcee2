/**
 * Counts the bytes of request bodies that arrive, in memory or on the disk. A client that begins many requests
 * and does not complete them would otherwise fill it.
 */

/** In bytes. */
export interface BodyMemoryLimits {
  readonly total: number;
  readonly perAccount: number;
}

/** Which limit has no room for more bytes. */
export type BodyMemoryFull = 'account' | 'total';

export class BodyMemory {
  readonly #limits: BodyMemoryLimits;
  readonly #byAccount = new Map<number, number>();
  #total = 0;

  constructor(limits: BodyMemoryLimits) {
    this.#limits = limits;
  }

  /** Begins a body of an account. Its bytes count until it is disposed of. */
  begin(account: number): ReceivedBody {
    let size = 0;
    return {
      add: (bytes) => {
        const ofAccount = (this.#byAccount.get(account) ?? 0) + bytes;
        if (ofAccount > this.#limits.perAccount) return 'account';
        if (this.#total + bytes > this.#limits.total) return 'total';
        size += bytes;
        this.#change(account, bytes);
        return undefined;
      },
      [Symbol.dispose]: () => {
        this.#change(account, -size);
        size = 0;
      },
    };
  }

  #change(account: number, bytes: number): void {
    this.#total += bytes;
    const left = (this.#byAccount.get(account) ?? 0) + bytes;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
  }
}

export interface ReceivedBody extends Disposable {
  /** Counts more bytes. If a limit has no room for them, counts nothing and returns the limit. */
  add(bytes: number): BodyMemoryFull | undefined;
}
