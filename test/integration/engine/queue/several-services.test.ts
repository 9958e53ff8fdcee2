import { expect, test } from 'vitest';
import type { Job } from '../../../../src/contract/job.ts';
import { newsBetween } from '../../../../src/contract/news.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import type { DownloadOutcome } from '../../../../src/engine/downloads/request.ts';
import type { ServiceSetup } from '../../../../src/engine/engine-options.ts';
import type { GenerateOutcome } from '../../../../src/engine/service/outcomes.ts';
import { EngineRig, ORIGIN, profileWith } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';
import { commandsOf, type TestEngine } from '../../../rigs/open-engine.ts';

const OTHER = 'https://other.example';
const MINUTE = 60_000;
const plan = { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) };
const here: ServiceSetup = { service: { name: 'the service', baseUrl: ORIGIN }, plan };
/** Three videos a minute, and two renders at a time. */
const there: ServiceSetup = {
  service: {
    name: 'the other',
    baseUrl: OTHER,
    profile: profileWith(
      {},
      {
        windows: [
          { endpoint: 'generate', count: 3, perMs: MINUTE, known: 'documented' },
          { endpoint: 'status', count: 60, perMs: MINUTE, known: 'documented' },
          { endpoint: 'download', count: 30, perMs: 60 * MINUTE, known: 'documented' },
        ],
        concurrent: { count: 2 },
      },
    ),
  },
  plan,
};
const TITLES = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];

async function rigWithTwo(keys = new MemoryKeyStore()): Promise<[EngineRig, FakeService]> {
  const clock = new VirtualClock();
  const other = new FakeService(clock);
  other.slots = 2;
  const rig = await EngineRig.open({ keys, clock, other: { origin: OTHER, service: other } });
  return [rig, other];
}

/** A keychain that delays its answer about one service until the test releases it. */
class SlowKeys extends MemoryKeyStore {
  isBroken = false;
  readonly #answer = Promise.withResolvers<undefined>();
  readonly #origin: string;

  constructor(origin = OTHER) {
    super();
    this.#origin = origin;
  }

  override async get(origin: string): Promise<string | null> {
    if (origin === this.#origin) await this.#answer.promise;
    if (origin === this.#origin && this.isBroken) throw new Error('Broken.');
    return super.get(origin);
  }

  answer(): void {
    this.#answer.resolve(undefined);
  }
}

async function show(rig: EngineRig, setup: ServiceSetup): Promise<void> {
  let isShown = false;
  const shown = rig.engine.show(setup).then(() => (isShown = true));
  await rig.until(() => isShown);
  await shown;
}

function isSaved(jobs: readonly Job[]): boolean {
  return jobs.every(({ state }) => state === 'done');
}

/** Runs a batch. Returns when each row was submitted and saved, in ms since it was added. */
async function runBatch(rig: EngineRig): Promise<(number | null)[][]> {
  const start = rig.clock.now();
  await rig.add(TITLES, 'There.csv');
  await rig.until(async () => isSaved(await rig.jobs()));
  const since = (at: number | null): number | null => (at === null ? null : at - start);
  return (await rig.jobs()).map((job) => [since(job.submittedAt), since(job.savedAt)]);
}

const UNREACHABLE = {
  kind: 'unreachable',
  failure: { code: 'service-unreachable', ...userMessage('verbatim', { text: 'It is away.' }) },
  response: null,
} as const;

const UNUSABLE = {
  kind: 'unusable',
  failure: { code: 'answer-unreadable', ...userMessage('verbatim', { text: 'What is this?' }) },
  response: null,
} as const;

const UNKNOWN: GenerateOutcome = {
  kind: 'unknown',
  failure: { code: 'outcome-unknown', ...userMessage('verbatim', { text: 'Bad gateway.' }) },
  response: null,
};

/** Gives the first service another profile. */
async function changeProfile(rig: EngineRig): Promise<void> {
  const profile = profileWith({}, { concurrent: { count: 1 } });
  const adapted = rig.engine.adapt({ ...here, service: { ...here.service, profile } });
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  adapted.then(settle, settle);
  await rig.until(() => isSettled);
  await adapted;
}

type Stall = (rig: EngineRig, keys: SlowKeys) => void | Promise<void>;

const STALLS: readonly [name: string, stall: Stall][] = [
  ['cannot be reached', ({ service }) => void (service.trouble = UNREACHABLE)],
  ['refuses its key', ({ service }) => void (service.keyIs = 'refused')],
  ['sends unusable responses', ({ service }) => void (service.trouble = UNUSABLE)],
  ['has no free render slot', ({ service }) => void (service.slots = 0)],
  [
    'is paused',
    ({ engine }) => engine.commands.queue.pause({ origin: engine.origin, what: 'everything' }),
  ],
  ['does not answer', ({ service }) => void (service.latencyMs = 10 * MINUTE)],
  [
    'answers each status request with ten megabytes',
    ({ service }) => {
      for (let id = 1; id <= 3; id += 1) {
        service.statusResponses.set(`video-${id}`, { status: 200, body: 'x'.repeat(10_000_000) });
      }
    },
  ],
  ['changes its profile', changeProfile],
  [
    'can be opened neither with a new profile nor with the previous one',
    async (rig, keys) => {
      keys.isBroken = true;
      await expect(changeProfile(rig)).rejects.toThrow('Broken.');
    },
  ],
  [
    'gets another key while its requests are pending',
    ({ engine, service, clock }) => {
      service.latencyMs = 30_000;
      void clock
        .sleep(MINUTE)
        .then(() =>
          commandsOf(engine.at(ORIGIN)).key.set({ origin: ORIGIN, value: 'svc_live_1111111111' }),
        );
    },
  ],
];

test.each(STALLS)('a service works at its own limits while another one %s', async (_, stall) => {
  const [alone] = await rigWithTwo();
  await show(alone, there);
  const expected = await runBatch(alone);

  const keys = new SlowKeys(ORIGIN);
  keys.answer();
  const [rig, other] = await rigWithTwo(keys);
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  await rig.add(['Stalled 1', 'Stalled 2', 'Stalled 3'], 'Here.csv');
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await stall(rig, keys);
  await rig.clock.advance(MINUTE);
  await show(rig, there);
  const saved = await runBatch(rig);

  expect(saved).toEqual(expected);
  expect(other.slotRefusals).toBe(0);
  expect(other.mostRendering).toBe(2);
});

test('a service that is not shown keeps running, and is shown again without an interruption', async () => {
  const [rig, other] = await rigWithTwo();
  await rig.add(['One', 'Two', 'Three'], 'Here.csv');
  await show(rig, there);
  await rig.add(['Four'], 'There.csv');
  await rig.until(() => rig.service.videos.length === 3 && other.videos.length === 1);
  const others = (): unknown => rig.engine.summary().others;
  expect(others()).toMatchObject([{ origin: ORIGIN, flow: { state: 'running' } }]);
  await rig.until(() => rig.engine.summary().others[0]?.counts.done === 3);

  await show(rig, here);
  expect((await rig.jobs()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(others()).toMatchObject([{ name: 'the other', origin: OTHER }]);
});

test('the batches of a service that is not shown are reported until they are finished', async () => {
  const [rig] = await rigWithTwo();
  await rig.add(['Earlier'], 'Earlier.csv');
  await rig.until(async () => isSaved(await rig.jobs()));
  const batchId = (await rig.job(0)).batchId;
  await rig.add(['One', 'Two'], 'Here.csv');
  await show(rig, there);
  const before = rig.engine.summary();
  await rig.until(() => rig.engine.summary().others[0]?.counts.done === 3);
  const after = rig.engine.summary();

  expect(before.others[0]?.batches.map(({ name }) => name)).toEqual(['Here']);
  expect(before.others[0]?.batches[0]?.id).not.toBe(batchId);
  expect(newsBetween(before, after)).toMatchObject([
    { kind: 'batch', name: 'Here', service: { name: 'the service' }, saved: 2 },
  ]);
});

test('requests of both services with an unknown outcome stay uncertain after a restart', async () => {
  const [rig, other] = await rigWithTwo();
  const { clock, service, folder } = rig;
  for (const each of [service, other]) each.nextGenerate.push(UNKNOWN);
  await rig.add(['One', 'Two'], 'Here.csv');
  await show(rig, there);
  await rig.add(['Three', 'Four'], 'There.csv');
  await rig.until(() => service.asked.length > 0 && other.asked.length > 0);
  await rig.close();

  const again = await EngineRig.open({
    clock,
    service,
    folder,
    other: { origin: OTHER, service: other },
  });
  expect(again.engine.summary().others).toMatchObject([{ origin: OTHER, flow: null }]);
  await again.engine.start(there);
  await again.until(() => service.videos.length === 1 && other.videos.length === 1);
  await again.clock.advance(60 * MINUTE);

  expect((await again.jobs()).map(({ state }) => state)).toEqual(['uncertain', 'done']);
  await show(again, there);
  expect((await again.jobs()).map(({ state }) => state)).toEqual(['uncertain', 'done']);
  expect([service.asked.length, other.asked.length]).toEqual([2, 2]);
});

test('pausing all services pauses each of them, and resuming all resumes each', async () => {
  const [rig, other] = await rigWithTwo();
  await show(rig, there);
  await rig.engine.pauseAll('sending');
  await rig.add(['One'], 'There.csv');
  await show(rig, here);
  await rig.add(['Two'], 'Here.csv');
  await rig.clock.advance(30 * MINUTE);
  expect([rig.service.asked.length, other.asked.length]).toEqual([0, 0]);

  await rig.engine.resumeAll();
  await rig.until(() => rig.service.asked.length === 1 && other.asked.length === 1);
});

test('pausing all services pauses one that is being opened', async () => {
  const [first, other] = await rigWithTwo();
  const { clock, service, folder } = first;
  await show(first, there);
  await first.engine.commands.queue.pause({ origin: first.engine.origin, what: 'sending' });
  await first.add(['One', 'Two'], 'There.csv');
  await first.close();
  const rig = await EngineRig.open({
    clock,
    service,
    folder,
    other: { origin: OTHER, service: other },
  });
  const opened = rig.engine.start(there, 'run');
  await rig.engine.pauseAll('sending');
  await opened;
  await clock.advance(10 * MINUTE);
  expect(other.asked).toEqual([]);
  expect(rig.engine.at(OTHER).summary().flow).toMatchObject({ state: 'paused' });
});

test('pausing all services pauses one that is opened while a download is stopping', async () => {
  const [rig] = await rigWithTwo();
  const stopped = Promise.withResolvers<undefined>();
  let isDownloading = false;
  rig.nextDownload.push(async ({ target }) => {
    isDownloading = true;
    await stopped.promise;
    return saved(target);
  });
  await rig.add(['One'], 'Here.csv');
  await rig.until(() => isDownloading);
  const started = rig.engine.start(there);
  const paused = rig.engine.pauseAll('everything');
  await started;
  const { flow } = rig.engine.at(OTHER).summary();
  stopped.resolve(undefined);
  await paused;
  expect(flow).toMatchObject({ state: 'paused', what: 'everything' });
});

test('pausing all services pauses one that failed to reopen, once it opens', async () => {
  const keys = new SlowKeys();
  keys.answer();
  const [rig, other] = await rigWithTwo(keys);
  await show(rig, there);
  await rig.add(['One', 'Two'], 'There.csv');
  await show(rig, here);
  const askedBefore = other.asked.length;
  keys.isBroken = true;
  const renamed = { ...there, service: { ...there.service, name: 'renamed' } };
  let failure: unknown;
  void rig.engine.adapt(renamed).catch((error: unknown) => (failure = error));
  await rig.until(() => failure !== undefined);
  await rig.engine.pauseAll('everything');

  keys.isBroken = false;
  await rig.clock.advance(10 * MINUTE);
  expect(other.asked).toHaveLength(askedBefore);
  expect(rig.engine.at(OTHER).summary().flow).toMatchObject({
    state: 'paused',
    what: 'everything',
  });
  await rig.engine.resumeAll();
  await rig.until(() => other.asked.length === 2);
});

test('resuming all services resumes one that failed to reopen', async () => {
  const keys = new SlowKeys();
  keys.answer();
  const [rig, other] = await rigWithTwo(keys);
  await show(rig, there);
  await rig.engine.pauseAll('sending');
  await rig.add(['One'], 'There.csv');
  keys.isBroken = true;
  const renamed = { ...there, service: { ...there.service, name: 'renamed' } };
  let failure: unknown;
  void rig.engine.adapt(renamed).catch((error: unknown) => (failure = error));
  await rig.until(() => failure !== undefined);
  await rig.engine.resumeAll();
  keys.isBroken = false;
  await rig.until(() => other.asked.length === 1);
});

test('a keychain that does not answer about one service delays no other', async () => {
  const keys = new SlowKeys();
  const [rig, other] = await rigWithTwo(keys);
  let isOpen = false;
  const opened = rig.engine.start(there).then(() => (isOpen = true));
  await rig.engine.start({
    ...here,
    service: { name: 'a third', baseUrl: 'https://third.example' },
  });
  await rig.engine.adapt({ ...here, service: { ...here.service, name: 'renamed' } });
  await rig.engine.pauseAll('sending');
  await rig.engine.resumeAll();
  expect(isOpen).toBe(false);
  expect(rig.engine.summary().service.name).toBe('renamed');

  keys.answer();
  await opened;
  await show(rig, there);
  await rig.add(['One'], 'There.csv');
  await rig.until(() => other.asked.length === 1);
});

test('a session that is closed is not opened again', async () => {
  const [rig] = await rigWithTwo();
  await rig.engine.close();
  const { sleeping } = rig.clock;
  const renamed = { ...here, service: { ...here.service, name: 'renamed' } };
  await expect(rig.engine.adapt(renamed)).rejects.toThrow('The engine is closed.');
  // No retry is scheduled.
  expect(rig.clock.sleeping).toBe(sleeping);
});

test('a keychain that does not answer does not delay closing', async () => {
  const [rig] = await rigWithTwo(new SlowKeys());
  const opened = Promise.allSettled([rig.engine.start(there), rig.engine.show(there)]);
  await rig.engine.close();
  const reason: unknown = expect.objectContaining({ message: 'The engine is closed.' });
  expect(await opened).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
});

test('settings that change while a service is being opened apply to it', async () => {
  const keys = new SlowKeys();
  const [rig] = await rigWithTwo(keys);
  const opened = rig.engine.start(there);
  const defaultFolder = `${rig.folder}/elsewhere`;
  rig.engine.applySettings({ defaultFolder });
  keys.answer();
  await opened;
  expect(rig.engine.at(OTHER).summary().defaultFolder).toBe(defaultFolder);
});

test('downloads of two services share the limit, and alternate', async () => {
  const [rig, other] = await rigWithTwo();
  rig.engine.applySettings({
    transferLimits: { parallel: 1, totalBytesPerSecond: null, perTransferBytesPerSecond: null },
  });
  let running = 0;
  let most = 0;
  const order: string[] = [];
  for (let download = 0; download < 8; download += 1) {
    rig.nextDownload.push(async ({ link, target, limits, signal }) => {
      running += 1;
      most = Math.max(most, running);
      order.push(new URL(link.url).hostname);
      for (let second = 0; second < 300; second += 20) {
        await rig.clock.sleep(20_000);
        await limits?.[0]?.pay(1_000_000, signal);
      }
      running -= 1;
      return saved(target);
    });
  }
  rig.service.fileHost = 'here.example';
  other.fileHost = 'there.example';
  await rig.add(['One', 'Two', 'Three', 'Four'], 'Here.csv');
  await show(rig, there);
  await rig.add(['Five', 'Six', 'Seven', 'Eight'], 'There.csv');
  await rig.until(() => order.length === 8, 2 * 60 * MINUTE);

  expect(most).toBe(1);
  expect(order.slice(0, 6).filter((host) => host === 'here.example')).toHaveLength(3);
});

test.each([1, 2])(
  'a file server that hangs blocks no download of another service, with %s at a time',
  async (parallel) => {
    const [rig, other] = await rigWithTwo();
    rig.engine.applySettings({
      transferLimits: { parallel, totalBytesPerSecond: null, perTransferBytesPerSecond: null },
    });
    let hanging = 0;
    for (let download = 0; download < 8; download += 1) {
      rig.nextDownload.push(async ({ link, target, signal }) => {
        if (new URL(link.url).hostname === 'there.example') return saved(target);
        hanging += 1;
        await rig.clock.sleep(24 * 60 * MINUTE, signal);
        return saved(target);
      });
    }
    rig.service.fileHost = 'here.example';
    other.fileHost = 'there.example';
    await rig.add(['One', 'Two', 'Three', 'Four'], 'Here.csv');
    await rig.until(() => hanging === parallel);
    await show(rig, there);
    await rig.add(['Five', 'Six', 'Seven'], 'There.csv');
    await rig.until(async () => isSaved(await rig.jobs()), 30 * MINUTE);
    expect(hanging).toBe(parallel);
  },
);

test('the start-up choice applies to a service’s first session, not to one that replaces it', async () => {
  const [first, other] = await rigWithTwo();
  const { clock, service, folder } = first;
  await show(first, there);
  await first.engine.commands.queue.pause({ origin: first.engine.origin, what: 'sending' });
  await first.add(['One', 'Two'], 'There.csv');
  await first.close();
  const open = (): Promise<EngineRig> =>
    EngineRig.open({ clock, service, folder, other: { origin: OTHER, service: other } });
  const flowOf = (rig: EngineRig): unknown => rig.engine.at(OTHER).summary().flow;

  const asBefore = await open();
  await asBefore.engine.start(there);
  expect(flowOf(asBefore)).toMatchObject({ state: 'paused' });
  await asBefore.close();

  const running = await open();
  await running.engine.start(there, 'run');
  expect(flowOf(running)).toEqual({ state: 'running' });
  await commandsOf(running.engine.at(OTHER)).queue.pause({ origin: OTHER, what: 'sending' });
  const sentBefore = other.asked.length;
  expect(sentBefore).toBeLessThan(2);
  // The service is open already, first with the same setup, then with another one.
  await running.engine.start(there, 'run');
  const renamed = { ...there, service: { ...there.service, name: 'renamed' } };
  let isAdapted = false;
  void running.engine.adapt(renamed).then(() => (isAdapted = true));
  await running.until(() => isAdapted);
  expect(running.engine.at(OTHER).summary().service.name).toBe('renamed');
  expect(flowOf(running)).toMatchObject({ state: 'paused' });
  await clock.advance(10 * MINUTE);
  expect(other.asked).toHaveLength(sentBefore);
});

test('each row is sent once, to its own service, however often another one is shown', async () => {
  const [rig, other] = await rigWithTwo();
  for (const service of [rig.service, other]) service.latencyMs = 1500;
  await rig.add(TITLES, 'Here.csv');
  await show(rig, there);
  await rig.add(TITLES, 'There.csv');
  for (let shown = 0; shown < 40; shown += 1) {
    await show(rig, shown % 2 === 0 ? here : there);
    await rig.clock.advance(700);
  }
  const { engine } = rig;
  for (const origin of [ORIGIN, OTHER]) {
    await rig.until(() => engine.at(origin).summary().counts.done === TITLES.length);
  }
  for (const { asked } of [rig.service, other]) {
    expect(asked.map((body) => /One|Two|Three|Four|Five|Six/.exec(body)?.[0])).toEqual(TITLES);
  }
});

test('rows that are added while a session is replaced are refused or kept, not lost', async () => {
  const [rig, other] = await rigWithTwo();
  await rig.engine.start(there);
  const commands = commandsOf(rig.engine.at(OTHER));
  const source = { name: 'There.csv', content: 'title\nOne\nTwo' };
  const adding = Promise.allSettled([commands.batches.add({ origin: OTHER, source, options: {} })]);
  const replaced = rig.engine.start({
    ...there,
    service: { ...there.service, profile: profileWith({}, { concurrent: { count: 1 } }) },
  });
  let isReplaced = false;
  void replaced.then(() => (isReplaced = true));
  await rig.until(() => isReplaced);

  const [added] = await adding;
  const { total } = await commandsOf(rig.engine.at(OTHER)).jobs.list({ offset: 0, limit: 9 });
  expect(total).toBe(added.status === 'fulfilled' ? 2 : 0);
  await commandsOf(rig.engine.at(OTHER)).batches.add({ origin: OTHER, source, options: {} });
  await rig.until(() => other.asked.length === 2);
});

function saved(path: string): DownloadOutcome {
  const ofFile = { bytes: 100, sha256: 'a'.repeat(64), durationSeconds: 10 };
  return { kind: 'saved', path, ...ofFile, refetchedBytes: 0 };
}

const COMMANDS: readonly [
  name: string,
  call: (commands: TestEngine['commands']) => Promise<unknown>,
][] = [
  ['pause', ({ queue }) => queue.pause({ origin: ORIGIN, what: 'everything' })],
  ['resumption', ({ queue }) => queue.resume({ origin: ORIGIN })],
  ['pause point', ({ queue }) => queue.stopBefore({ origin: ORIGIN, id: null })],
  ['pause of downloads', ({ transfers }) => transfers.pause({ origin: ORIGIN })],
  ['resumption of downloads', ({ transfers }) => transfers.resume({ origin: ORIGIN })],
  ['quota correction', ({ quota }) => quota.correct({ origin: ORIGIN, used: 9 })],
  [
    'definition of a status word',
    ({ service }) => service.defineWord({ origin: ORIGIN, word: 'cooking', means: 'done' }),
  ],
];

test.each(COMMANDS)(
  'a %s that is meant for one service does not reach another',
  async (_, call) => {
    const [rig] = await rigWithTwo();
    await show(rig, there);
    await rig.engine.commands.queue.pause({ origin: OTHER, what: 'sending' });
    const before = rig.engine.summary();
    await expect(call(rig.engine.commands)).rejects.toMatchObject({
      failure: { says: [{ sentence: 'meant-for-other-service' }] },
    });
    expect(rig.engine.summary()).toEqual(before);
    await call(commandsOf(rig.engine.at(ORIGIN)));
  },
);

test('replacing a key during requests stops no row, and sends none twice', async () => {
  const [rig, other] = await rigWithTwo();
  const { service, engine } = rig;
  service.latencyMs = 20_000;
  const titles = Array.from({ length: 20 }, (_, index) => `Video ${index + 1}`);
  await rig.add(titles, 'Here.csv');
  await rig.until(() => service.statuses.length > 3);
  // Responses to requests with the previous key do not apply to the next one.
  service.keyIs = 'refused';
  await rig.clock.advance(15_000);
  const setting = engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_1111111111' });
  let isSet = false;
  void setting.then(() => (isSet = true));
  service.keyIs = 'accepted';
  await rig.until(() => isSet);
  await show(rig, there);
  await runBatch(rig);
  await rig.until(() => engine.at(ORIGIN).summary().counts.done === 20, 24 * 60 * MINUTE);
  expect(new Set(service.videos.map(({ body }) => body)).size).toBe(20);
  expect(service.videos).toHaveLength(20);
  expect(other.asked).toHaveLength(TITLES.length);
});
