import fc from 'fast-check';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import type { BatchOptions } from '../../../../src/contract/batch.ts';
import type { JobState } from '../../../../src/contract/job-states.ts';
import type { RowOnDisk } from './disk.ts';
import { FILE_FAULTS, GENERATE_FAULTS, LINK_FAULTS, STATUS_FAULTS, type Fault } from './faults.ts';
import { GOOD_KEY } from './simulated-service.ts';
import type { Weather } from './wire.ts';
import { QUOTA, type World } from './world.ts';

const MINUTE = 60_000;

/** Acts of the user on some rows of the queue. `rows` are indexes, modulo its length. */
const WITH_ROWS = [
  'hold',
  'release',
  'cancel',
  'retry',
  'fetch',
  'move up',
  'move to the end',
  'edit',
  'raise',
  'lower',
  'stop before',
  'it was made',
  'send it again',
  'let it go',
  'rename',
  'pause transfers of',
  'resume transfers of',
  'verify',
  'delete a file',
  'damage a file',
] as const;

/** Acts of the user, or events of the computer, that concern no particular row. */
const WITH_ALL = [
  'pause sending',
  'pause everything',
  'resume',
  'pause transfers',
  'resume transfers',
  'enter the right key',
  'enter a wrong key',
  'check the key',
  'go to the other service',
  'check files',
  'try now',
  'fall asleep',
  'close and open',
  'die',
  'lose the folder',
  'go offline',
  'come online',
  'revoke the key',
  'use up the quota',
  'quota comes back',
  'say that the quota is used up',
  'say that it is not',
] as const;

const rows = fc.array(fc.nat(11), { minLength: 1, maxLength: 3 });

export const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom(...WITH_ROWS), rows }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom(...WITH_ALL) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      batch: fc.constantFrom('A', 'B'),
      titles: fc.array(fc.constantFrom('One', 'Two', 'Three', 'Four'), {
        minLength: 1,
        maxLength: 4,
      }),
      duplicates: fc.constantFrom('reuse' as const, 'make' as const, 'leave-out' as const),
      asDraft: fc.boolean(),
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
      do: fc.constant('die at a commit' as const),
      commits: fc.integer({ min: 1, max: 12 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('sending goes wrong' as const),
      how: fc.constantFrom(...Object.keys(GENERATE_FAULTS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('asking goes wrong' as const),
      how: fc.constantFrom(...Object.keys(STATUS_FAULTS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('a link goes wrong' as const),
      how: fc.constantFrom(...Object.keys(LINK_FAULTS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('a transfer goes wrong' as const),
      how: fc.constantFrom(...FILE_FAULTS),
    }),
  },
);

export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Performs it, and lets the engine settle. */
export async function perform(world: World, what: Act): Promise<void> {
  switch (what.do) {
    case 'import':
      await addBatch(world, what.batch, what.titles, what);
      break;
    case 'wait':
      await world.clock.advance(what.seconds * 1000);
      break;
    case 'set the clock':
      world.clock.jumpWall(what.byMinutes * MINUTE);
      world.model.losesTime();
      break;
    case 'die at a commit':
      world.dieAtCommit(what.commits, what.when);
      break;
    case 'sending goes wrong':
      goesWrong(world, 'generate', GENERATE_FAULTS, what.how);
      break;
    case 'asking goes wrong':
      goesWrong(world, 'status', STATUS_FAULTS, what.how);
      break;
    case 'a link goes wrong':
      goesWrong(world, 'download', LINK_FAULTS, what.how);
      break;
    case 'a transfer goes wrong':
      world.place.nextFiles.push(what.how);
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
  { duplicates, asDraft }: Pick<BatchOptions, 'duplicates' | 'asDraft'>,
): Promise<void> {
  const { model, origin } = world;
  const before = world.disk().rows;
  // To import a row again is a word on those of its batch that ended without a video.
  const ended = before.filter((row) => row.origin === origin && ENDED.includes(row.state));
  model.isBeingAddedTo = true;
  await withResendDecision(world, ended, async () => {
    const content = ['title', ...titles].join('\n');
    await world.ask((engine) =>
      engine.commands.batches.add({
        origin: world.origin,
        source: { name: `${name}.csv`, content },
        options: { duplicates, asDraft },
      }),
    );
  });
  for (const row of world.disk().rows) {
    if (!model.rows.has(row.id)) model.wants(row);
  }
  model.isBeingAddedTo = false;
}

/** States from which a user can request another render. */
const ENDED: readonly JobState[] = ['failed', 'rejected', 'cancelled'];

/**
 * A command of the user that may decide to resend rows that may have been rendered before. The
 * decision applies from the time of the call, and only to rows that the command put into the queue.
 */
async function withResendDecision(
  world: World,
  rows: readonly RowOnDisk[],
  command: () => Promise<unknown>,
): Promise<void> {
  const given = rows.map(({ id }) => world.model.row(id)).filter((row) => !row.mayBeSent);
  const before = new Map(given.map(({ id }) => [id, timesQueued(world, id)]));
  for (const row of given) row.mayBeSent = true;
  await command();
  await world.restart();
  for (const row of given) {
    if (timesQueued(world, row.id) === before.get(row.id)) row.mayBeSent = false;
  }
}

/** How often the user put a job into the queue that had been there before. */
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
  places: readonly number[],
): Promise<void> {
  const here = world.disk().rows.filter(({ origin }) => origin === world.origin);
  const chosen = places.flatMap((place) => here[place % here.length] ?? []);
  const [first] = chosen;
  if (!first) return;
  const ids = [...new Set(chosen.map(({ id }) => String(id)))];
  const id = String(first.id);
  switch (what) {
    case 'hold':
      await world.ask((engine) => engine.commands.jobs.hold({ ids }));
      return;
    case 'release':
      await world.ask((engine) => engine.commands.jobs.resume({ ids }));
      return;
    case 'cancel':
      await world.ask((engine) => engine.commands.jobs.cancel({ ids }));
      return;
    case 'retry':
      await withResendDecision(world, chosen, () =>
        world.ask((engine) => engine.commands.jobs.retry({ ids, payAgain: false })),
      );
      return;
    case 'fetch':
      await world.ask((engine) => engine.commands.jobs.fetch({ ids }));
      return;
    case 'move up':
      await world.ask((engine) => engine.commands.jobs.move({ ids, before: String(here[0]?.id) }));
      return;
    case 'move to the end':
      await world.ask((engine) => engine.commands.jobs.move({ ids, before: null }));
      return;
    case 'raise':
    case 'lower':
      await world.ask((engine) =>
        engine.commands.jobs.prioritise({ ids, priority: what === 'raise' ? 1 : -1 }),
      );
      return;
    case 'edit':
      await edit(world, first);
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
    case 'it was made':
    case 'send it again':
    case 'let it go':
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

async function edit(world: World, { id }: RowOnDisk): Promise<void> {
  const row = world.model.row(id);
  const { body: before } = row;
  const request = { ...(JSON.parse(before) as object), edited: world.clock.monotonic() };
  // It may be sent before the response arrives.
  row.body = JSON.stringify(request);
  const job = await world.ask((engine) => engine.commands.jobs.edit({ id: String(id), request }));
  await world.restart();
  if (job) return;
  const now = world.disk().rows.find((each) => each.id === id);
  if (now?.body === before) row.body = before;
}

async function resolve(
  world: World,
  job: RowOnDisk,
  what: 'it was made' | 'send it again' | 'let it go',
): Promise<void> {
  const { id, state } = job;
  if (state !== 'uncertain') return;
  const attempts = world.disk().attempts.filter((attempt) => attempt.job === id).length;
  const on = { id: String(id), attempts };
  const obstacles = world.model.obstacles(world.origin);
  obstacles.doubtfulUntil = 0;
  if (what === 'let it go') {
    await world.ask((engine) => engine.commands.jobs.resolve({ ...on, as: 'let-go' }));
  } else if (what === 'it was made') {
    const video = world.place.service.videos.findLast((made) => made.job === id);
    if (!video) return;
    await world.ask((engine) =>
      engine.commands.jobs.resolve({ ...on, as: 'made', remoteId: video.id }),
    );
  } else {
    await withResendDecision(world, [job], () =>
      world.ask((engine) => engine.commands.jobs.resolve({ ...on, as: 'send-again' })),
    );
  }
}

async function verify(world: World, ids: string[]): Promise<void> {
  await world.ask(async (engine) => {
    for await (const { checkedFiles } of await engine.commands.files.verify(
      { ids },
      new AbortController().signal,
    )) {
      if (checkedFiles < 0) throw new Error('Fewer than none.');
    }
  });
}

function touch(world: World, { id, filePath, state }: RowOnDisk): boolean {
  if (filePath === null || state !== 'done' || !existsSync(filePath)) return false;
  world.touched.add(id);
  return true;
}

async function withAll(world: World, what: (typeof WITH_ALL)[number]): Promise<void> {
  const { model, place } = world;
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
      model.isTaken = false;
      obstacles.doubtfulUntil = 0;
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
    case 'enter a wrong key':
      obstacles.isKeyRefused = false;
      if (what === 'enter the right key') place.service.key = GOOD_KEY;
      await world.ask((engine) =>
        engine.commands.key.set({
          origin: world.origin,
          value: what === 'enter a wrong key' ? OLD_KEY : GOOD_KEY,
        }),
      );
      return;
    case 'check the key':
      await world.ask((engine) => engine.commands.key.check());
      return;
    case 'go to the other service':
      await world.goElsewhere();
      return;
    case 'check files':
      await world.ask((engine) => engine.commands.files.check());
      return;
    case 'try now':
      model.triesNow();
      await world.ask((engine) => engine.commands.service.tryNow());
      return;
    case 'fall asleep':
      model.fallsAsleep();
      await world.ask((engine) => engine.commands.service.fallAsleep());
      return;
    case 'close and open':
      await world.closeAndOpen();
      return;
    case 'die':
      await world.killNow();
      return;
    case 'say that the quota is used up':
      // Failed renders return units, and then quota is left again: so this says more.
      if (
        await world.ask((engine) =>
          engine.commands.quota
            .correct({ origin: engine.origin, used: 2 * QUOTA })
            .then(() => true),
        )
      ) {
        model.quotaIsUsedUp(world.origin);
      }
      return;
    case 'say that it is not':
      obstacles.usedUpIn = null;
      obstacles.refusedUntil = 0;
      await world.ask((engine) =>
        engine.commands.quota.correct({ origin: engine.origin, used: 0 }),
      );
      return;
    case 'lose the folder':
      world.isTakenByAnother();
      return;
    case 'go offline':
      place.weather.isOnline = false;
      return;
    case 'come online':
      place.weather.isOnline = true;
      return;
    case 'revoke the key':
      place.service.key = 'svc_live_of_tomorrow';
      return;
    case 'use up the quota':
      place.service.isQuotaUsedUp = true;
      return;
    case 'quota comes back':
      place.service.isQuotaUsedUp = false;
  }
}

const OLD_KEY = 'svc_live_of_yesterday';

function goesWrong(
  { place }: World,
  to: keyof Weather['next'],
  faults: Readonly<Record<string, Fault>>,
  how: string,
): void {
  const fault = faults[how];
  if (fault) place.weather.next[to].push(fault);
}
