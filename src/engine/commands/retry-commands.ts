import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Changed } from '../../contract/contract.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { CostEstimate } from '../../contract/service-cost.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { SettledName } from '../downloads/naming.ts';
import { quarantine } from '../downloads/place.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import { findMissing } from '../flow/saved-files.ts';
import { fileNameOf, NO_WAIT, UNMADE, type JobChange, type JobRow } from '../jobs/job-row.ts';
import { canMove } from '../jobs/lifecycle.ts';
import { estimateCost } from '../profiles/cost.ts';
import { changeEach, withKnownBatch } from './by-id.ts';
import type { Needs } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { settleNamesOf } from './names-in-folder.ts';
import { assertRenderedOnce } from './paid-twice.ts';
import { mayHaveVideo, retryKindOf, type RetryKind } from './retry-kind.ts';

/** A job whose video is to be downloaded. */
const NOT_DOWNLOADED: JobChange = {
  ...NO_WAIT,
  failure: null,
  filePath: null,
  fileBytes: null,
  fileSha256: null,
  fileSeconds: null,
  savedAt: null,
};

/** States that `retry` is for. `downloadAgain` looks for a missing file before it gets another one. */
const WITHOUT_FILE: readonly JobState[] = ['failed', 'rejected', 'cancelled'];

/** States that `retryFailed` is for: a job that the user cancelled did not fail. */
const FAILED: readonly JobState[] = ['failed', 'rejected'];

/**
 * Whether a video is rendered again only by name: its content was refused, or it was refused after it
 * was accepted, which may have been paid for.
 */
function isOnlyByName({ failure, state, remoteId }: JobRow): boolean {
  return failure?.code === 'content-refused' || (state === 'rejected' && remoteId !== null);
}

/** Rows read at a time for a plan. */
const PAGE = 1000;

export type RetryCommands = Pick<
  Commands['jobs'],
  'retry' | 'retryFailed' | 'planRetry' | 'downloadAgain'
>;

/**
 * Gets a file for jobs that ended without one: downloads the video if the service may have it, and
 * renders it again otherwise. File names are chosen before any quota is spent, because the old ones
 * may be taken. A job whose request another one has by now is not rendered again.
 */
export function retryCommands(
  context: Needs<'store' | 'clock' | 'naming' | 'key' | 'quota' | 'profile' | 'stop'>,
): RetryCommands {
  const { store, clock, naming, key, quota, profile, stop } = context;
  const download = (job: JobRow, fileName: string): void => {
    store.jobs.move(job.id, 'downloadAgain', clock.now(), { ...NOT_DOWNLOADED, fileName });
  };

  const renderAgain = (job: JobRow, fileName: string): void => {
    store.jobs.move(job.id, 'retry', clock.now(), { ...UNMADE, fileName });
  };

  const costOf = (jobs: readonly JobRow[]): CostEstimate | null =>
    estimateCost(profile, []) &&
    estimateCost(
      profile,
      jobs.map(({ id }) => store.jobs.row(id).values),
    );

  /** By job id. The names of one batch are in queue order. */
  const settleNames = (ids: readonly string[]): Promise<ReadonlyMap<number, SettledName>> => {
    const jobs = store.jobs
      .pick(numbersIn(ids))
      .filter(({ state }) => canMove('retry', state) || canMove('downloadAgain', state));
    return settleNamesOf(
      jobs.map((job) => ({ job, name: fileNameOf(job) })),
      store,
    );
  };

  const withNames = (
    ids: readonly string[],
    act: (job: JobRow, nameOf: (job: JobRow) => string) => void,
  ): Promise<Changed> =>
    naming.run(async () => {
      const names = await settleNames(ids);
      const nameOf = (job: JobRow): string => {
        const settled = names.get(job.id);
        const name = settled?.name ?? fileNameOf(job);
        if (settled?.kind === 'skipped')
          throw new NotPossibleNowError(userMessage('name-kept', { name }));
        return name;
      };
      return changeEach(ids, store, (job) => act(job, nameOf));
    });

  const retry = (ids: readonly string[], payAgain: boolean): Promise<Changed> =>
    withNames(ids, (job, nameOf) => {
      if (!WITHOUT_FILE.includes(job.state))
        throw new NotPossibleNowError(userMessage('retry-only-ended'));
      const fileName = nameOf(job);
      const kind = retryKindOf(job, store.jobs);
      if (kind === 'download') download(job, fileName);
      else if (kind === 'render' || payAgain) {
        assertRenderedOnce(job, store);
        renderAgain(job, fileName);
      } else store.jobs.move(job.id, 'askStatusAgain', clock.now(), { fileName });
    });

  /** The named jobs, or all that failed, in pages. */
  function* pages(
    ids: readonly string[] | undefined,
    ofBatch: string | undefined,
  ): Generator<readonly JobRow[]> {
    const failed = () =>
      store.jobs.idsOf(
        withKnownBatch({ batchId: ofBatch, states: FAILED, archived: false }, store),
      );
    const numbers = ids ? numbersIn(ids) : failed();
    for (let start = 0; start < numbers.length; start += PAGE)
      yield store.jobs.pick(numbers.slice(start, start + PAGE));
  }

  return {
    retry: ({ ids, payAgain }) => retry(ids, payAgain),

    retryFailed({ batchId, limit, payAgain }) {
      const ids: string[] = [];
      for (const rows of pages(undefined, batchId)) {
        ids.push(...rows.filter((job) => !isOnlyByName(job)).map(({ id }) => String(id)));
        if (ids.length >= limit) break;
      }
      return retry(ids.slice(0, limit), payAgain);
    },

    async planRetry({ ids, batchId }) {
      const found = { download: [], render: [], gone: [] } as Record<RetryKind, JobRow[]>;
      let contentRefused = 0;
      let isFirst = true;
      for (const rows of pages(ids, batchId)) {
        if (!isFirst) await nextTurn();
        isFirst = false;
        const jobs = rows.filter(({ state }) => WITHOUT_FILE.includes(state));
        const refused = jobs.filter(isOnlyByName);
        contentRefused += refused.length;
        const retried = ids ? jobs : jobs.filter((job) => !refused.includes(job));
        for (const job of retried) found[retryKindOf(job, store.jobs)].push(job);
      }
      return {
        origin: key.status.origin,
        downloads: found.download.length,
        renders: found.render.length,
        gone: found.gone.length,
        contentRefused,
        cost: costOf(found.render),
        goneCost: costOf(found.gone),
      };
    },

    async downloadAgain({ ids }) {
      const found = await findMissing(numbersIn(ids), store, clock, stop);
      for (const id of ids) await quarantineDamaged(store.jobs.find(Number(id)));
      return withNames(ids, (job, nameOf) => {
        if (found.has(job.id)) return;
        // Without a quota, rendering it again costs no more than downloading it.
        if (job.videoDeleted && quota.quota === null && canMove('retry', job.state)) {
          renderAgain(job, nameOf(job));
          return;
        }
        if (!canMove('downloadAgain', job.state) || !mayHaveVideo(job, store.jobs)) {
          throw new NotPossibleNowError(userMessage('nothing-to-fetch'));
        }
        download(job, nameOf(job));
      });
    },
  };
}

/** Renames a damaged file so that the download can have its name. */
export async function quarantineDamaged(job: JobRow | null): Promise<void> {
  if (job?.state !== 'missing' || job.failure?.code !== 'file-damaged') return;
  if (job.filePath !== null) await quarantine(job.filePath);
}

function numbersIn(ids: readonly string[]): number[] {
  return ids.map(Number).filter(Number.isSafeInteger);
}
