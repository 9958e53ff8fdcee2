import { isIn } from '../../contract/job-states.ts';
import { backoff } from '../backoff.ts';
import type { WaitingOutcome } from '../downloads/request.ts';
import {
  NO_WAIT,
  type JobChange,
  type JobOutline,
  type JobRow,
  type JobWait,
} from '../jobs/job-row.ts';
import type { FlowContext } from './flow-context.ts';

/** What it takes of a session. */
type DownloadWaitsContext = Pick<
  FlowContext,
  | 'clock'
  | 'store'
  | 'disks'
  | 'connections'
  | 'feed'
  | 'diskSpace'
  | 'blockedServer'
  | 'linkDelay'
  | 'wakeSignal'
  | 'onDefect'
>;

/** Jobs wait at least this long when a server names a time. */
const SHORTEST_MS = 1000;

/** Required space when a disk was found full while the size of the file was unknown. */
const SOME_ROOM_BYTES = 16 * 1024 * 1024;

/**
 * When the download of a finished video is retried. A wait is stored with its job
 * (`JobRow.nextTryAt`); what one job has found out for others is in memory.
 */
export class DownloadWaits {
  readonly #context: DownloadWaitsContext;
  /** One at a time: the system's resolver has few threads, and the disk uses them too. */
  #isLookingUp = false;
  /** When `followClock` was last called, by the wall clock. */
  #followedAt = 0;

  constructor(context: DownloadWaitsContext) {
    this.#context = context;
  }

  /**
   * Corrects waits after the clock was set back, so that none gets longer. Call it at least every
   * minute.
   */
  followClock(): void {
    const { store, clock } = this.#context;
    const now = clock.now();
    const ahead = this.#followedAt - now;
    this.#followedAt = now;
    if (ahead > 0) store.jobs.moveWaits((nextTryAt) => nextTryAt - ahead);
  }

  /**
   * Milliseconds until a job may be tried.
   * @param job as it waits
   */
  left(id: number, job: JobOutline | undefined): number {
    const { blockedServer, linkDelay, diskSpace, clock } = this.#context;
    if (job === undefined) return Math.max(blockedServer.left(), linkDelay.left(id));
    if (this.#isLookingUp && isToLookUp(job.waitReason)) return Infinity;
    const left = Math.max(0, (job.nextTryAt ?? 0) - clock.now(), diskSpace.left(job));
    return job.waitReason?.kind === 'not-ready' ? Math.max(left, linkDelay.left(id)) : left;
  }

  /**
   * Whether to spend a link on a job whose wait has ended. Not while the disk lacks space for the
   * file, or while DNS gives its server an address that is not allowed.
   */
  async isOver(job: JobRow, stop: AbortSignal): Promise<boolean> {
    const wait = job.waitReason;
    switch (wait?.kind) {
      case 'no-space':
        return wait.required === null || (await this.findSpace(job)) >= wait.required;
      case 'address-blocked':
        if (wait.host !== null) this.#lookUp(job, wait.host, stop);
        return wait.host === null;
      case 'cannot-write': {
        const canWrite = await this.#context.disks.canWrite(this.#folderOf(job));
        if (!canWrite) this.begin(job.id, wait);
        return canWrite;
      }
      default:
        return true;
    }
  }

  /** A job is retried later; the wait grows each time. */
  begin(jobId: number, wait: JobWait): void {
    this.#context.store.jobs.change(jobId, this.next(jobId, wait));
  }

  /**
   * The same, as a change to be stored.
   * @param until milliseconds since the epoch; `null`: the wait grows each time
   */
  next(jobId: number, waitReason: JobWait, until: number | null = null): JobChange {
    const { store, clock } = this.#context;
    const now = clock.now();
    const tries = store.jobs.get(jobId).tries + 1;
    const nextTryAt =
      until === null ? now + backoff('video', tries) : Math.max(now + SHORTEST_MS, until);
    return { waitReason, tries, nextTryAt };
  }

  /**
   * After a transfer that cannot continue now for a temporary reason. It is retried automatically,
   * and other jobs do not wait for it.
   * @param free bytes on its disk, with `no-space`
   */
  afterTransfer(id: number, outcome: WaitingOutcome, free: number): JobChange {
    const { store, blockedServer, clock } = this.#context;
    switch (outcome.reason) {
      case 'no-space': {
        const required = outcome.neededBytes ?? SOME_ROOM_BYTES;
        return free < required
          ? { waitReason: { kind: 'no-space', required }, tries: 1, nextTryAt: clock.now() }
          : // There is room and the disk takes nothing all the same: a disk quota is used up.
            this.next(id, { kind: 'no-space', required: null });
      }
      case 'address-blocked': {
        const { host } = outcome;
        const others = store.jobs.waiting().filter((each) => each.id !== id);
        blockedServer.found(host, !others.some(({ waitReason }) => isToLookUp(waitReason)));
        return this.next(id, { kind: 'address-blocked', host });
      }
      case 'proxy-failed':
        return this.next(id, { kind: 'proxy-failed', proxy: outcome.proxy }, outcome.until);
      default:
        return this.next(id, { kind: outcome.reason }, outcome.until);
    }
  }

  /** Checks how many bytes are free for a job's file: 0 if the disk does not say. */
  async findSpace(job: JobRow): Promise<number> {
    const { diskSpace, disks, feed } = this.#context;
    const free = await disks.free(this.#folderOf(job)).catch(() => 0);
    diskSpace.saw(job.batchId, free);
    feed.job(job.id);
    return free;
  }

  /** Ends the waits for these reasons. */
  end(...kinds: JobWait['kind'][]): void {
    this.#change((wait) => (kinds.includes(wait.kind) ? NO_WAIT : null));
  }

  endOf(ids: readonly number[]): void {
    const { jobs } = this.#context.store;
    for (const id of ids) if (isIn('accepted', jobs.get(id).state)) jobs.change(id, NO_WAIT);
  }

  /** Looks names up again now whose address is not allowed. */
  lookUpNow(): void {
    const nextTryAt = this.#context.clock.now();
    this.#change((wait) => (isToLookUp(wait) ? { nextTryAt } : null));
  }

  /** Retries everything now; names whose address is not allowed are looked up again first. */
  tryAll(): void {
    const nextTryAt = this.#context.clock.now();
    this.#change((wait) => (isToLookUp(wait) ? { nextTryAt } : NO_WAIT));
  }

  /** In the background, so that a slow resolver does not hold up other jobs. */
  #lookUp(job: JobRow, host: string, stop: AbortSignal): void {
    const { store, connections, wakeSignal, onDefect } = this.#context;
    this.#isLookingUp = true;
    connections
      .isBlocked(host)
      .then((isBlocked) => {
        // The user may have allowed the address, or cancelled the job, meanwhile.
        const now = store.jobs.find(job.id);
        if (stop.aborted || now?.nextTryAt !== job.nextTryAt || !isToLookUp(now.waitReason)) return;
        if (isBlocked) this.begin(job.id, { kind: 'address-blocked', host });
        // Its count of tries is kept, so that a name whose address changes back and forth is tried
        // less and less often.
        else store.jobs.change(job.id, { waitReason: { kind: 'address-blocked', host: null } });
      })
      .catch(onDefect)
      .finally(() => {
        this.#isLookingUp = false;
        wakeSignal.notify();
      });
  }

  #folderOf({ batchId }: JobRow): string {
    return this.#context.store.batches.get(batchId).folder;
  }

  #change(changeOf: (wait: JobWait) => JobChange | null): void {
    const { jobs, transactions } = this.#context.store;
    const changes = jobs.waiting().flatMap(({ id, state, waitReason }) => {
      const change = isIn('accepted', state) && waitReason ? changeOf(waitReason) : null;
      return change ? [{ id, change }] : [];
    });
    if (changes.length === 0) return;
    transactions.write(() => {
      for (const { id, change } of changes) jobs.change(id, change);
    });
  }
}

/** Whether DNS is asked for a server's address before a link is requested. */
function isToLookUp(wait: JobWait | null): boolean {
  return wait?.kind === 'address-blocked' && wait.host !== null;
}
