import type { Clock } from '../../../../src/engine/clock.ts';
import type { Disk, RowOnDisk } from './disk.ts';
import type { Response, SimulatedService } from './simulated-service.ts';

/** The shortest pause after a request of unknown outcome. */
const DOUBT_MS = 60_000;
/** The shortest pause after the service reported that the quota is used up. */
const QUOTA_RETRY_MS = 60_000;
/** For so long after word that it falls asleep does the computer send nothing. */
const ASLEEP_MS = 60_000;
const MAX_RETRY_MS = 32 * 86_400_000;

/** What the world knows of a row, without asking the engine. */
export interface ModelRow {
  readonly id: number;
  readonly origin: string;
  /** The request that the user wants to be sent. */
  body: string;
  /** The user wants it to be rendered, and no request sent since may have done so. */
  mayBeSent: boolean;
}

/** What stands between a service and the next request to make a video. */
interface Obstacles {
  /** `unknown`: the process was killed during the user's call. */
  isPaused: boolean | 'unknown';
  stopBefore: number | null;
  isKeyRefused: boolean;
  /** The month for which the user said that the quota is used up. */
  usedUpIn: string | null;
  /** By the monotonic clock, in milliseconds: the minimum wait after the service's refusal. */
  refusedUntil: number;
  refusedIn: string | null;
  limitedUntil: number;
  doubtfulUntil: number;
  asleepUntil: number;
}

/** The outcome of a submission, as far as a client can know from its response. */
type Conclusion = 'accepted' | 'not executed' | 'rejected' | 'unknown';

/**
 * The independent record of what the user wants and what was sent to the services. It judges every
 * request: a wrong one is reported when its first byte is sent.
 */
export class Model {
  readonly rows = new Map<number, ModelRow>();
  /** A row may be sent before the call that adds it has come back. */
  isBeingAddedTo = false;
  /** Another computer works the same folder, and the user has not said that it ended. */
  isTaken = false;
  /** What must not have happened. */
  readonly wrongs: string[] = [];
  readonly #obstacles = new Map<string, Obstacles>();
  readonly #clock: Pick<Clock, 'monotonic'>;

  readonly #serviceNow: () => number;

  /** @param serviceNow what months are counted by, milliseconds since the epoch */
  constructor(clock: Pick<Clock, 'monotonic'>, serviceNow: () => number) {
    this.#clock = clock;
    this.#serviceNow = serviceNow;
  }

  /** The calendar month; quotas reset with each. */
  month(agoMs = 0): string {
    return new Date(this.#serviceNow() - agoMs).toISOString().slice(0, 7);
  }

  /** Nothing is left this month: in its first seconds the engine still counts by the one before. */
  quotaIsUsedUp(origin: string): void {
    this.obstacles(origin).usedUpIn = this.month(10_000);
  }

  obstacles(origin: string): Obstacles {
    let found = this.#obstacles.get(origin);
    if (!found) {
      found = {
        isPaused: false,
        stopBefore: null,
        isKeyRefused: false,
        usedUpIn: null,
        refusedUntil: 0,
        refusedIn: null,
        limitedUntil: 0,
        doubtfulUntil: 0,
        asleepUntil: 0,
      };
      this.#obstacles.set(origin, found);
    }
    return found;
  }

  /** The user adds a row. */
  wants({ id, origin, body }: Omit<ModelRow, 'mayBeSent'>): void {
    this.rows.set(id, { id, origin, body, mayBeSent: true });
  }

  row(id: number): ModelRow {
    const row = this.rows.get(id);
    if (!row) throw new Error(`Job ${id} was not added by the user.`);
    return row;
  }

  wrong(what: string): void {
    this.wrongs.push(what);
  }

  /** The computer, for all services. */
  fallsAsleep(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.asleepUntil = this.#clock.monotonic() + ASLEEP_MS;
    }
  }

  /** The computer woke: every service is tried. */
  triesNow(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.asleepUntil = 0;
      obstacles.refusedUntil = 0;
    }
  }

  /** Another process starts: everything that the previous one kept only in memory is lost. */
  restarts(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.asleepUntil = 0;
      obstacles.isKeyRefused = false;
    }
    // It is the later one now.
    this.isTaken = false;
  }

  /**
   * What waits until a moment may end earlier: a clock was set, or the moment was never written.
   */
  losesTime(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.doubtfulUntil = 0;
      obstacles.limitedUntil = 0;
      obstacles.refusedUntil = 0;
      obstacles.usedUpIn = null;
    }
  }

  /** A request to make a video leaves. @returns its job */
  leaves(origin: string, body: string, disk: Disk, quotaLimit: number): number {
    const sending = disk.rows.filter(({ state }) => state === 'sending');
    const [job] = sending;
    if (!job || sending.length > 1) {
      this.wrong(`A request left while ${sending.length} jobs were in “sending”.`);
      return job?.id ?? 0;
    }
    if (this.isBeingAddedTo && !this.rows.has(job.id)) this.wants(job);
    const wrong = (what: string): void => this.wrong(`Job ${job.id} was sent ${what}.`);
    const row = this.row(job.id);
    if (job.origin !== origin || row.origin !== origin) wrong('to another service than its own');
    if (body !== job.body || body !== row.body) wrong('as another request than the user wants');
    if (!row.mayBeSent) wrong('although it may have been accepted, without a choice of the user');
    row.mayBeSent = false;
    this.#wasWrittenDown(job, disk, wrong);
    this.#wasItsTurn(job, disk, wrong);
    this.#wasFree(job, wrong);
    const charges = disk.charges.filter(({ state }) => state === 'held' || state === 'charged');
    if (charges.length > quotaLimit) wrong('beyond the quota');
    return job.id;
  }

  /** Records a response; `null` for none, or an incomplete one. */
  recordResponse(
    origin: string,
    job: number,
    response: Response | null,
    service: SimulatedService,
  ): void {
    const obstacles = this.obstacles(origin);
    const now = this.#clock.monotonic();
    if (response) this.learnsOfKey(origin, response);
    switch (conclusionOf(response, job, service)) {
      case 'accepted':
      case 'rejected':
        return;
      case 'not executed':
        this.row(job).mayBeSent = true;
        if (response && isAboutQuota(response)) {
          obstacles.refusedUntil = now + QUOTA_RETRY_MS;
          obstacles.refusedIn = this.month(10_000);
        } else if (response?.status === 429) obstacles.limitedUntil = now + waitIn(response);
        return;
      case 'unknown':
        obstacles.doubtfulUntil = now + DOUBT_MS;
    }
  }

  learnsOfKey(origin: string, { status }: Response): void {
    this.obstacles(origin).isKeyRefused = status === 401;
  }

  #wasWrittenDown({ id }: RowOnDisk, disk: Disk, wrong: (what: string) => void): void {
    const attempt = disk.attempts.findLast(({ job }) => job === id);
    if (attempt?.endedAt !== null) wrong('without an attempt on disk');
    const isInJournal = disk.journal.some(({ job, at }) => job === id && at === attempt?.startedAt);
    if (!isInJournal) wrong('without a line in the journal');
    const held = disk.charges.filter(({ job, state }) => job === id && state === 'held');
    if (held.length !== 1) wrong(`with ${held.length} units of quota set aside`);
  }

  #wasItsTurn(job: RowOnDisk, disk: Disk, wrong: (what: string) => void): void {
    const first = disk.rows.find(
      ({ origin, state }) => origin === job.origin && (state === 'queued' || state === 'sending'),
    );
    if (first?.id !== job.id) wrong(`before job ${first?.id}, whose turn it was`);
  }

  #wasFree({ id, origin }: RowOnDisk, wrong: (what: string) => void): void {
    const obstacles = this.obstacles(origin);
    const now = this.#clock.monotonic();
    if (obstacles.isPaused === true) wrong('while the user had paused');
    if (obstacles.stopBefore === id) wrong('although the user said to stop before it');
    if (obstacles.usedUpIn === this.month()) wrong('although nothing was left of the quota');
    if (obstacles.refusedIn === this.month() && now < obstacles.refusedUntil) {
      wrong('at once after the service said that none is left');
    }
    if (this.isTaken) wrong('although another computer had taken the folder');
    if (obstacles.isKeyRefused) wrong('with a key that had been refused');
    if (now < obstacles.limitedUntil) wrong('earlier than the service said');
    if (now < obstacles.doubtfulUntil) wrong('at once after one of unknown outcome');
    if (now < obstacles.asleepUntil) wrong('while the computer was falling asleep');
  }
}

/** By the document only: anything it does not define is unknown. */
function conclusionOf(
  response: Response | null,
  job: number,
  { videos }: SimulatedService,
): Conclusion {
  if (response === null) return 'unknown';
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const made = videos.find((video) => body.includes(`"id":"${video.id}"`));
    const own = videos.findLast((video) => video.job === job);
    return made !== undefined && made.body === own?.body ? 'accepted' : 'unknown';
  }
  if (status < 400 || status >= 500 || status === 408) return 'unknown';
  return status === 401 || status === 429 || isAboutQuota(response) ? 'not executed' : 'rejected';
}

function isAboutQuota({ status, body }: Response): boolean {
  return status === 402 || (status >= 400 && body.includes('QUOTA_EXCEEDED'));
}

/** Milliseconds to wait that a 429 states explicitly; 0 when it does not. */
function waitIn({ headers }: Response): number {
  const seconds = /^\d+$/.exec(headers['retry-after'] ?? '');
  const ms = seconds ? Number(seconds[0]) * 1000 : 0;
  return ms > MAX_RETRY_MS ? 0 : ms;
}
