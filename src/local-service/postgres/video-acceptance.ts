import { z } from 'zod';
import {
  type Account,
  cycleAnchorOf,
  FAILURE_WINDOW_MS,
  failureLimitOf,
  quotaOf,
} from '../accounts/account.ts';
import { billingCycleAt } from '../accounts/billing-cycle.ts';
import type { Clock } from '../clock.ts';
import { CommitUncertainError, DatabaseUnavailableError } from '../database-unavailable.ts';
import { uploadedImagesOf } from '../rendering/image-limits.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import { newVideoId } from '../videos/video.ts';
import type { Acceptance } from '../videos/video-repository.ts';
import { AccountMutex } from './account-mutex.ts';
import { GroupCommit } from './group-commit.ts';
import { OrderedUuids } from './ordered-uuids.ts';
import { lockAccounts, lockFreeAccounts } from './postgres-accounts.ts';
import { type PostgresDatabase, type Queries, storable } from './postgres-database.ts';
import { INSERT_JOB } from './render-boss.ts';

/**
 * Stores the videos that fit their account's quota and whose images exist, with their render jobs,
 * in the order of the requests. Under the locks of the accounts, no image can be removed meanwhile
 * (PostgresImageRecords).
 */
const ACCEPT = `
  WITH account AS (
    SELECT account.*, (
      SELECT count(*) FROM spool.video
      WHERE account_id = account.id AND created_at >= starts_at AND created_at < ends_at
      AND state <> 'failed') AS used, (
      SELECT finished_at FROM spool.video
      WHERE account_id = account.id AND state = 'failed' AND finished_at > $14
      ORDER BY finished_at DESC OFFSET failure_limit - 1 LIMIT 1) AS failed_at
    FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $15::int[])
      AS account (id, starts_at, ends_at, quota, failure_limit)
  ), request AS (
    SELECT * FROM unnest($5::int[], $6::text[], $7::uuid[], $8::text[], $9::text[], $10::float8[])
      WITH ORDINALITY
      AS request (account_id, id, job_id, title, storyboard, duration_seconds, place)
  ), complete AS (
    SELECT request.*, row_number() OVER (PARTITION BY account_id ORDER BY place) AS nth FROM request
    WHERE place NOT IN (
      SELECT place FROM unnest($11::int[], $12::text[]) AS needed (place, image)
      JOIN request USING (place)
      WHERE NOT EXISTS (
        SELECT FROM spool.image
        WHERE image.id = needed.image AND image.account_id = request.account_id))
  ), video AS (
    INSERT INTO spool.video
      (account_id, id, job_id, title, storyboard, state, duration_seconds, created_at)
    SELECT account_id, complete.id, job_id, title, storyboard, 'queued', duration_seconds, $13
    FROM complete JOIN account ON account.id = account_id
    WHERE used + nth <= quota AND failed_at IS NULL ORDER BY place
    RETURNING job_id, id, account_id
  ), job AS (${INSERT_JOB} RETURNING id)
  SELECT used + count(job.id) OVER (PARTITION BY account_id ORDER BY place) AS used,
    failed_at, job.id IS NOT NULL AS accepted
  FROM request JOIN account ON account.id = account_id LEFT JOIN job ON job.id = job_id
  ORDER BY place`;

/** Maximum number of requests in one transaction, and of characters in all their storyboards. */
const MAX_REQUESTS = 50;
const MAX_CHARACTERS = 4_000_000;

interface Request {
  readonly account: Account;
  readonly id: string;
  readonly title: string;
  /** As JSON. */
  readonly storyboard: string;
  /** Identifiers of the uploaded images that it shows. */
  readonly images: readonly string[];
  readonly durationSeconds: number;
}

/** `account-locked`: undecided, because another transaction has the lock of the account. */
type Decision = Acceptance | 'account-locked';

/** The outcome of a commit is unknown, and so is whether its videos were accepted. */
class GroupUncertainError extends CommitUncertainError {
  readonly #requests: readonly Request[];
  readonly #decisions: readonly Decision[];

  constructor(requests: readonly Request[], decisions: readonly Decision[], cause: unknown) {
    super(cause);
    this.#requests = requests;
    this.#decisions = decisions;
  }

  /**
   * The decision about a request if it does not depend on the commit.
   * @throws {CommitUncertainError} when the request's video may have been accepted
   * @throws {DatabaseUnavailableError} when it was not accepted only because other videos of the group
   *   use up the quota: if the commit failed, there is quota left
   */
  decisionOn(request: Request): Decision {
    const decision = this.#decisions[this.#requests.indexOf(request)];
    if (decision === undefined || isAccepted(decision)) throw this;
    const dependsOnGroup =
      decision !== 'account-locked' &&
      decision.kind === 'quota-exceeded' &&
      this.#requests.some(
        ({ account }, index) =>
          account.id === request.account.id && isAccepted(this.#decisions[index]),
      );
    if (dependsOnGroup) throw new DatabaseUnavailableError(this.cause);
    return decision;
  }
}

function isAccepted(
  decision: Decision | undefined,
): decision is Extract<Acceptance, { kind: 'accepted' }> {
  return typeof decision === 'object' && decision.kind === 'accepted';
}

const decisionRow = z.object({
  used: z.int(),
  failed_at: z.int().nullable(),
  accepted: z.boolean(),
});

/**
 * Accepts the videos of several requests in one transaction: each needs its account's lock, a quota
 * check, two rows and a sync of the disk, and most of that costs the same for many as for one. A
 * request whose account another process has locked leaves the group and waits separately, so that
 * it does not delay the others.
 */
export class VideoAcceptance {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;
  readonly #jobIds = new OrderedUuids();
  readonly #accountMutex = new AccountMutex();
  readonly #groups = new GroupCommit<Request, Decision>({
    commit: (requests) => this.#commit(requests, lockFreeAccounts),
    maxItems: MAX_REQUESTS,
    size: { of: ({ storyboard }) => storyboard.length, max: MAX_CHARACTERS },
  });

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws {CommitUncertainError} when the video may have been accepted */
  async accept(
    account: Account,
    storyboard: Storyboard,
    durationSeconds: number,
  ): Promise<Acceptance> {
    const request: Request = {
      account,
      id: newVideoId(),
      title: storable(storyboard.title),
      storyboard: JSON.stringify(storyboard),
      images: uploadedImagesOf(storyboard).map(storable),
      durationSeconds,
    };
    const decision = await this.#acceptInGroup(request);
    if (decision !== 'account-locked') return decision;
    return this.#accountMutex.run(account.id, () => this.#acceptWhenUnlocked(request));
  }

  async #acceptInGroup(request: Request): Promise<Decision> {
    try {
      return await this.#groups.run(request);
    } catch (error) {
      if (error instanceof GroupUncertainError) return error.decisionOn(request);
      throw error;
    }
  }

  async #acceptWhenUnlocked(request: Request): Promise<Acceptance> {
    const [decision] = await this.#commit([request], lockAccounts);
    if (decision === undefined || decision === 'account-locked') {
      throw new Error('The account is gone.');
    }
    return decision;
  }

  /**
   * @param lock locks accounts until the end of the transaction, and resolves to the locked ones
   */
  async #commit(
    requests: readonly Request[],
    lock: typeof lockAccounts,
  ): Promise<readonly Decision[]> {
    const accounts = requests.map(({ account }) => account);
    let decisions: readonly Decision[] = [];
    try {
      await this.#database.transaction(async (transaction) => {
        // Other processes wait for this lock and then count what this one accepts. A separate
        // statement, so that the next one sees what they have committed before.
        const locked = await lock(transaction, accounts);
        const decidable = requests.filter(({ account }) => locked.has(account.id));
        const decided = new Map(await this.#decide(transaction, decidable));
        decisions = requests.map((request) => decided.get(request) ?? 'account-locked');
      });
      return decisions;
    } catch (error) {
      if (!(error instanceof CommitUncertainError)) throw error;
      const ids = decisions.filter(isAccepted).map(({ id }) => id);
      if (ids.length === 0) return decisions;
      const isStored = await this.#isStored(ids, accounts).catch(() => undefined);
      if (isStored === undefined) throw new GroupUncertainError(requests, decisions, error.cause);
      if (isStored) return decisions;
      throw new DatabaseUnavailableError(error);
    }
  }

  /** Decides about requests whose accounts are locked, and stores the accepted videos. */
  async #decide(
    transaction: Queries,
    requests: readonly Request[],
  ): Promise<[Request, Acceptance][]> {
    if (requests.length === 0) return [];
    const now = this.#clock.now();
    const accounts = new Map(
      requests.map(({ account }) => {
        const { startsAt, endsAt } = billingCycleAt(cycleAnchorOf(account), now);
        const [limit, failureLimit] = [quotaOf(account), failureLimitOf(account)];
        return [account.id, { startsAt, endsAt, limit, failureLimit }];
      }),
    );
    const quotas = [...accounts.values()];
    const rows = await transaction.query(ACCEPT, [
      [...accounts.keys()],
      quotas.map(({ startsAt }) => startsAt),
      quotas.map(({ endsAt }) => endsAt),
      quotas.map(({ limit }) => limit),
      requests.map(({ account }) => account.id),
      requests.map(({ id }) => id),
      requests.map(() => this.#jobIds.next(now)),
      requests.map(({ title }) => title),
      requests.map(({ storyboard }) => storyboard),
      requests.map(({ durationSeconds }) => durationSeconds),
      requests.flatMap(({ images }, index) => images.map(() => index + 1)),
      requests.flatMap(({ images }) => images),
      now,
      now - FAILURE_WINDOW_MS,
      quotas.map(({ failureLimit }) => failureLimit),
    ]);
    return requests.map((request, index) => {
      const { used, failed_at: failedAt, accepted } = decisionRow.parse(rows[index]);
      if (accepted) return [request, { kind: 'accepted', id: request.id }];
      const { limit = 0, endsAt = now } = accounts.get(request.account.id) ?? {};
      if (used < limit && failedAt !== null) {
        return [request, { kind: 'too-many-failures', until: failedAt + FAILURE_WINDOW_MS }];
      }
      if (used < limit) return [request, { kind: 'image-missing' }];
      const quota = { used, limit, resetAt: endsAt };
      return [request, { kind: 'quota-exceeded', quota }];
    });
  }

  /** Whether a commit whose response was lost has stored its videos, either all or none. */
  #isStored(ids: readonly string[], accounts: readonly Account[]): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      // The transaction of the lost connection may still run: it holds these locks until it ends.
      await lockAccounts(transaction, accounts);
      const rows = await transaction.query('SELECT FROM spool.video WHERE id = ANY($1) LIMIT 1', [
        ids,
      ]);
      return rows.length > 0;
    });
  }
}
