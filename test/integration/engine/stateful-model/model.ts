import type { Clock } from '../../../../src/engine/clock.ts';
import type { Disk, RowOnDisk } from './disk.ts';
import type { Response, SimulatedService } from './simulated-service.ts';

/** The shortest pause after a request of unknown outcome. */
const UNCERTAIN_PAUSE_MS = 60_000;
/** The shortest pause after the service reported that the quota is used up. */
const QUOTA_RETRY_MS = 60_000;
/** How long nothing is sent after the computer announced sleep. */
const ASLEEP_MS = 60_000;
const MAX_RETRY_MS = 32 * 86_400_000;

/** The expected state of a row, independent of the engine. */
export interface ModelRow {
  readonly id: number;
  readonly origin: string;
  /** The request that the user wants to be sent. */
  body: string;
  /** Requests that it had before edits, which undoing gives it back. */
  readonly earlier: Set<string>;
  /** The user wants it to be rendered, and no request sent since may have done so. */
  mayBeSent: boolean;
}

/** Reasons not to submit the next video to a service. */
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
  uncertainUntil: number;
  asleepUntil: number;
}

/** Equal for equal requests: the rows and edits of this test differ in nothing else. */
export function requestKey(request: string): string {
  const { title, edited = '' } = JSON.parse(request) as { title: string; edited?: number };
  return `${title} ${edited}`;
}

/** The outcome of a submission, as far as a client can know from its response. */
type Conclusion = 'accepted' | 'not executed' | 'rejected' | 'unknown';

/**
 * An independent model of what the user wants and what was sent to the services. It checks every
 * submission when its first byte is sent.
 */
export class Model {
  readonly rows = new Map<number, ModelRow>();
  /** A row may be sent before the call that adds it returns. */
  isAddingRows = false;
  /** A row may have an earlier request before the call that undoes an edit returns. */
  isUndoing = false;
  /** Another computer has opened the same folder, and the user has not confirmed its end. */
  isFolderTaken = false;
  readonly violations: string[] = [];
  readonly #obstacles = new Map<string, Obstacles>();
  /** How many videos of equal requests the user wants, by origin and request. */
  readonly #wanted = new Map<string, number>();
  readonly #clock: Pick<Clock, 'monotonic'>;

  readonly #serviceNow: () => number;

  /** @param serviceNow the service's clock, which months follow; milliseconds since the epoch */
  constructor(clock: Pick<Clock, 'monotonic'>, serviceNow: () => number) {
    this.#clock = clock;
    this.#serviceNow = serviceNow;
  }

  /** The calendar month; quotas reset with each. */
  month(agoMs = 0): string {
    return new Date(this.#serviceNow() - agoMs).toISOString().slice(0, 7);
  }

  /** For the first 10 s of a month, the engine still counts in the previous one. */
  markQuotaUsedUp(origin: string): void {
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
        uncertainUntil: 0,
        asleepUntil: 0,
      };
      this.#obstacles.set(origin, found);
    }
    return found;
  }

  addRow({ id, origin, body }: Omit<ModelRow, 'earlier' | 'mayBeSent'>): void {
    this.rows.set(id, { id, origin, body, earlier: new Set(), mayBeSent: true });
  }

  /** An edit was undone, if this is a request that the row had. */
  takeBack(id: number, body: string): void {
    const row = this.row(id);
    if (body === row.body || !row.earlier.has(body)) return;
    row.earlier.add(row.body);
    row.body = body;
  }

  row(id: number): ModelRow {
    const row = this.rows.get(id);
    if (!row) throw new Error(`Job ${id} was not added by the user.`);
    return row;
  }

  /**
   * The user wants this many videos of a request, including those that exist already.
   * @param lost videos of it that the service reported as failed or gone
   */
  allow(origin: string, request: string, videos: number, lost: number): void {
    const key = `${origin} ${requestKey(request)}`;
    this.#wanted.set(key, Math.max(this.#wanted.get(key) ?? 0, videos + lost));
  }

  /** The user wants this many more videos of a request, whatever exists. */
  allowMore(origin: string, request: string, videos: number): void {
    const key = `${origin} ${requestKey(request)}`;
    this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + videos);
  }

  /** Every accepted request is one that the user wants, and equal ones are not paid for twice. */
  checkAccepted({ origin, videos }: SimulatedService): void {
    for (const [key, equal] of Map.groupBy(videos, ({ body }) => requestKey(body))) {
      const wanted = this.#wanted.get(`${origin} ${key}`) ?? 0;
      if (equal.length <= wanted) continue;
      const jobs = equal.map(({ job }) => job).join(', ');
      this.report(
        `${equal.length} equal requests were accepted (jobs ${jobs}) and ${wanted} wanted.`,
      );
    }
  }

  report(what: string): void {
    this.violations.push(what);
  }

  /** The computer announces sleep, for all services. */
  fallAsleep(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.asleepUntil = this.#clock.monotonic() + ASLEEP_MS;
    }
  }

  /** The computer woke, so every service is tried. */
  tryNow(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.asleepUntil = 0;
      obstacles.refusedUntil = 0;
    }
  }

  /** Another process starts: everything that the previous one kept only in memory is lost. */
  restartProcess(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.asleepUntil = 0;
      obstacles.isKeyRefused = false;
    }
    // The new process is the later one now.
    this.isFolderTaken = false;
  }

  /** Waits may end earlier, because a clock was set or their ends were not recorded. */
  shortenWaits(): void {
    for (const obstacles of this.#obstacles.values()) {
      obstacles.uncertainUntil = 0;
      obstacles.limitedUntil = 0;
      obstacles.refusedUntil = 0;
      obstacles.usedUpIn = null;
    }
  }

  /** Checks a submission that is being sent. @returns its job */
  checkSubmission(origin: string, body: string, disk: Disk, quotaLimit: number): number {
    const sending = disk.rows.filter(({ state }) => state === 'sending');
    const [job] = sending;
    if (!job || sending.length > 1) {
      this.report(`A request left while ${sending.length} jobs were in “sending”.`);
      return job?.id ?? 0;
    }
    if (this.isAddingRows && !this.rows.has(job.id)) this.addRow(job);
    if (this.isUndoing) this.takeBack(job.id, job.body);
    const report = (what: string): void => this.report(`Job ${job.id} was sent ${what}.`);
    const row = this.row(job.id);
    if (job.origin !== origin || row.origin !== origin) report('to another service than its own');
    if (body !== job.body || body !== row.body) report('as another request than the user wants');
    if (!row.mayBeSent)
      report('although it may have been accepted, without a decision of the user');
    row.mayBeSent = false;
    this.#checkRecorded(job, disk, report);
    this.#checkOrder(job, disk, report);
    this.#checkObstacles(job, report);
    const charges = disk.charges.filter(({ state }) => state === 'held' || state === 'charged');
    if (charges.length > quotaLimit) report('beyond the quota');
    return job.id;
  }

  /** @param response `null`: none, or an incomplete one */
  recordResponse(
    origin: string,
    job: number,
    response: Response | null,
    service: SimulatedService,
  ): void {
    const obstacles = this.obstacles(origin);
    const now = this.#clock.monotonic();
    if (response) this.recordKeyStatus(origin, response);
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
        obstacles.uncertainUntil = now + UNCERTAIN_PAUSE_MS;
    }
  }

  recordKeyStatus(origin: string, { status }: Response): void {
    this.obstacles(origin).isKeyRefused = status === 401;
  }

  #checkRecorded({ id }: RowOnDisk, disk: Disk, report: (what: string) => void): void {
    const attempt = disk.attempts.findLast(({ job }) => job === id);
    if (attempt?.endedAt !== null) report('without an attempt on disk');
    const isInJournal = disk.journal.some(({ job, at }) => job === id && at === attempt?.startedAt);
    if (!isInJournal) report('without a line in the journal');
    const held = disk.charges.filter(({ job, state }) => job === id && state === 'held');
    if (held.length !== 1) report(`with ${held.length} units of quota held`);
  }

  #checkOrder(job: RowOnDisk, disk: Disk, report: (what: string) => void): void {
    const first = disk.rows.find(
      ({ origin, state }) => origin === job.origin && (state === 'queued' || state === 'sending'),
    );
    if (first?.id !== job.id) report(`before job ${first?.id}, which was first`);
  }

  #checkObstacles({ id, origin }: RowOnDisk, report: (what: string) => void): void {
    const obstacles = this.obstacles(origin);
    const now = this.#clock.monotonic();
    if (obstacles.isPaused === true) report('while the user had paused');
    if (obstacles.stopBefore === id) report('although the user said to stop before it');
    if (obstacles.usedUpIn === this.month()) report('although the quota was used up');
    if (obstacles.refusedIn === this.month() && now < obstacles.refusedUntil) {
      report('at once after the service refused it for used-up quota');
    }
    if (this.isFolderTaken) report('although another computer had opened the folder');
    if (obstacles.isKeyRefused) report('with a key that had been refused');
    if (now < obstacles.limitedUntil) report('earlier than the service allowed');
    if (now < obstacles.uncertainUntil) report('at once after a request of unknown outcome');
    if (now < obstacles.asleepUntil) report('while the computer was falling asleep');
  }
}

/** By the API document only: any response that it does not define is `unknown`. */
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
