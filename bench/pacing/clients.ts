import Bottleneck from 'bottleneck';
import PQueue from 'p-queue';
import type { RateHeaders } from '../../src/engine/pacing/rate-headers.ts';
import { RateWindow } from '../../src/engine/pacing/rate-window.ts';
import type { RateLimit } from '../../src/engine/pacing/rate-window-state.ts';
import type { VirtualTime } from './virtual-time.ts';

/** One response as the client sees it; times by its own clock. */
export interface Answer {
  status: number;
  headers: RateHeaders;
  sentAt: number;
  receivedAt: number;
}

/**
 * Sends requests in order, one at a time; its policy says when each is retried until it is
 * accepted.
 */
export interface Pacer {
  accepted(request: () => Promise<Answer>): Promise<void>;
}

interface PacerHost {
  time: VirtualTime;
  /** The client's own clock. */
  localNow: () => number;
}

export type PacerMaker = (limit: RateLimit, host: PacerHost) => Pacer;

/** The engine's pacing: waits as the rate window says, and then checks the window again. */
class WindowPacer implements Pacer {
  readonly #window: RateWindow;
  readonly #host: PacerHost;
  #last: Promise<void> = Promise.resolve();

  constructor(limit: RateLimit, host: PacerHost) {
    this.#window = new RateWindow(limit);
    this.#host = host;
  }

  accepted(request: () => Promise<Answer>): Promise<void> {
    this.#last = this.#last.then(() => this.#pace(request));
    return this.#last;
  }

  async #pace(request: () => Promise<Answer>): Promise<void> {
    const { time, localNow } = this.#host;
    for (;;) {
      const wait = this.#window.wait(localNow());
      if (wait > 0) {
        await time.sleep(wait);
        continue;
      }
      const charge = this.#window.reserve(localNow());
      const answer = await request();
      this.#window.answered(charge, answer);
      if (answer.status !== 429) return;
    }
  }
}

/** Bottleneck, whose reservoir refreshes once a window; retries a 429 after `Retry-After`. */
class BottleneckPacer implements Pacer {
  readonly #limiter: Bottleneck;

  constructor({ limit, windowMs }: RateLimit) {
    this.#limiter = new Bottleneck({
      maxConcurrent: 1,
      reservoir: limit,
      reservoirRefreshAmount: limit,
      reservoirRefreshInterval: windowMs,
    });
    this.#limiter.on('failed', (error: unknown) =>
      error instanceof Refused ? error.retryAfterMs : null,
    );
  }

  accepted(request: () => Promise<Answer>): Promise<void> {
    return this.#limiter.schedule(async () => {
      const { status, headers } = await request();
      if (status === 429) throw new Refused(headers.retryAfterMs ?? 60_000);
    });
  }
}

class Refused extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('refused');
    this.retryAfterMs = retryAfterMs;
  }
}

/** p-queue with an interval cap; waits inside its task for the time that a 429 states. */
class IntervalCapPacer implements Pacer {
  readonly #queue: PQueue;
  readonly #time: VirtualTime;

  constructor({ limit, windowMs }: RateLimit, { time }: PacerHost) {
    this.#queue = new PQueue({ concurrency: 1, interval: windowMs, intervalCap: limit });
    this.#time = time;
  }

  async accepted(request: () => Promise<Answer>): Promise<void> {
    await this.#queue.add(() => untilAccepted(request, this.#time));
  }
}

/** One request every window ÷ limit. */
class EvenPacer implements Pacer {
  readonly #gapMs: number;
  readonly #time: VirtualTime;
  #last: Promise<void> = Promise.resolve();
  #nextAt = 0;

  constructor({ limit, windowMs }: RateLimit, { time }: PacerHost) {
    this.#gapMs = windowMs / limit;
    this.#time = time;
  }

  accepted(request: () => Promise<Answer>): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#time.sleep(Math.max(0, this.#nextAt - this.#time.now));
      this.#nextAt = this.#time.now + this.#gapMs;
      await untilAccepted(request, this.#time);
    });
    return this.#last;
  }
}

/** Sends while requests remain, then sleeps until `X-RateLimit-Reset` by its own clock. */
class WaitForResetPacer implements Pacer {
  readonly #host: PacerHost;
  #last: Promise<void> = Promise.resolve();
  #notBefore = -Infinity;

  constructor(_limit: RateLimit, host: PacerHost) {
    this.#host = host;
  }

  accepted(request: () => Promise<Answer>): Promise<void> {
    const { time, localNow } = this.#host;
    this.#last = this.#last.then(async () => {
      await time.sleep(Math.max(0, this.#notBefore - localNow()));
      const { headers } = await untilAccepted(request, time);
      if (headers.remaining === 0 && headers.resetAt !== null) this.#notBefore = headers.resetAt;
    });
    return this.#last;
  }
}

async function untilAccepted(request: () => Promise<Answer>, time: VirtualTime): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 429) return answer;
    await time.sleep(answer.headers.retryAfterMs ?? 60_000);
  }
}

export const CLIENTS: Readonly<Record<string, PacerMaker>> = {
  'rate window': (limit, host) => new WindowPacer(limit, host),
  'wait for reset': (limit, host) => new WaitForResetPacer(limit, host),
  Bottleneck: (limit) => new BottleneckPacer(limit),
  'p-queue': (limit, host) => new IntervalCapPacer(limit, host),
  'even spacing': (limit, host) => new EvenPacer(limit, host),
};
