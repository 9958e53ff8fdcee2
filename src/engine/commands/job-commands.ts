import type { Changed } from '../../contract/contract.ts';
import type { JobDetails } from '../../contract/job.ts';
import { isIn } from '../../contract/job-states.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import { describeRow } from '../intake/describe-fields.ts';
import { storedRow } from '../intake/edited-row.ts';
import { JobGroups } from '../jobs/job-groups.ts';
import { UNMADE, type JobChange, type JobRow } from '../jobs/job-row.ts';
import { estimateOne } from '../profiles/cost.ts';
import { canMove } from '../jobs/lifecycle.ts';
import { assertUnsent, changeEach, jobIdOf, withKnownBatch } from './by-id.ts';
import type { CommandContext, Needs } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { editCommands } from './edit-commands.ts';
import { plainCommands } from './plain-commands.ts';
import type { RetryCommands } from './retry-commands.ts';

/** The reason for which a batch is held ends with the hold. */
const UNHELD: JobChange = { failure: null };

type JobCommands = Omit<Commands['jobs'], keyof RetryCommands | 'undo' | 'undoSteps'>;

/** Shows jobs, and changes what a user may change of them. */
export function jobCommands(context: CommandContext): JobCommands {
  return {
    ...readCommands(context),
    ...plainCommands(context),
    cancel: cancelCommand(context),
    ...orderCommands(context),
    ...editCommands(context),
    resolve: resolveCommand(context),
  };
}

function readCommands({
  store,
  view,
  profile,
  forecasts,
}: Needs<'store' | 'view' | 'profile' | 'forecasts'>): Pick<
  JobCommands,
  'list' | 'ids' | 'read' | 'show'
> {
  const groups = new JobGroups(store, () => forecasts.lastInCycle);

  return {
    list(query) {
      withKnownBatch(query, store);
      const page = query.grouping === undefined ? null : groups.page(query);
      const { total, rows } = page ?? store.jobs.page(query);
      const jobs = rows.map((row) => view.line(row, page?.folded.get(row.id) ?? []));
      return { total, jobs, groups: page?.groups ?? [] };
    },

    ids(query) {
      withKnownBatch(query, store);
      const ids = query.grouping === undefined ? store.jobs.idsOf(query) : groups.ids(query);
      return { ids: ids.map(String) };
    },

    read({ ids }) {
      const rows = store.jobs.pick(ids.map(jobIdOf));
      const jobs = new Map(rows.map((row) => [String(row.id), view.job(row)]));
      return { jobs: ids.flatMap((id) => jobs.get(id) ?? []) };
    },

    show({ id }) {
      const row = store.jobs.get(jobIdOf(id));
      return {
        job: view.job(row),
        row: describeRow(storedRow(store.jobs.row(row.id)), profile.request, row.failure),
        request: JSON.parse(store.jobs.requestBody(row.id)) as JobDetails['request'],
        requestSha256: row.bodySha256,
        lastAnswer: store.jobs.lastResponse(row.id),
        cost: { estimated: estimateOne(profile, store.jobs.row(row.id).values), actual: row.cost },
        history: store.jobs.history(row),
      };
    },
  };
}

function cancelCommand({
  store,
  fetcher,
  canceller,
  clock,
}: Needs<'store' | 'fetcher' | 'canceller' | 'clock'>): JobCommands['cancel'] {
  return ({ ids, onlyUnsent = false }) => {
    const cancel = (job: JobRow): void => {
      if (job.state === 'uncertain') throw new NotPossibleNowError(userMessage('decide-first'));
      if (job.state === 'sending') throw new NotPossibleNowError(userMessage('sending-now'));
      if (onlyUnsent && isIn('accepted', job.state))
        throw new NotPossibleNowError(userMessage('sent-already'));
      const name = canMove('cancel', job.state) ? 'cancel' : 'abandon';
      if (!canMove(name, job.state))
        throw new NotPossibleNowError(userMessage('nothing-to-cancel'));
      // A finished video is not cancelled at the service: it can still be downloaded.
      const change = isIn('atService', job.state) ? canceller.changeFor(job) : UNHELD;
      store.jobs.move(job.id, name, clock.now(), change);
    };
    // Right before the change: a download can begin while earlier jobs are changed.
    return changeEach(ids, store, cancel, {
      prepare: (some) => fetcher.stop(some.map(Number)),
      undo: store.undo.begin('cancel', clock.now()),
      // The others are abandoned.
      isUndoable: ({ state }) => isIn('unsent', state),
    });
  };
}

/** Changes the order in which jobs are sent. */
function orderCommands({
  store,
  clock,
  runtime,
}: Needs<'store' | 'clock' | 'runtime'>): Pick<JobCommands, 'move' | 'prioritise'> {
  /** The named jobs that have not been sent; the others are refused. */
  const pickUnsent = async (
    ids: readonly string[],
    otherwise: UserMessage,
  ): Promise<{ changed: Changed; unsent: number[] }> => {
    const unsent: number[] = [];
    const changed = await changeEach(ids, store, (job) => {
      assertUnsent(job, otherwise);
      unsent.push(job.id);
    });
    return { changed, unsent };
  };

  return {
    async move({ ids, before }) {
      const target = before === null ? null : store.jobs.get(jobIdOf(before)).id;
      const { changed, unsent } = await pickUnsent(ids, userMessage('place-too-late'));
      const undo = store.undo.begin('move', clock.now());
      undo.change(unsent, () => store.order.move(unsent, target));
      runtime.rowsChanged();
      return { ...changed, step: undo.id };
    },

    async prioritise({ ids, priority }) {
      const { changed, unsent } = await pickUnsent(ids, userMessage('priority-too-late'));
      const undo = store.undo.begin('prioritise', clock.now());
      undo.change(unsent, () => store.order.setPriority(unsent, priority));
      runtime.rowsChanged();
      return { ...changed, step: undo.id };
    },
  };
}

/** Decides about a request whose outcome is unknown. */
function resolveCommand({
  store,
  settler,
  circuitBreaker,
  clock,
  view,
}: Needs<'store' | 'settler' | 'circuitBreaker' | 'clock' | 'view'>): JobCommands['resolve'] {
  return (resolution) => {
    const id = jobIdOf(resolution.id);
    const at = clock.now();
    const resolved = store.transactions.write(() => {
      const { state, attempts } = store.jobs.get(id);
      if (state !== 'uncertain') throw new NotPossibleNowError(userMessage('outcome-known'));
      if (attempts !== resolution.attempts) {
        throw new NotPossibleNowError(userMessage('repeated-meanwhile'));
      }
      if (settler.isRepeating(id)) throw new NotPossibleNowError(userMessage('repeating-now'));
      circuitBreaker.clear();
      switch (resolution.as) {
        case 'accepted': {
          const { remoteId } = resolution;
          const [other] = store.jobs.withRemoteId(remoteId);
          if (other) {
            const { title } = other;
            throw new NotPossibleNowError(userMessage('identifier-taken', { title }));
          }
          store.ledger.charge(id);
          const change = { remoteId, submittedAt: at, failure: null };
          return store.jobs.move(id, 'confirmAccepted', at, change);
        }
        case 'resend':
          store.ledger.release(id);
          return store.jobs.move(id, 'resend', at, UNMADE);
        case 'abandon':
          store.ledger.charge(id);
          return store.jobs.move(id, 'abandonUncertain', at);
      }
    });
    return view.job(resolved);
  };
}
