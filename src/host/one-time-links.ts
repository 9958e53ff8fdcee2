/** The links of the web host, each of which admits one browser. */
import { randomBytes } from 'node:crypto';

export interface OneTimeLink {
  readonly link: string;
  /** Resolves when the link is no longer valid: it was used, or the host has closed. */
  readonly ended: Promise<'used' | 'closed'>;
}

interface Ticket extends OneTimeLink {
  readonly end: (how: 'used' | 'closed') => void;
}

export class OneTimeLinks {
  /** By their secrets: 64 hexadecimal digits. */
  readonly #valid = new Map<string, Ticket>();
  /** The secrets of links for pages of ended runs, by the names of those runs. */
  readonly #ofEndedRuns = new Map<string, string>();
  readonly #addressOf: (secret: string) => string;

  constructor(addressOf: (secret: string) => string) {
    this.#addressOf = addressOf;
  }

  /** Of the links that are valid now. */
  get secrets(): readonly string[] {
    return [...this.#valid.keys()];
  }

  create(): OneTimeLink {
    return this.#make(randomBytes(32).toString('hex'));
  }

  /** A page that asks again, such as one that waits for its user, gets the same link. */
  forEndedRun(name: string): string {
    const known = this.#valid.get(this.#ofEndedRuns.get(name) ?? '');
    if (known !== undefined) return known.link;
    const secret = randomBytes(32).toString('hex');
    this.#ofEndedRuns.set(name, secret);
    return this.#make(secret).link;
  }

  use(secret: string): void {
    this.#valid.get(secret)?.end('used');
  }

  close(): void {
    for (const ticket of this.#valid.values()) ticket.end('closed');
  }

  #make(secret: string): Ticket {
    const { promise: ended, resolve } = Promise.withResolvers<'used' | 'closed'>();
    const end = (how: 'used' | 'closed'): void => {
      this.#valid.delete(secret);
      resolve(how);
    };
    const ticket = { link: this.#addressOf(secret), ended, end };
    this.#valid.set(secret, ticket);
    return ticket;
  }
}
