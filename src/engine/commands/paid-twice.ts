/** Keeps a request from being paid for twice, unless the user asked for both videos. */
import { userMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import type { AlikeJob, JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { isPaid } from './retry-kind.ts';

/** The sentences for a job that another one is like. */
type Sentence = 'paid-twice' | 'edit-to-duplicate';

/** A job that is to have a request, and whether it may share that with duplicates. */
interface Wanting {
  readonly id: number;
  /** SHA-256 in hex. */
  readonly bodySha256: string;
  /** `duplicateGroup` of the job; `null`: the user has not asked for a duplicate. */
  readonly group: number | null;
}

/** What jobs have in common that the user asked for although their requests are the same. */
export function duplicateGroup({ id, duplicateOf }: Pick<AlikeJob, 'id' | 'duplicateOf'>): number {
  return duplicateOf ?? id;
}

/** Another job that was paid for, may have been, or will be; duplicates that the user wants aside. */
export function paidAlike(
  { id, bodySha256, group }: Wanting,
  { jobs }: Pick<Store, 'jobs'>,
): AlikeJob | undefined {
  return jobs.alikeOutside(bodySha256, id, group).find((other) => isPaid(other, jobs));
}

/** @throws {NotPossibleNowError} if the video would be paid for twice */
export function assertPaidOnce(wanting: Wanting, store: Store, sentence: Sentence): void {
  const other = paidAlike(wanting, store);
  if (other === undefined) return;
  const { title, batchId } = store.jobs.get(other.id);
  const { name: batch } = store.batches.get(batchId);
  throw new NotPossibleNowError(userMessage(sentence, { title, batch }));
}

/** For a job that is rendered with the request that it has. @throws {NotPossibleNowError} */
export function assertRenderedOnce(job: JobRow, store: Store): void {
  const { id, bodySha256 } = job;
  assertPaidOnce({ id, bodySha256, group: duplicateGroup(job) }, store, 'paid-twice');
}
