import fc from 'fast-check';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import type { BatchOptions } from '../../../../src/contract/batch.ts';
import type { JobState } from '../../../../src/contract/job-states.ts';
import { sortedJson } from '../../../rigs/sorted-json.ts';
import type { RowOnDisk } from './disk.ts';
import { FILE_FAULTS, GENERATE_FAULTS, LINK_FAULTS, STATUS_FAULTS, type Fault } from './faults.ts';
import { GOOD_KEY } from './simulated-service.ts';
import type { Network } from './wire.ts';
import { requestKey } from './model.ts';
import { QUOTA, type World } from './world.ts';

const MINUTE = 60_000;

/** User actions on some rows of the queue. `rows` are indexes, modulo its length. */
const WITH_ROWS = [
  'hold',
  'release',
  'cancel',
  'retry',
  'archive',
  'unarchive',
  'remove',
  'fetch',
  'move up',
  'move to the end',
  'edit',
  'raise priority',
  'lower priority',
  'stop before',
  'resolve as accepted',
  'resend',
  'abandon',
  'rename',
  'pause transfers of',
  'resume transfers of',
  'verify',
  'delete a file',
  'damage a file',
] as const;

/** User actions, and events of the computer, that concern no particular row. */
const WITH_ALL = [
  'pause sending',
  'pause everything',
  'resume',
  'pause transfers',
  'resume transfers',
  'enter the right key',
  'enter a wrong key',
  'check the key',
  'switch services',
  'check files',
  'try now',
  'fall asleep',
  'close and open',
  'kill',
  'take over the folder',
  'go offline',
  'come online',
  'revoke the key',
  'use up the quota',
  'quota comes back',
  'correct the quota to used up',
  'correct the quota to unused',
] as const;

/** The step of the history, counted from the newest. */
const undo = fc.record({ do: fc.constant('undo' as const), step: fc.nat(5) });

const rows = fc.array(fc.nat(11), { minLength: 1, maxLength: 3 });

export const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom(...WITH_ROWS), rows }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom(...WITH_ALL) }) },
  { weight: 3, arbitrary: undo },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      batch: fc.constantFrom('A', 'B'),
      titles: fc.array(fc.constantFrom('One', 'Two', 'Three', 'Four'), {
        minLength: 1,
        maxLength: 4,
      }),
      duplicates: fc.constantFrom('reuse' as const, 'render' as const, 'skip' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.nat(400) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set the clock' as const),
      byMinutes: fc.integer({ min: -300, max: 300 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kill at a commit' as const),
      commits: fc.integer({ min: 1, max: 12 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('fail a submission' as const),
      how: fc.constantFrom(...Object.keys(GENERATE_FAULTS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fail a status request' as const),
      how: fc.constantFrom(...Object.keys(STATUS_FAULTS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fail a link request' as const),
      how: fc.constantFrom(...Object.keys(LINK_FAULTS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fail a transfer' as const),
      how: fc.constantFrom(...FILE_FAULTS),
    }),
  },
);

export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Performs an action and lets the engine settle. */
export async function perform(world: World, what: Action): Promise<void> {
  switch (what.do) {
    case 'import':
      await addBatch(world, what.batch, what.titles, what);
      break;
    case 'undo':
      await undoStep(world, what.step);
      break;
    case 'wait':
      await world.clock.advance(what.seconds * 1000);
      break;
    case 'set the clock':
      world.clock.jumpWall(what.byMinutes * MINUTE);
      world.model.shortenWaits();
      break;
    case 'kill at a commit':
      world.killAtCommit(what.commits, what.when);
      break;
    case 'fail a submission':
      addFault(world, 'generate', GENERATE_FAULTS, what.how);
      break;
    case 'fail a status request':
      addFault(world, 'status', STATUS_FAULTS, what.how);
      break;
    case 'fail a link request':
      addFault(world, 'download', LINK_FAULTS, what.how);
      break;
    case 'fail a transfer':
      world.remote.nextFileFaults.push(what.how);
      break;
    default:
      if ('rows' in what) await withRows(world, what.do, what.rows);
      else await withAll(world, what.do);
  }
  await world.clock.advance(1000);
  await world.restart();
}

async function addBatch(
  world: World,
  name: string,
  titles: readonly string[],
  { duplicates }: Pick<BatchOptions, 'duplicates'>,
): Promise<void> {
  const { model, origin } = world;
  const before = world.disk().rows;
  for (const title of new Set(titles)) {
    const equal = titles.filter((other) => other === title).length;
    const request = JSON.stringify({ title });
    if (duplicates === 'render') model.allowMore(origin, request, equal);
    else
      model.allow(origin, request, duplicates === 'skip' ? 1 : equal, lostVideos(world, request));
  }
  // Importing a row again may resend rows of its batch that ended without a video.
  const ended = before.filter((row) => row.origin === origin && ENDED.includes(row.state));
  model.isAddingRows = true;
  await withResendDecision(world, ended, async () => {
    const content = ['title', ...titles].join('\n');
    await world.ask((engine) =>
      engine.commands.batches.add({
        origin: world.origin,
        source: { name: `${name}.csv`, content },
        options: { duplicates },
      }),
    );
  });
  for (const row of world.disk().rows) {
    if (!model.rows.has(row.id)) model.addRow(row);
  }
  model.isAddingRows = false;
}

/** Videos of a request that the service reported as failed or gone: they may be rendered again. */
function lostVideos(world: World, request: string): number {
  const { remote, origin } = world;
  const failed = new Set(
    world
      .disk()
      .rows.filter((row) => row.origin === origin && row.state === 'failed')
      .map(({ remoteId }) => remoteId),
  );
  return remote.service.videos.filter(
    ({ id, body, word }) =>
      requestKey(body) === requestKey(request) && (word === 'failed' || failed.has(id)),
  ).length;
}

/** States from which a user can request another render. */
const ENDED: readonly JobState[] = ['failed', 'rejected', 'cancelled'];

/**
 * Runs a command that may resend rows which may have been rendered before. The user's decision
 * applies from the time of the call, and only to rows that the command queued.
 */
async function withResendDecision(
  world: World,
  rows: readonly RowOnDisk[],
  command: () => Promise<unknown>,
): Promise<void> {
  const candidates = rows.map(({ id }) => world.model.row(id)).filter((row) => !row.mayBeSent);
  const before = new Map(candidates.map(({ id }) => [id, timesQueued(world, id)]));
  for (const row of candidates) row.mayBeSent = true;
  await command();
  await world.restart();
  for (const row of candidates) {
    if (timesQueued(world, row.id) === before.get(row.id)) row.mayBeSent = false;
  }
}

/** The user's decision that these jobs are to be rendered, whatever else has the same request. */
async function allowingAnother(
  world: World,
  rows: readonly RowOnDisk[],
  command: () => Promise<unknown>,
): Promise<void> {
  for (const { origin, body, state } of new Set(rows)) {
    // What was cancelled before it was sent is wanted already.
    if (state !== 'cancelled') world.model.allowMore(origin, body, 1);
  }
  await withResendDecision(world, rows, command);
}

/** How often the user queued a job again. */
function timesQueued(world: World, id: number): number {
  const from: readonly JobState[] = [...ENDED, 'uncertain'];
  return world
    .disk()
    .history.filter((step) => step.job === id && step.to === 'queued' && from.includes(step.from))
    .length;
}

async function withRows(
  world: World,
  what: (typeof WITH_ROWS)[number],
  indexes: readonly number[],
): Promise<void> {
  const here = world.disk().rows.filter(({ origin }) => origin === world.origin);
  const chosen = indexes.flatMap((index) => here[index % here.length] ?? []);
  const [first] = chosen;
  if (!first) return;
  const ids = [...new Set(chosen.map(({ id }) => String(id)))];
  const id = String(first.id);
  switch (what) {
    case 'hold':
      await world.ask((engine) => engine.commands.jobs.hold({ ids }));
      return;
    case 'release':
      await world.ask((engine) => engine.commands.jobs.release({ ids }));
      return;
    case 'cancel':
      await world.ask((engine) => engine.commands.jobs.cancel({ ids }));
      return;
    case 'retry':
      await allowingAnother(world, chosen, () =>
        world.ask((engine) => engine.commands.jobs.retry({ ids, payAgain: false })),
      );
      return;
    case 'archive':
    case 'unarchive':
    case 'remove':
      await world.ask((engine) => engine.commands.jobs[what]({ ids }));
      return;
    case 'fetch':
      await world.ask((engine) => engine.commands.jobs.downloadAgain({ ids }));
      return;
    case 'move up':
      await world.ask((engine) => engine.commands.jobs.move({ ids, before: String(here[0]?.id) }));
      return;
    case 'move to the end':
      await world.ask((engine) => engine.commands.jobs.move({ ids, before: null }));
      return;
    case 'raise priority':
    case 'lower priority':
      await world.ask((engine) =>
        engine.commands.jobs.prioritise({ ids, priority: what === 'raise priority' ? 1 : -1 }),
      );
      return;
    case 'edit':
      await edit(world, first, chosen[1]);
      return;
    case 'stop before':
      world.model.obstacles(world.origin).stopBefore = null;
      if (
        await world.ask((engine) =>
          engine.commands.queue.stopBefore({ origin: engine.origin, id }).then(() => true),
        )
      ) {
        world.model.obstacles(world.origin).stopBefore = first.id;
      }
      return;
    case 'resolve as accepted':
    case 'resend':
    case 'abandon':
      await resolve(world, first, what);
      return;
    case 'rename':
      await world.ask((engine) =>
        engine.commands.files.rename({ ids, nameTemplate: '{title} {index}.mp4' }),
      );
      return;
    case 'pause transfers of':
      await world.ask((engine) => engine.commands.transfers.pause({ origin: engine.origin, ids }));
      return;
    case 'resume transfers of':
      await world.ask((engine) => engine.commands.transfers.resume({ origin: engine.origin, ids }));
      return;
    case 'verify':
      await verify(world, ids);
      return;
    case 'delete a file':
      if (touch(world, first)) rmSync(first.filePath ?? '');
      return;
    case 'damage a file':
      if (touch(world, first)) appendFileSync(first.filePath ?? '', 'and more');
  }
}

/** Undoing an edit makes the earlier request the wanted one again. */
async function undoStep(world: World, index: number): Promise<void> {
  const steps = (await world.ask((engine) => engine.commands.jobs.undoSteps())) ?? [];
  const step = steps[index];
  if (step === undefined) return;
  world.model.isUndoing = true;
  await world.ask((engine) => engine.commands.jobs.undo({ step: step.id }));
  await world.restart();
  for (const { id, body } of world.disk().rows) world.model.takeBack(id, body);
  world.model.isUndoing = false;
}

/** @param other the row whose request it gets, with its names in another order; none: a new one */
async function edit(world: World, { id, origin }: RowOnDisk, other?: RowOnDisk): Promise<void> {
  const row = world.model.row(id);
  const { body: before } = row;
  const entries = Object.entries(JSON.parse(other?.body ?? before) as Record<string, string>);
  const request: Record<string, string | number> = Object.fromEntries(entries.toReversed());
  if (!other) request.edited = world.clock.monotonic();
  // The edited row may be sent before the response arrives.
  row.earlier.add(before);
  row.body = sortedJson(request);
  if (row.body !== before) world.model.allow(origin, row.body, 1, lostVideos(world, row.body));
  const job = await world.ask((engine) =>
    engine.commands.jobs.edit({ id: String(id), template: request }),
  );
  await world.restart();
  if (job) return;
  const now = world.disk().rows.find((each) => each.id === id);
  if (now?.body === before) row.body = before;
}

async function resolve(
  world: World,
  job: RowOnDisk,
  what: 'resolve as accepted' | 'resend' | 'abandon',
): Promise<void> {
  const { id, state } = job;
  if (state !== 'uncertain') return;
  const attempts = world.disk().attempts.filter((attempt) => attempt.job === id).length;
  const on = { id: String(id), attempts };
  const obstacles = world.model.obstacles(world.origin);
  obstacles.uncertainUntil = 0;
  if (what === 'abandon') {
    await world.ask((engine) => engine.commands.jobs.resolve({ ...on, as: 'abandon' }));
  } else if (what === 'resolve as accepted') {
    const video = world.remote.service.videos.findLast((video) => video.job === id);
    if (!video) return;
    await world.ask((engine) =>
      engine.commands.jobs.resolve({ ...on, as: 'accepted', remoteId: video.id }),
    );
  } else {
    await allowingAnother(world, [job], () =>
      world.ask((engine) => engine.commands.jobs.resolve({ ...on, as: 'resend' })),
    );
  }
}

async function verify(world: World, ids: string[]): Promise<void> {
  await world.ask(async (engine) => {
    for await (const { checkedFiles } of await engine.commands.files.verify(
      { ids },
      { signal: new AbortController().signal },
    )) {
      if (checkedFiles < 0) throw new Error('A negative count.');
    }
  });
}

function touch(world: World, { id, filePath, state }: RowOnDisk): boolean {
  if (filePath === null || state !== 'done' || !existsSync(filePath)) return false;
  world.touched.add(id);
  return true;
}

async function withAll(world: World, what: (typeof WITH_ALL)[number]): Promise<void> {
  const { model, remote } = world;
  const obstacles = model.obstacles(world.origin);
  switch (what) {
    case 'pause sending':
    case 'pause everything': {
      const part = what === 'pause sending' ? 'sending' : 'everything';
      obstacles.isPaused = 'unknown';
      if (
        await world.ask((engine) =>
          engine.commands.queue.pause({ origin: engine.origin, what: part }).then(() => true),
        )
      ) {
        obstacles.isPaused = true;
      }
      return;
    }
    case 'resume':
      obstacles.isPaused = 'unknown';
      obstacles.uncertainUntil = 0;
      obstacles.refusedUntil = 0;
      await world.ask((engine) => engine.commands.queue.resume({ origin: engine.origin }));
      return;
    case 'pause transfers':
      await world.ask((engine) => engine.commands.transfers.pause({ origin: engine.origin }));
      return;
    case 'resume transfers':
      await world.ask((engine) => engine.commands.transfers.resume({ origin: engine.origin }));
      return;
    case 'enter the right key':
      obstacles.isKeyRefused = false;
      remote.service.key = GOOD_KEY;
      await world.ask((engine) =>
        engine.commands.key.set({ origin: world.origin, value: GOOD_KEY }),
      );
      return;
    case 'enter a wrong key': {
      const wasRefused = obstacles.isKeyRefused;
      // Without an answer of the service, it replaces a key that was refused.
      obstacles.isKeyRefused = false;
      const answer = await world.ask((engine) =>
        engine.commands.key.set({ origin: world.origin, value: OLD_KEY }),
      );
      if (answer?.entered === 'refused') obstacles.isKeyRefused ||= wasRefused;
      return;
    }
    case 'check the key':
      await world.ask((engine) => engine.commands.key.check());
      return;
    case 'switch services':
      await world.switchService();
      return;
    case 'check files':
      await world.ask((engine) => engine.commands.files.check());
      return;
    case 'try now':
      model.tryNow();
      await world.ask((engine) => engine.commands.service.tryNow());
      return;
    case 'fall asleep':
      model.fallAsleep();
      await world.ask((engine) => engine.commands.service.fallAsleep());
      return;
    case 'close and open':
      await world.closeAndOpen();
      return;
    case 'kill':
      await world.killNow();
      return;
    case 'correct the quota to used up':
      // Twice the quota, as failed renders return units.
      if (
        await world.ask((engine) =>
          engine.commands.quota
            .correct({ origin: engine.origin, used: 2 * QUOTA })
            .then(() => true),
        )
      ) {
        model.markQuotaUsedUp(world.origin);
      }
      return;
    case 'correct the quota to unused':
      obstacles.usedUpIn = null;
      obstacles.refusedUntil = 0;
      await world.ask((engine) =>
        engine.commands.quota.correct({ origin: engine.origin, used: 0 }),
      );
      return;
    case 'take over the folder':
      world.takeOverFolder();
      return;
    case 'go offline':
      remote.network.isOnline = false;
      return;
    case 'come online':
      remote.network.isOnline = true;
      return;
    case 'revoke the key':
      remote.service.key = 'svc_live_of_tomorrow';
      return;
    case 'use up the quota':
      remote.service.isQuotaUsedUp = true;
      return;
    case 'quota comes back':
      remote.service.isQuotaUsedUp = false;
  }
}

const OLD_KEY = 'svc_live_of_yesterday';

function addFault(
  { remote }: World,
  to: keyof Network['next'],
  faults: Readonly<Record<string, Fault>>,
  how: string,
): void {
  const fault = faults[how];
  if (fault) remote.network.next[to].push(fault);
}
