import { parseRateHeaders } from '../../src/engine/pacing/rate-headers.ts';
import { RateWindow } from '../../src/engine/pacing/rate-window.ts';
import { DOCUMENTED_LIMITS, type Endpoint } from '../../src/engine/pacing/rate-window-state.ts';
import { nextPoll, type PollTarget } from '../../src/engine/pacing/polling.ts';
import {
  learnRenderTime,
  NO_RENDER_TIMES,
  renderTimeOf,
} from '../../src/engine/pacing/render-times.ts';
import { rateResponse } from '../../test/rigs/rate-servers.ts';
import type { Answer, Pacer, PacerMaker } from './clients.ts';
import { SeededRandom } from '../../test/rigs/seeded-random.ts';
import { serverOf, MIN_TRIP, type Scenario } from './scenario.ts';
import { installTimers, VirtualTime } from './virtual-time.ts';

export interface BatchResult {
  makespanMs: number;
  /** 429s, by endpoint. */
  refusals: Record<Endpoint, number>;
}

const PRESET = 'any';
const TRANSFERS = 3;

/** Runs one batch with one client's pacing, from its first submission to its last saved file. */
export async function runBatch(scenario: Scenario, makePacer: PacerMaker): Promise<BatchResult> {
  const time = new VirtualTime(scenario.startAt);
  const uninstall = installTimers(time, scenario.skewMs);
  try {
    const run = new BatchRun(scenario, time, makePacer);
    await run.finish();
    return { makespanMs: time.now - scenario.startAt, refusals: run.refusals };
  } finally {
    uninstall();
  }
}

interface Rendering extends PollTarget {
  job: number;
  readyAt: number;
}

class BatchRun {
  readonly refusals: Record<Endpoint, number> = { generate: 0, status: 0, download: 0 };
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #random: SeededRandom;
  readonly #servers;
  readonly #submissions: Pacer;
  readonly #links: Pacer;
  readonly #status = new RateWindow(DOCUMENTED_LIMITS.status);
  readonly #renders: Rendering[] = [];
  #renderTimes = NO_RENDER_TIMES;
  #lastPollAt: number | null = null;
  #pollTimer: { off: boolean } | null = null;
  readonly #ready: number[] = [];
  #transfers = 0;
  #bandwidthFreeAt = 0;
  #saved = 0;

  constructor(scenario: Scenario, time: VirtualTime, makePacer: PacerMaker) {
    this.#scenario = scenario;
    this.#time = time;
    this.#random = new SeededRandom(scenario.seed + 7919);
    this.#servers = {
      generate: serverOf(scenario, 'generate'),
      status: serverOf(scenario, 'status'),
      download: serverOf(scenario, 'download'),
    };
    const host = { time, localNow: () => this.#localNow() };
    this.#submissions = makePacer(DOCUMENTED_LIMITS.generate, host);
    this.#links = makePacer(DOCUMENTED_LIMITS.download, host);
  }

  async finish(): Promise<void> {
    const jobs = this.#scenario.renderMs.length;
    for (let job = 0; job < jobs; job++) void this.#submit(job);
    await this.#time.runUntil(() => this.#saved === jobs);
  }

  /** The client's own clock. */
  #localNow(): number {
    return this.#time.now - this.#scenario.skewMs;
  }

  async #submit(job: number): Promise<void> {
    let arrivedAt = 0;
    await this.#submissions.accepted(() =>
      this.#request('generate', (at) => {
        arrivedAt = at;
      }),
    );
    this.#renders.push({
      job,
      readyAt: arrivedAt + this.#scenario.renderMs[job]!,
      submittedAt: this.#localNow(),
      askedAt: null,
      isUnanswered: false,
      renderTime: renderTimeOf(this.#renderTimes, PRESET),
    });
    this.#planPoll();
  }

  #request(endpoint: Endpoint, onArrival: (at: number) => void): Promise<Answer> {
    return new Promise((resolve) => {
      this.#exchange(endpoint, onArrival, (answer) => {
        resolve(answer);
        return true;
      });
    });
  }

  #exchange(
    endpoint: Endpoint,
    onArrival: (at: number) => void,
    onAnswer: (answer: Answer) => boolean,
  ): void {
    const tripMs = this.#scenario.roundTripMs * this.#random.between(MIN_TRIP, 2 - MIN_TRIP);
    const thereMs = tripMs * this.#random.between(0.3, 0.7);
    const sentAt = this.#localNow();
    this.#time.at(this.#time.now + thereMs, () => {
      const arrivedAt = this.#time.now;
      const verdict = this.#servers[endpoint].ask(arrivedAt);
      if (!verdict.accepted) this.refusals[endpoint]++;
      onArrival(arrivedAt);
      const { status, header, body } = rateResponse(
        verdict,
        arrivedAt,
        this.#scenario.format,
        this.#scenario.dialect,
      );
      this.#time.at(arrivedAt + tripMs - thereMs, () =>
        onAnswer({
          status,
          headers: parseRateHeaders(header, body),
          sentAt,
          receivedAt: this.#localNow(),
        }),
      );
      return false;
    });
  }

  #planPoll(): void {
    if (this.#pollTimer !== null) this.#pollTimer.off = true;
    const poll = this.#nextPoll();
    if (poll === null) return;
    this.#pollTimer = this.#time.at(poll.at + this.#scenario.skewMs, () => {
      const due = this.#nextPoll();
      if (due !== null && due.at <= this.#localNow() + 1) this.#poll(due.index);
      this.#planPoll();
      return false;
    });
  }

  #nextPoll() {
    const now = this.#localNow();
    return nextPoll(this.#renders, this.#status.view(now), this.#lastPollAt, now);
  }

  #poll(index: number): void {
    const target = this.#renders[index]!;
    const now = this.#localNow();
    this.#lastPollAt = now;
    target.askedAt = now;
    const charge = this.#status.reserve(now);
    let finished = false;
    this.#exchange(
      'status',
      (at) => {
        finished = at >= target.readyAt;
      },
      (answer) => {
        this.#status.answered(charge, answer);
        if (answer.status === 200 && finished)
          return this.#recordFinished(target, answer.receivedAt);
        this.#planPoll();
        return false;
      },
    );
  }

  /** Does nothing if an earlier poll has already reported that this video is finished. */
  #recordFinished(target: Rendering, at: number): boolean {
    const index = this.#renders.indexOf(target);
    if (index === -1) return false;
    this.#renders.splice(index, 1);
    this.#renderTimes = learnRenderTime(this.#renderTimes, PRESET, at - target.submittedAt);
    this.#ready.push(target.job);
    this.#planPoll();
    this.#startDownloads();
    return true;
  }

  /**
   * Requests links when a transfer slot is free; transfers use the whole bandwidth one by one, in
   * order.
   */
  #startDownloads(): void {
    while (this.#transfers < TRANSFERS && this.#ready.length > 0) {
      const job = this.#ready.shift()!;
      this.#transfers++;
      void this.#links
        .accepted(() => this.#request('download', () => undefined))
        .then(() => {
          const startAt = Math.max(this.#time.now, this.#bandwidthFreeAt);
          this.#bandwidthFreeAt = startAt + this.#scenario.bytes[job]! / this.#scenario.bytesPerMs;
          this.#time.at(this.#bandwidthFreeAt, () => {
            this.#saved++;
            this.#transfers--;
            this.#startDownloads();
            return true;
          });
        });
    }
  }
}
