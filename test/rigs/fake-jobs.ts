import { changedSchema, type Changed } from '../../src/contract/contract.ts';
import { jobSchema, type Job } from '../../src/contract/job.ts';
import { userMessage } from '../../src/contract/user-message.ts';
import { changeEach } from '../../src/engine/commands/by-id.ts';
import type { CommandContext } from '../../src/engine/commands/command-context.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import { jobCommands } from '../../src/engine/commands/job-commands.ts';
import { NotPossibleNowError } from '../../src/engine/engine-error.ts';
import { storedRow, type StoredRow } from '../../src/engine/intake/edited-row.ts';
import { UNMADE, type JobChange, type JobRow } from '../../src/engine/jobs/job-row.ts';
import { canMove, MOVES } from '../../src/engine/jobs/lifecycle.ts';
import type { Store } from '../../src/engine/jobs/store.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import { Serial } from '../../src/engine/serial.ts';
import { FakeUndo } from './fake-undo.ts';

export interface FakeJobParts {
  /** Origin of the service that is shown. */
  readonly origin: () => string;
  /** In queue order. */
  readonly jobs: () => readonly Job[];
  readonly now: () => number;
  /** @throws JobUnknownError */
  readonly find: (id: string) => Job;
  readonly rows: FakeRows;
  /** Changes rows and notifies watchers. */
  readonly change: (ids: readonly string[], change: Partial<Job>) => void;
  /** Moves rows before another one, or to the end. */
  readonly reorder: (ids: readonly string[], before: string | null) => void;
  /** Puts all rows into this order. */
  readonly putInOrder: (ids: readonly string[]) => void;
  /** Lists all rows again. */
  readonly rowsChanged: () => void;
}

/** The rows of a fake's jobs, which edits change. */
export class FakeRows {
  readonly #edited = new Map<string, StoredRow>();

  get({ id, title }: Job): StoredRow {
    return (
      this.#edited.get(id) ?? {
        template: storyboardProfile.request,
        values: [
          ['title', title],
          ['subtitle', 'Roasted on Tuesday, in your cup on Thursday'],
          ['resolution', 1080],
          ['seconds', 12],
          ['accent', '#e08a2c'],
        ],
      }
    );
  }

  set(id: string, row: StoredRow): void {
    this.#edited.set(id, row);
  }
}

type JobCommands = Omit<Commands['jobs'], 'list' | 'ids' | 'read' | 'show'>;

/** The part of a store that the commands on jobs write to. */
interface FakeStore {
  readonly transactions: Pick<Store['transactions'], 'write'>;
  readonly jobs: Pick<
    Store['jobs'],
    | 'get'
    | 'move'
    | 'change'
    | 'archive'
    | 'remove'
    | 'row'
    | 'alike'
    | 'alikeOutside'
    | 'replaceRow'
    | 'withRemoteId'
  >;
  readonly batches: Pick<Store['batches'], 'get'>;
  readonly files: Pick<Store['files'], 'namingFacts' | 'namesIn'>;
  readonly order: Pick<Store['order'], 'move' | 'setPriority'>;
  readonly ledger: Pick<Store['ledger'], 'charge' | 'release'>;
  readonly undo: Pick<Store['undo'], 'begin'>;
}

/**
 * The job commands of a fake: the engine's own, on a store whose rows are the jobs of an array. A
 * retry and a download choose file names on the disk, so the fake implements those itself.
 */
export function fakeJobCommands(parts: FakeJobParts): JobCommands {
  const { jobs, find, now } = parts;
  const undo = new FakeUndo({
    now,
    find,
    idOf: (id) => pageId(String(id)),
    change: parts.change,
    order: () => jobs().map(({ id }) => id),
    putInOrder: parts.putInOrder,
  });
  const store = fakeStore(parts, undo) as unknown as Store;
  const context = {
    store,
    clock: { now },
    fetcher: { stop: () => Promise.resolve() },
    canceller: { changeFor: () => ({}) },
    circuitBreaker: { clear: () => undefined },
    runtime: { rowsChanged: parts.rowsChanged },
    settler: { isRepeating: () => false },
    naming: new Serial(),
    // Pages cannot name files of pictures.
    readings: { pictures: {} },
    profile: storyboardProfile,
    serviceInfo: { isLocal: false },
    view: { job: ({ id }: JobRow) => find(pageId(String(id))) },
  } as unknown as CommandContext;

  const failed = (): Job[] =>
    jobs().filter(({ state }) => state === 'failed' || state === 'rejected');

  const retry = (ids: readonly string[], payAgain: boolean): Promise<Changed> =>
    changeEach(ids, store, (job) => {
      if (!canMove('retry', job.state))
        throw new NotPossibleNowError(userMessage('retry-only-ended'));
      const kind = retryKindOf(job);
      if (kind === 'download') store.jobs.move(job.id, 'downloadAgain', now(), { failure: null });
      else if (kind === 'render' || payAgain) store.jobs.move(job.id, 'retry', now(), UNMADE);
      else store.jobs.move(job.id, 'askStatusAgain', now());
    });

  const { list: _list, ids: _ids, read: _read, show: _show, ...changes } = jobCommands(context);
  const named = withPageIds({
    ...changes,
    retry: ({ ids, payAgain }) => retry(ids, payAgain),
    retryFailed({ origin, limit, payAgain }) {
      if (origin !== parts.origin())
        throw new NotPossibleNowError(userMessage('meant-for-other-service'));
      const ids = failed().map(({ id }) => engineId(id));
      return retry(ids.slice(0, limit), payAgain);
    },
    planRetry({ ids }) {
      const asked = ids ? jobs().filter(({ id }) => ids.includes(engineId(id))) : failed();
      const kinds = asked.filter(({ state }) => canMove('retry', state)).map(retryKindOf);
      const count = (kind: string): number => kinds.filter((each) => each === kind).length;
      return {
        origin: parts.origin(),
        downloads: count('download'),
        renders: count('render'),
        gone: count('gone'),
        contentRefused: asked.filter(({ failure }) => failure?.code === 'content-refused').length,
      };
    },
    downloadAgain: ({ ids }) =>
      changeEach(ids, store, (job) => {
        // Without a video at the service there is nothing to download.
        const isMade = job.remoteId !== null && retryKindOf(job) !== 'render';
        if (!canMove('downloadAgain', job.state) || (job.state === 'failed' && !isMade))
          throw new NotPossibleNowError(userMessage('nothing-to-fetch'));
        store.jobs.move(job.id, 'downloadAgain', now(), { failure: null });
      }),
  });
  return { ...named, ...undo.commands };
}

function fakeStore(
  { jobs, find, rows, change, reorder }: FakeJobParts,
  undo: Pick<Store['undo'], 'begin'>,
): FakeStore {
  const idOf = (id: number): string => pageId(String(id));
  const get = (id: number): JobRow => rowOf(find(idOf(id)));
  return {
    transactions: { write: (work) => work() },
    jobs: {
      get,
      move(id, move, _at, changes = {}) {
        const { state } = get(id);
        if (!canMove(move, state)) throw new Error(`No move “${move}” from ${state}.`);
        change([idOf(id)], { ...shownChange(changes), state: MOVES[move].to });
        return get(id);
      },
      archive: (id, at) => change([idOf(id)], { archivedAt: at }),
      remove: (id, at) => change([idOf(id)], { archivedAt: at, removedAt: at }),
      change: (id, changes) => change([idOf(id)], shownChange(changes)),
      row: (id) => {
        const { template, values } = rows.get(find(idOf(id)));
        return { template: JSON.stringify(template), values };
      },
      alike: () => [],
      alikeOutside: () => [],
      replaceRow(id, { template, values, title }) {
        rows.set(idOf(id), storedRow({ template, values }));
        change([idOf(id)], { title });
      },
      withRemoteId: (remoteId) =>
        jobs()
          .filter((job) => job.remoteId === remoteId)
          .map(rowOf),
    },
    batches: {
      get: (id) => ({
        ...{ id, name: 'Batch', folder: '/renders', addedAt: 0 },
        ...{ nameTemplate: '{title}.mp4', onCollision: 'number' },
      }),
    },
    // Without facts, an edited job keeps its file's name.
    files: { namingFacts: () => new Map(), namesIn: () => [] },
    order: {
      move: (ids, before) => reorder(ids.map(idOf), before === null ? null : idOf(before)),
      setPriority: (ids, priority) => change(ids.map(idOf), { priority }),
    },
    undo,
    ledger: { charge: () => undefined, release: () => undefined },
  };
}

/** A job in the form of the database, with the fields that these commands read. */
function rowOf(job: Job): JobRow {
  return { ...job, id: Number(engineId(job.id)), nextTryAt: null } as unknown as JobRow;
}

/** The part of a change that UIs see: the fields with the same name. */
function shownChange(change: JobChange): Partial<Job> {
  const shown = Object.entries(change).filter(([field]) => field in jobSchema.shape);
  return Object.fromEntries(shown);
}

/** The engine's jobs are numbered from 1. Those of the fake are `job-0`, `job-1` and so on. */
const engineId = (id: string): string =>
  id.replace(/^job-(\d+)$/, (_, number) => String(Number(number) + 1));
const pageId = (id: string): string => id.replace(/^\d+$/, (number) => `job-${Number(number) - 1}`);

interface NamesJobs {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly before?: string | null;
}

/** The same commands for callers that use the fake's ids. */
function withPageIds(
  commands: Omit<JobCommands, 'undo' | 'undoSteps'>,
): Omit<JobCommands, 'undo' | 'undoSteps'> {
  const renamed = Object.entries(commands).map(([name, command]) => {
    const call = command as (input: NamesJobs) => unknown;
    const run = async ({ id, ids, before, ...input }: NamesJobs): Promise<unknown> => {
      const answer = await call({
        ...input,
        ...(id !== undefined && { id: engineId(id) }),
        ...(ids !== undefined && { ids: ids.map(engineId) }),
        ...(before !== undefined && { before: before && engineId(before) }),
      });
      if (!isChanged(answer)) return answer;
      const refused = answer.refused.map((each) => ({ ...each, id: pageId(each.id) }));
      return { ...answer, refused };
    };
    return [name, run];
  });
  return Object.fromEntries(renamed) as ReturnType<typeof withPageIds>;
}

function isChanged(answer: unknown): answer is Changed {
  return changedSchema.safeParse(answer).success;
}

function retryKindOf({ failure }: Pick<Job, 'failure'>): 'download' | 'render' | 'gone' {
  switch (failure?.code) {
    case 'download-failed':
    case 'file-damaged':
      return 'download';
    case 'video-expired':
    case 'video-unknown':
      return 'gone';
    default:
      return 'render';
  }
}
