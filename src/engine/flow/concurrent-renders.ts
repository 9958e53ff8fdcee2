import type { RendersAtOnce } from '../../contract/summary.ts';
import type { Clock } from '../clock.ts';
import type { Store } from '../jobs/store.ts';
import type { PlanSlots } from '../pacing/planner.ts';
import {
  parseRateHeaders,
  type RateHeaderNames,
  type RateHeaders,
} from '../pacing/rate-headers.ts';
import { RenderSlots, renderSlotsSchema } from '../pacing/render-slots.ts';
import { headerNamesOf, type ServiceLimits } from '../pacing/service-limits.ts';
import { parseForeignJson } from '../../contract/json-text.ts';
import type { HttpResponse } from '../service/outcomes.ts';
import type { RenderTimeTracker } from './render-time-tracker.ts';

const NOTE = 'render-slots';

/** A request without a response counts as rendering for this many times a usual render. */
const UNCERTAIN_FACTOR = 3;
const UNCERTAIN_SHARE = 0.95;

/** Words of 429 responses that are about running renders, not about requests. */
const AT_ONCE_WORDS =
  /concurren|simultaneous|at (?:once|a time|the same time)|in parallel|in progress|(?:running|active|pending) (?:jobs|tasks|renders|videos|generations)/i;
const MAX_READ = 2000;

/**
 * How many videos the service renders for us at the same time, if that is limited. The store counts
 * the running ones, so that a restart changes nothing; the limit learned from refusals is stored
 * too.
 *
 * Renders of other clients on the same account are not visible: only refusals show them.
 */
export class ConcurrentRenders {
  readonly #slots: RenderSlots | null;
  readonly #renderedAtOnce: (() => number) | null;
  readonly #windows: ServiceLimits['windows'];
  readonly #headers: RateHeaderNames;
  readonly #store: Pick<Store, 'jobs' | 'notes'>;
  readonly #renderTimes: Pick<RenderTimeTracker, 'of'>;
  readonly #clock: Clock;

  constructor(
    limits: Pick<ServiceLimits, 'concurrent' | 'windows' | 'headers' | 'rendersAtOnce'>,
    store: Pick<Store, 'jobs' | 'notes'>,
    renderTimes: Pick<RenderTimeTracker, 'of'>,
    clock: Clock,
  ) {
    const { concurrent, windows, headers, rendersAtOnce = null } = limits;
    const state = store.notes.read(NOTE, renderSlotsSchema) ?? undefined;
    this.#slots = concurrent && new RenderSlots(concurrent.count, state);
    this.#renderedAtOnce = rendersAtOnce;
    this.#windows = windows;
    this.#headers = headerNamesOf({ headers }, 'generate');
    this.#store = store;
    this.#renderTimes = renderTimes;
    this.#clock = clock;
  }

  /** How many of the accepted videos the service renders at a time; `null` if that is unknown. */
  get renderedAtOnce(): number | null {
    return this.#renderedAtOnce?.() ?? null;
  }

  /**
   * Milliseconds until another video may be sent; 0 is now, `Infinity` until a render ends.
   */
  wait(): number {
    if (this.#slots === null) return 0;
    const now = this.#clock.now();
    const uncertain = this.#uncertainEnds();
    const ms = this.#slots.wait(this.#known() + uncertain.length, now);
    if (ms === 0 || uncertain.length === 0) return ms;
    return Math.min(ms, Math.max(1, Math.min(...uncertain) - now));
  }

  /** Videos wait for a render to end, so its end should be noticed soon. */
  get isAwaited(): boolean {
    return this.#store.jobs.counts.total.queued > 0 && this.wait() > 0;
  }

  /**
   * Whether a 429 to a request that is stored as running is about running renders, not about
   * requests.
   */
  isMeantBy(response: HttpResponse): boolean {
    if (this.#slots === null) return false;
    if (AT_ONCE_WORDS.test(response.body.slice(0, MAX_READ))) return true;
    const { remaining } = this.#read(response);
    if (remaining !== null) return remaining > 0;
    // As many are running as when a request was refused before, others' included.
    if (this.#underWay() > this.#slots.room) return true;
    return !this.#windows.some(({ endpoint }) => endpoint === 'generate' || endpoint === 'all');
  }

  /** Such a 429 to a request that is still stored as running. Joins the transaction. */
  refused(response: HttpResponse, preset: string): void {
    const { retryAfterMs } = this.#read(response);
    this.#slots?.refused({
      underWay: Math.max(0, this.#underWay() - 1),
      now: this.#clock.now(),
      retryAfterMs,
      renderMs: this.#renderTimes.of(preset).quantile(0.5),
    });
    this.#persist();
  }

  /** The request that is still stored as running was accepted. Joins the transaction. */
  accepted(): void {
    if (this.#slots === null) return;
    const before = this.#slots.state;
    this.#slots.accepted(Math.max(0, this.#underWay() - 1));
    if (this.#slots.state !== before) this.#persist();
  }

  view(): RendersAtOnce | null {
    if (this.#slots === null) return null;
    return { limit: this.#slots.limit, underWay: this.#underWay() };
  }

  /** For the planner; `null` where nothing is limited. */
  get plan(): Omit<PlanSlots, 'averages'> | null {
    if (this.#slots === null) return null;
    const wait = this.#slots.room === 0 ? this.wait() : 0;
    const { notBefore } = this.#slots.state;
    return {
      limit: Math.max(1, this.#slots.room),
      renderedAtOnce: this.renderedAtOnce,
      othersEndAt: this.#uncertainEnds(),
      notBefore: Math.max(notBefore ?? 0, this.#clock.now() + wait),
    };
  }

  #read({ headers, body, receivedAt }: HttpResponse): RateHeaders {
    const names = this.#headers;
    return parseRateHeaders((name) => headers[name], parseForeignJson(body), { names, receivedAt });
  }

  #underWay(): number {
    return this.#known() + this.#uncertainEnds().length;
  }

  #known(): number {
    return this.#store.jobs.counts.sum(['sending', 'submitted', 'rendering']);
  }

  /** When each uncertain request that may be rendering will certainly have ended. */
  #uncertainEnds(): number[] {
    if (this.#store.jobs.counts.total.uncertain === 0) return [];
    const now = this.#clock.now();
    return this.#store.jobs.sentAt('uncertain').flatMap(({ preset, at }) => {
      const longest = UNCERTAIN_FACTOR * this.#renderTimes.of(preset).quantile(UNCERTAIN_SHARE);
      // If the moment is in the future, the clock was set back after the request was sent.
      return at <= now && now < at + longest ? [at + longest] : [];
    });
  }

  #persist(): void {
    if (this.#slots !== null) this.#store.notes.write(NOTE, this.#slots.state);
  }
}
