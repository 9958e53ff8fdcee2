import { errorsAmong } from '../../src/contract/errors-among.ts';
import type {
  Batch,
  BatchPlan,
  JobCounts,
  RowOutcome,
  UsedBefore,
} from '../../src/contract/batch.ts';
import type { Abilities, AppUpdate, PageRequest } from '../../src/contract/computer.ts';
import { contract, type Client } from '../../src/contract/contract.ts';
import type { Verification } from '../../src/contract/files.ts';
import type { Failure } from '../../src/contract/failure.ts';
import type { Thumbnail } from '../../src/contract/thumbnail.ts';
import type { Frame } from '../../src/contract/frame.ts';
import { obstacleOf } from '../../src/contract/flow.ts';
import {
  countIn,
  isIn,
  JOB_STATES,
  STATE_GROUPS,
  type JobState,
} from '../../src/contract/job-states.ts';
import { matches } from '../../src/contract/job-filter.ts';
import type { HistoryEntry, Job, JobDetails, JobFilter, JobQuery } from '../../src/contract/job.ts';
import { NO_ABILITIES } from '../../src/contract/no-abilities.ts';
import type { Balance, CostEstimate } from '../../src/contract/service-cost.ts';
import type { EnteredKey, Flow, KeyStatus, Summary, Update } from '../../src/contract/summary.ts';
import type { Settings } from '../../src/contract/settings.ts';
import {
  userMessage,
  joinMessages,
  messageOf,
  type UserMessage,
} from '../../src/contract/user-message.ts';
import type { Worker } from '../../src/contract/worker.ts';
import type { Commands, Handlers } from '../../src/engine/commands/handlers.ts';
import { notSavedOf, WITHOUT_FILE } from '../../src/engine/commands/not-saved.ts';
import { assertUnsent } from '../../src/engine/commands/by-id.ts';
import { moveChoices } from '../../src/engine/intake/move-choices.ts';
import { describeRow } from '../../src/engine/intake/describe-fields.ts';
import { requestOf } from '../../src/engine/intake/row-values.ts';
import { eventOf } from '../../src/engine/jobs/job-events.ts';
import { functionAt, implementContract } from '../../src/host/implement-contract.ts';
import { ObservableValue } from '../../src/host/observable-value.ts';
import { isContractProcedure } from '@orpc/contract';
import { ORPCError } from '@orpc/client';
import { createRouterClient, type Router } from '@orpc/server';
import {
  EngineError,
  BatchUnknownError,
  JobUnknownError,
  NotPossibleNowError,
  PlanOutdatedError,
} from '../../src/engine/engine-error.ts';
import { PLAN_QUOTAS } from '../../src/engine/pacing/quota.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import { FakeRows, fakeJobCommands } from './fake-jobs.ts';
import { FAKE_FRAME } from './fake-frame.ts';
import { arranged } from './fake-lists.ts';
import { fakePast } from './fake-past.ts';
import { copyTable } from '../../src/engine/intake/copy-table.ts';
import { readColumn } from '../../src/engine/intake/read-batch.ts';
import { templateFile } from '../../src/engine/intake/template-table.ts';
import { loadSource } from '../../src/engine/intake/tables/table-source.ts';
import { fakePlan } from './fake-plan.ts';
import { fakeQuotaDays } from './fake-quota-days.ts';
import { fakeRenames } from './fake-renames.ts';
import { fakeSettings } from './fake-settings.ts';
import { sendWait, withWait } from './fake-waits.ts';
import { aJob } from './job-builder.ts';

const MINUTE = 60_000;
const TITLES = [
  'Opening hours, summer',
  'Meet the roasters',
  'Cold brew in six steps',
  'Behind the bar: Ana',
  'A bag a month',
  'The new house blend',
  'Grinder settings explained',
  'Why we roast on Tuesdays',
  'From farm to cup, part one',
  'From farm to cup, part two',
  'Latte art for beginners',
  'Gift cards are here',
  'Our first year in pictures',
  'Decaf, done properly',
  'What “single origin” means',
];

export interface FakeScene {
  /** One state per row, in queue order. */
  readonly states: readonly JobState[];
  /** Each row makes these videos, which follow each other; one without a name when left out. */
  readonly variants?: readonly string[];
  readonly flow?: Flow;
  readonly key?: KeyStatus['state'];
  /** The service does not answer for a key. */
  readonly keyUnanswered?: boolean;
  readonly isOnBattery?: boolean;
  /** What the last file like each that is added was added with. */
  readonly usedBefore?: UsedBefore;
  /** Why the keychain stores no key, which is then in memory. */
  readonly keychainTrouble?: UserMessage;
  readonly settings?: Partial<Settings>;
  /** The content of a first run; without it, everything is set up. */
  readonly firstRun?: { readonly sample: boolean; readonly failure?: Failure };
  readonly quotaUsed?: number;
  /** The services that are not shown. */
  readonly others?: Summary['others'];
  /** Of a service that limits simultaneous renders. */
  readonly renders?: Summary['limits']['renders'];
  /** Videos that others with the same account request. */
  readonly othersPerHour?: number;
  /** Of a service that reports it. */
  readonly balance?: Balance;
  /** The cost of a batch at the service. */
  readonly cost?: CostEstimate;
  /** In milliseconds; unknown when left out. */
  readonly renderMs?: number;
  /** Whether the plan limits videos per month, the profile limits them per day, or nothing does. */
  readonly quota?: 'plan' | 'daily' | 'none';
  /** In milliseconds from the start; ten days when left out. */
  readonly quotaResetsIn?: number;
  readonly batches?: readonly string[];
  /** Of every batch. */
  readonly results?: Batch['results'];
  /** The process that runs the queue; this engine when left out. */
  readonly worker?: Worker;
  /** No abilities when left out, as on a computer without a screen. */
  readonly abilities?: Abilities;
}

type Call = (...input: unknown[]) => Promise<unknown>;

/** Calls that a page makes automatically, and that no test counts. */
const UNRECORDED = new Set([
  'batches.notSaved',
  'batches.recall',
  'jobs.planRetry',
  'jobs.undoSteps',
  'queue.otherServices',
  'queue.worker',
  'setup.state',
  'settings.watch',
  'settings.previewImport',
  'profile.services',
  'services.list',
  'profile.startingPoints',
  'computer.abilities',
  'computer.diagnostics',
  'computer.pageRequests',
  'computer.updates',
]);

/** Keys, and documents, are recorded by their length. */
function recordable(name: string, input: unknown): unknown {
  if (name === 'settings.import') return { length: (input as { text: string }).text.length };
  if (name !== 'key.set') return input;
  const { value, label = null, ...rest } = input as { value: string; label?: string | null };
  return { ...rest, length: value.length, label };
}

/** Controls of the fake engine, for tests. */
export interface FakeEngine {
  readonly client: Client;
  /** Changes rows and notifies watchers. */
  change(ids: readonly string[], change: Partial<Job>): void;
  /** Sends the page a request, as a menu or a double click would. */
  sendPageRequest(request: PageRequest): void;
  /** Reports the state of a newer version of the app. */
  readonly update: ObservableValue<AppUpdate>;
  /** While false, every watch ends and every call is refused. */
  connected: boolean;
  /** The process that runs the queue. */
  readonly worker: ObservableValue<Worker>;
  readonly calls: { name: string; input: unknown }[];
  /** Draws frames of requests; a grey one of 16:9 until a test does otherwise. */
  drawFrame: (request: unknown) => Promise<Frame>;
  /** Thumbnails of pictures; none until a test does otherwise. */
  thumbnailOf: (picture: string) => Promise<Thumbnail>;
  /** Whether planned rows have a picture each; not until a test says so. */
  hasPictures: boolean;
  /** Delays calls of a name until the returned function is called, as a busy engine would. */
  delay(name: string): () => void;
}

const failures: Partial<Record<JobState, Failure>> = {
  uncertain: {
    code: 'outcome-unknown',
    ...joinMessages(
      userMessage('answer-too-slow', { host: 'video.example.com' }),
      userMessage('acceptance-unknown'),
    ),
  },
  rejected: {
    code: 'service-refused',
    ...joinMessages(userMessage('video-refused'), userMessage('refusal-free')),
    detail: 'The request is not valid: accent must be a colour such as #1f2937.',
    fields: [{ path: 'theme.accent', detail: 'must be a colour such as #1f2937' }],
  },
  failed: {
    code: 'render-failed',
    ...userMessage('render-failed-there', { word: 'error' }),
    detail: 'asset_unreachable: soundtrack could not be fetched',
  },
};

function makeJob(index: number, state: JobState, now: number, batchId: string): Job {
  const title = TITLES[index % TITLES.length]!;
  const round = Math.floor(index / TITLES.length);
  const sent = !['queued', 'held', 'reserved'].includes(state);
  const here = state === 'done' || state === 'missing';
  const made = here || ['ready', 'downloading', 'verifying'].includes(state);
  const bytes = 18_400_000 + ((index * 7_919_000) % 61_000_000);
  const wait = Math.max(1, index % 40) * 3.3 * MINUTE;
  return aJob({
    id: `job-${index}`,
    batchId,
    row: index + 2,
    title: round === 0 ? title : `${title} (${round + 1})`,
    state,
    stopsHere: state === 'queued' && index === 22,
    attempts: sent ? 1 : 0,
    remoteId: sent && state !== 'uncertain' && state !== 'rejected' ? `vid_${4821 + index}` : null,
    serviceWord:
      state === 'submitted'
        ? 'warming-up'
        : state === 'rendering'
          ? 'rendering'
          : here
            ? 'done'
            : null,
    wordUnknown: state === 'submitted',
    progress:
      state === 'rendering'
        ? { fraction: ((index * 37) % 89) / 100 + 0.05, estimated: index % 3 === 0 }
        : null,
    transfer:
      state === 'downloading'
        ? {
            receivedBytes: bytes * (((index * 29) % 80) / 100 + 0.1),
            totalBytes: bytes,
            bytesPerSecond: 20_500_000,
          }
        : null,
    failure: failures[state] ?? null,
    file: here
      ? {
          path: `/home/ana/Videos/Launch week/${String(index + 1).padStart(2, '0')} ${title}.mp4`,
          bytes,
          sha256: '9f2c8e0b6a3d4c51e7f8a90b1c2d3e4f5061728394a5b6c7d8e9f00112233445',
          durationSeconds: 6 + (index % 5) * 4,
        }
      : null,
    forecast: {
      sendAt: state === 'queued' ? now + wait : null,
      readyAt: state === 'queued' ? now + wait + 2 * MINUTE : now + ((index % 4) + 1) * 4 * MINUTE,
      savedAt: state === 'queued' ? now + wait + 3 * MINUTE : now + ((index % 4) + 1) * 5 * MINUTE,
    },
    addedAt: now - 95 * MINUTE,
    submittedAt: sent ? now - (5 + (index % 7)) * MINUTE : null,
    readyAt: made ? now - MINUTE : null,
    savedAt: here ? now - (4 + index * 7) * MINUTE : null,
  });
}

const USUAL_STATES: readonly JobState[] = [
  ...(['queued', 'reserved', 'sending', 'submitted', 'rendering', 'ready'] as const),
  ...(['downloading', 'verifying', 'done'] as const),
];

/** The state that jobs usually come from. */
const PREVIOUS_STATE: Partial<Record<JobState, JobState>> = {
  held: 'queued',
  cancelled: 'queued',
  uncertain: 'sending',
  rejected: 'sending',
  failed: 'rendering',
  abandoned: 'rendering',
  missing: 'done',
};

function historyOf(job: Job): HistoryEntry[] {
  const previous = PREVIOUS_STATE[job.state];
  const before = USUAL_STATES.slice(0, USUAL_STATES.indexOf(previous ?? job.state) + 1);
  const steps = previous === undefined && before.length > 0 ? before : [...before, job.state];
  return steps.flatMap((to, index) => {
    const from = steps[index - 1] ?? null;
    const note = to === job.state ? job.failure && messageOf(job.failure) : null;
    const event = eventOf(from, to, note);
    return event === null ? [] : [{ at: job.addedAt + index * 9 * MINUTE, from, to, event, note }];
  });
}

const isRow = (job: Job, batchId: string, row: number, title: string): boolean =>
  job.batchId === batchId && job.row === row && job.title === title;

/** The job as one of the videos of a row, which have its title. */
function ofRow(job: Job, index: number, variants: readonly string[]): Job {
  const within = index % variants.length;
  const row = (index - within) / variants.length;
  const title = TITLES[row % TITLES.length] ?? job.title;
  const rowId = `job-${index - within}`;
  return { ...job, row: row + 2, title, rowId, variant: variants[within] ?? null };
}

/** An engine of plain arrays that implements the contract, for the page's tests. */
export function fakeEngine(scene: FakeScene, now: number): FakeEngine {
  const names = [...(scene.batches ?? ['Launch week'])];
  const jobs = scene.states.map((state, index) => {
    const job = makeJob(index, state, now, `batch-${index % names.length}`);
    return scene.variants === undefined ? job : ofRow(job, index, scene.variants);
  });
  const wereSaved = new Set(
    jobs.filter(({ state }) => state === 'done' || state === 'missing').map(({ id }) => id),
  );
  const watchers = new Set<() => void>();
  const requestWaiters = new Set<() => void>();
  const requests: PageRequest[] = [];
  const update = new ObservableValue<AppUpdate>({ state: 'none' });
  const calls: FakeEngine['calls'] = [];
  const worker = new ObservableValue<Worker>(scene.worker ?? { kind: 'here' });
  const quotaResetAt = now + (scene.quotaResetsIn ?? 10 * 24 * 60 * MINUTE);
  let flow: Flow = scene.flow ?? { state: 'running' };
  let keyState = scene.key ?? 'accepted';
  let keyLabel: string | null = null;
  let others = scene.others ?? [];
  let shownName = 'Video service';
  let quotaUsed = scene.quotaUsed ?? 112;
  const corrections: { at: number; used: number }[] = [];
  let seq = 0;
  let changed: Job[] = [];
  let relist = false;
  /** By query, until a change: sorting 100,000 rows takes longer than a page needs to show some. */
  const lists = new Map<string, ReturnType<typeof arranged>>();

  // Updated as jobs change: counting 100,000 of them for every update would dominate the page's
  // time.
  const places = new Map<string, number>();
  const countsOf = new Map<string, JobCounts>();
  const none = (): JobCounts =>
    Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as JobCounts;

  function recount(): void {
    lists.clear();
    places.clear();
    countsOf.clear();
    for (const name of names.keys()) countsOf.set(`batch-${name}`, none());
    for (const [place, job] of jobs.entries()) {
      places.set(job.id, place);
      if (job.archivedAt === null) countsOf.get(job.batchId)![job.state] += 1;
    }
  }
  recount();

  const allCounts = (): JobCounts => {
    const all = none();
    for (const counts of countsOf.values()) {
      for (const state of JOB_STATES) all[state] += counts[state];
    }
    return all;
  };

  const batches = (): Batch[] =>
    jobs.length === 0
      ? []
      : names.map((name, index) => ({
          id: `batch-${index}`,
          name,
          folder: `/home/ana/Videos/${name}`,
          nameTemplate: '{row} {title}',
          onCollision: 'number',
          addedAt: now - 95 * MINUTE,
          counts: { ...countsOf.get(`batch-${index}`)! },
          savedBy: sendWait(flow, quotaResetAt) === null ? now + 27 * 60 * MINUTE : null,
          savedBetween: null,
          wait: sendWait(flow, quotaResetAt),
          results: scene.results ?? null,
        }));

  /** The user's names, by origin. */
  const serviceNames = new Map<string, string>();

  const settingsFake = fakeSettings({
    settings: scene.settings,
    isOnBattery: scene.isOnBattery,
    publish,
    openVideosAt: (origin) => (origin === settingsFake.origin() ? countIn('open', allCounts()) : 0),
    checkKey,
  });

  const unanswered: Failure = {
    code: 'service-unreachable',
    ...userMessage('address-not-found', { host: 'video.example.com' }),
  };

  function checkKey(value: string): { entered: EnteredKey; failure: Failure | null } {
    if (scene.keyUnanswered === true) {
      return { entered: 'unchecked', failure: obstacleOf(flow) ?? unanswered };
    }
    const isKey = value.startsWith('svc_live_');
    const failure: Failure = { code: 'key-refused', ...userMessage('key-revoked') };
    return isKey ? { entered: 'accepted', failure: null } : { entered: 'refused', failure };
  }

  const key = (): KeyStatus => ({
    state: keyState,
    origin: settingsFake.origin(),
    lastFour: keyState === 'absent' ? null : 'x7Qd',
    label: keyState === 'absent' ? null : keyLabel,
    keptIn: keyState === 'absent' ? null : scene.keychainTrouble ? 'memory' : 'keychain',
    since: keyState === 'absent' ? null : now - 9 * 24 * 60 * MINUTE,
    trouble: scene.keychainTrouble ?? null,
  });

  function summary(): Summary {
    const counts = allCounts();
    return {
      hasArchived: jobs.some(
        ({ archivedAt, removedAt }) => archivedAt !== null && removedAt === null,
      ),
      service: { name: shownName, origin: settingsFake.origin(), isLocal: settingsFake.isLocal() },
      others,
      key: key(),
      flow,
      counts,
      batches: batches(),
      limits: {
        generate: {
          limit: 10,
          remaining: 4,
          windowSeconds: 3600,
          resetAt: now + 21 * MINUTE,
          nextAt: now,
          othersPerHour: scene.othersPerHour ?? 0,
        },
        status: {
          limit: 60,
          remaining: 58,
          windowSeconds: 60,
          resetAt: now + 40_000,
          nextAt: now,
          othersPerHour: 0,
        },
        download: {
          limit: 30,
          remaining: 27,
          windowSeconds: 3600,
          resetAt: now + 44 * MINUTE,
          nextAt: now,
          othersPerHour: 0,
        },
        renders: scene.renders ?? null,
      },
      renderMs: scene.renderMs ?? null,
      quota:
        scene.quota === 'none' || settingsFake.practice() === null
          ? null
          : {
              ...(scene.quota === 'daily'
                ? { plan: null, per: 'day' as const }
                : { plan: settingsFake.practice() ?? 'Pro', per: 'month' as const }),
              limit: PLAN_QUOTAS[settingsFake.practice() ?? 'pro'],
              used: quotaUsed,
              held: counts.reserved + counts.sending + counts.uncertain,
              resetAt: quotaResetAt,
              refused: obstacleOf(flow)?.code === 'quota-used-up',
            },
      balance: scene.balance ?? null,
      transfers: {
        active: counts.downloading,
        bytesPerSecond: counts.downloading > 0 ? 41_000_000 : null,
        paused: false,
      },
      nextSendAt:
        counts.queued > 0 && sendWait(flow, quotaResetAt) === null ? now + 3 * MINUTE : null,
      defaultFolder: '/home/ana/Videos',
    };
  }

  function find(id: string): Job {
    const place = places.get(id);
    if (place === undefined) throw new JobUnknownError();
    return jobs[place]!;
  }

  /** Higher priorities first, and by place in the queue among equals. */
  let order: number[] | null = null;
  const inOrder = (): Job[] => {
    order ??= [...jobs.keys()].sort((one, other) => jobs[other]!.priority - jobs[one]!.priority);
    return order.map((place) => jobs[place]!);
  };

  function relistAll(): void {
    order = null;
    relist = true;
    publish();
  }

  const shown = (job: Job): Job => withWait(job, flow, quotaResetAt);

  /** Lists all rows again, because the flow changes their waits. */
  function setFlow(to: Flow): void {
    flow = to;
    relist = true;
  }

  const rows = new FakeRows();

  function publish(): void {
    lists.clear();
    seq += 1;
    for (const watcher of watchers) watcher();
  }

  function record(name: string, input: unknown): void {
    calls.push({ name, input });
    if (!engine.connected) throw new Error('There is no connection.');
  }

  /** The saved or unfinished job with this title. */
  function otherOf(title: string): Job | undefined {
    const states = ['done', ...STATE_GROUPS.open] as const;
    return jobs.find((job) => job.title === title && states.some((state) => state === job.state));
  }

  async function planOf(input: Parameters<Commands['batches']['plan']>[0]): Promise<BatchPlan> {
    const source = await loadSource(input.source);
    const { quota } = summary();
    const quotaLeft = quota === null ? Infinity : quota.limit - quota.used - quota.held;
    const plan = fakePlan(
      { ...input, source },
      now,
      { quotaLeft, quotaResetAt, everyMs: settingsFake.practice() === null ? 4000 : 25 * MINUTE },
      (title) => otherOf(title)?.state,
      (batch, row, title) =>
        jobs.find((job) => isRow(job, `batch-${names.indexOf(batch)}`, row, title))?.state,
    );
    const { balance = null, cost = null } = scene;
    const rows = plan.rows.map((row) => ({ ...row, picture: pictureOfRow(row.row) }));
    return {
      ...plan,
      ...(engine.hasPictures ? { rows } : {}),
      origin: settingsFake.origin(),
      profile: settingsFake.profileHash(),
      balance,
      cost,
    };
  }

  const matching = (filter: JobFilter): readonly Job[] => {
    const { batchId } = filter;
    if (batchId !== undefined && !countsOf.has(batchId)) throw new BatchUnknownError();
    return inOrder().filter((job) => matches(job, filter, wereSaved.has(job.id)));
  };

  function listOf(query: JobQuery): ReturnType<typeof arranged> {
    const key = JSON.stringify(query);
    const list = lists.get(key) ?? arranged(query, matching(query), shown);
    lists.set(key, list);
    return list;
  }

  const handlers: Handlers<typeof contract> = {
    watch: (_, signal) => updates(signal),
    jobs: {
      list({ offset, limit, ...query }) {
        const { jobs, groups } = listOf(query);
        return {
          total: jobs.length,
          jobs: jobs.slice(offset, offset + limit).map(shown),
          groups: [...groups],
        };
      },
      ids({ offset, limit = Infinity, oneALine, ...query }) {
        const { jobs } = listOf(query);
        return {
          ids: jobs
            .slice(offset, offset + limit)
            .flatMap((job) => (oneALine === true ? [job] : (job.videos ?? [job])))
            .map(({ id }) => id),
        };
      },
      read: ({ ids }) => ({ jobs: ids.map((id) => shown(find(id))) }),
      show({ id }) {
        const job = shown(find(id));
        const row = rows.get(job);
        return {
          job,
          row: describeRow(row, storyboardProfile.request, job.failure),
          request: JSON.parse(requestOf(row.template, row.values).body) as JobDetails['request'],
          requestSha256: '4c51e7f8a90b1c2d3e4f5061728394a5b6c7d8e9f001122334459f2c8e0b6a3d',
          cost: { estimated: null, actual: null },
          lastAnswer:
            job.remoteId === null
              ? null
              : JSON.stringify({ id: job.remoteId, status: job.serviceWord ?? 'queued' }, null, 2),
          history: historyOf(job),
        };
      },
      ...fakeJobCommands({
        origin: () => settingsFake.origin(),
        jobs: () => inOrder(),
        now: () => now,
        find,
        rows,
        change: (ids, change) => engine.change(ids, change),
        rowsChanged: relistAll,
        putInOrder(ids) {
          jobs.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
          recount();
        },
        reorder(ids, before) {
          const moving = inOrder().filter((job) => ids.includes(job.id));
          const staying = jobs.filter((job) => !ids.includes(job.id));
          const target = jobs.find((job) => job.id === before);
          // The target may be moved too: then the place is that of the next one that stays.
          const next =
            target && jobs.slice(jobs.indexOf(target)).find((job) => staying.includes(job));
          const at = next ? staying.indexOf(next) : -1;
          // Jobs are sorted by priority, so moved ones need that of their new neighbours.
          const waiting = staying.filter(({ state }) => isIn('unsent', state));
          const lowest = Math.min(...waiting.map(({ priority }) => priority));
          const placed = moving.map((job) => ({
            ...job,
            priority: target?.priority ?? Math.min(job.priority, lowest),
          }));
          jobs.splice(0, jobs.length, ...staying);
          jobs.splice(at < 0 ? jobs.length : at, 0, ...placed);
          recount();
        },
      }),
    },
    preview: {
      frame: ({ request }) => engine.drawFrame(request),
      thumbnail: ({ picture }) => engine.thumbnailOf(picture),
    },
    batches: {
      plan: planOf,
      async columnValues({ source, options, column }) {
        return readColumn(await loadSource(source), storyboardProfile.request, options, column);
      },
      async moveChoices({ from, to, options }) {
        const [earlier, later] = await Promise.all([loadSource(from), loadSource(to)]);
        return moveChoices(earlier, later, storyboardProfile.request, options);
      },
      async copy({ source, options, ...wanted }) {
        const { request } = storyboardProfile;
        const { bytes, ...copy } = await copyTable(
          await loadSource(source),
          request,
          options,
          wanted,
        );
        return { ...copy, base64: btoa(String.fromCharCode(...bytes)) };
      },
      async template({ format, language }) {
        const { request } = storyboardProfile;
        const { bytes, ...file } = await templateFile(request, format, language);
        return { ...file, base64: btoa(String.fromCharCode(...bytes)) };
      },
      list: () => batches().map(({ id, name, folder, addedAt }) => ({ id, name, folder, addedAt })),
      result: ({ batchId }) => {
        const done = jobs.filter((job) => job.batchId === batchId && job.state === 'done');
        const sent = jobs.filter((job) => job.batchId === batchId && job.submittedAt !== null);
        return {
          saved: done.length,
          firstSentAt: done.length === 0 ? null : now - 65 * MINUTE,
          lastSavedAt: done.length === 0 ? null : now - 4 * MINUTE,
          bytes: done.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0),
          cost: { videos: sent.length, amounts: [] },
        };
      },
      recall: () => scene.usedBefore ?? null,
      notSaved: ({ batchId }) =>
        notSavedOf(
          jobs
            .filter((job) => job.batchId === batchId && WITHOUT_FILE.includes(job.state))
            .map(({ state, failure }) => ({ state, failure, count: 1 })),
        ),
      async add(input) {
        if (input.origin !== settingsFake.origin())
          throw new NotPossibleNowError(userMessage('meant-for-other-service'));
        if (input.profile !== undefined && input.profile !== settingsFake.profileHash())
          throw new PlanOutdatedError();
        const plan = await planOf(input);
        const [error] = errorsAmong(plan.issues);
        if (error) throw new EngineError(error);
        if (!names.includes(plan.name)) names.push(plan.name);
        const batchId = `batch-${names.indexOf(plan.name)}`;
        const countOf = (...outcomes: RowOutcome[]): number =>
          plan.rows.filter(({ outcome }) => outcomes.includes(outcome)).length;
        const jobIds = plan.rows.flatMap(({ row, title, outcome }) => {
          if (outcome === 'duplicate-skipped' || outcome === 'in-other-batch') return [];
          const here = jobs.find((job) => isRow(job, batchId, row, title));
          if (here) return [here.id];
          const state = outcome === 'downloaded-again' ? 'ready' : 'queued';
          const job = { ...makeJob(jobs.length, state, now, batchId), title, row };
          jobs.push(job);
          return [job.id];
        });
        recount();
        relistAll();
        return {
          batchId,
          submitted: countOf('new'),
          downloadedAgain: countOf('downloaded-again'),
          alreadyThere: countOf('saved', 'already-queued'),
          inOtherBatches: plan.rows.flatMap(({ title, outcome }) =>
            outcome === 'in-other-batch' ? (otherOf(title)?.id ?? []) : [],
          ),
          jobIds,
        };
      },
    },
    queue: {
      otherServices: () => [],
      worker: (_, signal) => worker.values(signal),
      pause({ what }) {
        setFlow({ state: 'paused', what, failure: obstacleOf(flow) });
        publish();
      },
      stopBefore({ id }) {
        if (id !== null) assertUnsent(find(id), userMessage('sent-already'));
        const marked = jobs.filter((job) => job.stopsHere).map((job) => job.id);
        engine.change(marked, { stopsHere: false });
        if (id !== null) engine.change([id], { stopsHere: true });
      },
      resume() {
        const failure = obstacleOf(flow);
        setFlow(
          flow.state === 'paused' && failure ? { state: 'blocked', failure } : { state: 'running' },
        );
        publish();
      },
    },
    transfers: { pause: () => undefined, resume: () => undefined },
    quota: {
      correct({ used }) {
        quotaUsed = used;
        corrections.push({ at: now + corrections.length, used });
        publish();
      },
      days: () => {
        const { quota } = summary();
        return quota === null ? null : fakeQuotaDays({ ...quota, now, corrections });
      },
    },
    services: {
      // The rows stay, so that a test can see what the page itself does at a switch.
      show: ({ origin }) => {
        const shown = others.find((other) => other.origin === origin);
        const { service, counts } = summary();
        others = [
          ...others.filter((other) => other !== shown),
          { ...service, counts, flow, batches: [] },
        ].toSorted((one, other) => one.name.localeCompare(other.name));
        shownName = shown?.name ?? shownName;
        if (shown?.flow) setFlow(shown.flow);
        return settingsFake.settings.set({
          service: shown?.isLocal
            ? { kind: 'local' }
            : { kind: 'remote', baseUrl: origin, ca: null },
        });
      },
      list: async () => {
        const offers = await settingsFake.profile.services(undefined, new AbortController().signal);
        const { service, counts, others: rest } = summary();
        return [{ ...service, counts }, ...rest]
          .map(({ origin, isLocal, name, counts: videos }) => ({
            origin,
            isLocal,
            name:
              serviceNames.get(origin) ??
              offers.find((offer) => offer.origin === origin)?.profile.name ??
              name,
            isShown: origin === service.origin,
            counts: videos,
          }))
          .toSorted((one, other) => one.name.localeCompare(other.name));
      },
      rename({ origin, name }) {
        if (name === null) serviceNames.delete(origin);
        else serviceNames.set(origin, name);
        settingsFake.announce();
      },
      remove({ origin }) {
        others = others.filter((other) => other.origin !== origin);
        publish();
        return { keyTrouble: null };
      },
      pauseAll({ what }) {
        const paused = (of: Flow): Flow => ({ state: 'paused', what, failure: obstacleOf(of) });
        others = others.map((other) => ({ ...other, flow: other.flow && paused(other.flow) }));
        setFlow(paused(flow));
        publish();
      },
      resumeAll() {
        const resumed = (of: Flow): Flow => {
          const failure = obstacleOf(of);
          return failure ? { state: 'blocked', failure } : { state: 'running' };
        };
        others = others.map((other) => ({ ...other, flow: other.flow && resumed(other.flow) }));
        setFlow(resumed(flow));
        publish();
      },
    },
    settings: settingsFake.settings,
    setup: {
      state: () => ({ isSetUp: scene.firstRun === undefined }),
      tryHere() {
        const { sample = true, failure } = scene.firstRun ?? {};
        if (failure !== undefined) throw new ORPCError('FAILED', { defined: true, data: failure });
        const rows = TITLES.slice(0, 4).map((title) => `"${title}"`);
        const content = ['title', ...rows].join('\n');
        return {
          origin: settingsFake.origin(),
          sample: sample ? { name: 'sample.csv', content } : null,
        };
      },
    },
    profile: settingsFake.profile,
    activity: fakePast({
      jobs: () => jobs,
      batchName: (batchId) => names[Number(batchId.slice('batch-'.length))] ?? batchId,
      historyOf,
      corrections: () => corrections,
    }),
    service: {
      tryNow() {
        // The service answers again. A pause stays.
        if (obstacleOf(flow)?.code === 'service-unreachable') {
          setFlow(flow.state === 'paused' ? { ...flow, failure: null } : { state: 'running' });
          publish();
        }
      },
      fallAsleep: () => undefined,
      defineWord: () => undefined,
    },
    key: {
      set({ value, label = null }) {
        const { entered } = checkKey(value);
        if (entered !== 'refused') {
          keyLabel = label;
          keyState = entered === 'accepted' ? 'accepted' : 'untested';
          if (keyState === 'accepted') setFlow({ state: 'running' });
        }
        publish();
        return { ...key(), entered };
      },
      renew() {
        keyState = 'accepted';
        setFlow({ state: 'running' });
        publish();
        return key();
      },
      label({ label }) {
        keyLabel = label;
        publish();
        return key();
      },
      check: key,
      forget() {
        keyState = 'absent';
        publish();
        return key();
      },
    },
    files: {
      ...fakeRenames({
        jobs: () => jobs,
        batchName: (batchId) => names[Number(batchId.slice('batch-'.length))] ?? batchId,
        rename: ({ id, file }, path) => {
          if (file !== null) engine.change([id], { file: { ...file, path } });
        },
      }),
      check: () => ({ missing: 0 }),
      poster: () => ({ path: null }),
      verify: ({ ids }) => verify(ids),
    },
    computer: {
      abilities: () => scene.abilities ?? NO_ABILITIES,
      openFile: () => undefined,
      showFile: () => undefined,
      trashFiles: ({ ids }) => ({ changed: ids.length, refused: [] }),
      openFolder: () => undefined,
      chooseFolder: () => ({ folder: '/home/ana/Videos/Elsewhere' }),
      chooseFiles: () => ({ files: ['/home/ana/shop/media/mug.png'] }),
      dragOut: () => undefined,
      diagnostics: () => ({ text: 'Spool diagnostics' }),
      pageRequests: (_, signal) => pageRequests(signal),
      updates: (_, signal) => update.values(signal),
      restartToUpdate: () => undefined,
    },
  };

  const router = implementContract(contract, ({ path, input, signal }) =>
    functionAt(handlers, path)?.(input, signal),
  ) as Router<typeof contract, object>;
  const client: Client = createRouterClient(router);

  async function* pageRequests(signal: AbortSignal): AsyncGenerator<PageRequest, void, void> {
    while (!signal.aborted) {
      // More may arrive while one is handled.
      while (requests.length > 0) yield requests.shift()!;
      await new Promise<void>((resolve) => {
        requestWaiters.add(resolve);
        signal.addEventListener('abort', () => resolve());
      });
      requestWaiters.clear();
    }
  }

  /** Reports the second file as damaged. */
  async function* verify(ids: readonly string[] | undefined): AsyncGenerator<Verification, void> {
    const files = jobs.filter((job) => job.file !== null && (ids?.includes(job.id) ?? true));
    const totalBytes = files.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0);
    const [, second] = files;
    const name = second?.file?.path.split('/').at(-1) ?? '';
    const damage = {
      code: 'file-damaged' as const,
      ...joinMessages(userMessage('named-file-damaged', { name }), userMessage('file-changed')),
    };
    for (const [index, job] of files.entries()) {
      const damaged = job === second;
      if (damaged) engine.change([job.id], { state: 'missing', failure: damage });
      yield {
        checkedFiles: index + 1,
        totalFiles: files.length,
        checkedBytes: Math.round(((index + 1) / files.length) * totalBytes),
        totalBytes,
        errors: damaged
          ? [
              {
                id: job.id,
                title: job.title,
                path: job.file?.path ?? '',
                found: 'damaged',
                why: messageOf(damage),
              },
            ]
          : [],
        recovered: 0,
      };
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async function* updates(signal: AbortSignal): AsyncGenerator<Update, void, void> {
    let first = true;
    while (!signal.aborted) {
      if (!engine.connected) throw new Error('The connection was lost.');
      const update = { seq, summary: summary(), jobs: changed.map(shown), relist: relist || first };
      first = false;
      changed = [];
      relist = false;
      yield update;
      if (seq > update.seq) continue;
      await new Promise<void>((resolve) => {
        watchers.add(resolve);
        signal.addEventListener('abort', () => resolve());
      });
      watchers.clear();
    }
  }

  const delays = new Map<string, Promise<void>>();

  /** The calls of `target`, recorded, each of which waits while its name is delayed. */
  function recorded(part: object, target: object, path = ''): object {
    const calls = Object.entries(part).map(([key, each]: [string, object]) => {
      const name = path + key;
      const called = Reflect.get(target, key) as Call & object;
      if (!isContractProcedure(each)) return [key, recorded(each, called, `${name}.`)];
      const call: Call = async (...input) => {
        const released = delays.get(name);
        if (released) await released;
        if (!UNRECORDED.has(name)) record(name, recordable(name, input[0]));
        return called(...input);
      };
      return [key, call];
    });
    return Object.fromEntries(calls) as object;
  }

  let connected = true;
  const engine: FakeEngine = {
    client: recorded(contract, client) as Client,
    calls,
    worker,
    get connected() {
      return connected;
    },
    set connected(value) {
      connected = value;
      publish();
    },
    change(ids, change) {
      for (const id of ids) {
        const index = places.get(id)!;
        const before = jobs[index]!;
        jobs[index] = { ...before, ...change };
        const counts = countsOf.get(before.batchId)!;
        if (before.archivedAt === null) counts[before.state] -= 1;
        if (jobs[index].archivedAt === null) counts[jobs[index].state] += 1;
        changed.push(jobs[index]);
      }
      publish();
    },
    update,
    sendPageRequest(request) {
      requests.push(request);
      for (const wake of requestWaiters) wake();
    },
    drawFrame: () => Promise.resolve(FAKE_FRAME),
    thumbnailOf: () => Promise.resolve({ kind: 'none' }),
    hasPictures: false,
    delay(name) {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      delays.set(name, released);
      return () => {
        delays.delete(name);
        release();
      };
    },
  };
  return engine;
}

/** What stands for a picture, by its row's number. */
function pictureOfRow(row: number): string {
  return `sha256:${row.toString(16).padStart(64, '0')}`;
}
