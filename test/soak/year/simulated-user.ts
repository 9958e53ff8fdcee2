import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BatchOptions, Collision } from '../../../src/contract/batch.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import { sortedJson } from '../../rigs/sorted-json.ts';
import { messageIn } from './invariants.ts';
import type { Video } from './model-service.ts';
import type { QueuedRow } from './queue-reader.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A video this much older than a request is not its video, whatever the computer's clock showed. */
const CLOCKS_DIFFER_MS = 24 * HOUR;

/** States that a row leaves without the user. */
const ACTIVE_STATES: readonly JobState[] = [
  ...(['queued', 'reserved', 'sending', 'submitted'] as const),
  ...(['rendering', 'ready', 'downloading', 'verifying'] as const),
];

const UNSENT: readonly JobState[] = ['held', 'queued', 'reserved', 'sending'];

const RETRIABLE: readonly JobState[] = ['failed', 'rejected', 'cancelled'];

const DUPLICATES = ['reuse', 'reuse', 'render', 'skip'] as const;
const COLLISIONS: readonly Collision[] = ['number', 'number', 'skip', 'replace'];

/** A batch that was added, and can be added again. */
interface AddedBatch {
  readonly name: string;
  readonly content: string;
  readonly options: BatchOptions;
}

/**
 * The user at the computer: adds rows, changes them, and makes the decisions that only a user can
 * make.
 */
export class SimulatedUser {
  readonly #world: World;
  readonly #batches: AddedBatch[] = [];
  readonly #known = new Set<number>();
  #titles = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Adds a batch of different rows, and stores the forecasts for them.
   * @param shares of rows whose render may fail, that the service refuses, and whose title is taken
   */
  async add(rows: number, shares = { unlucky: 0, unacceptable: 0, sameTitle: 0 }): Promise<void> {
    const { random, history, service } = this.#world;
    const lines = Array.from({ length: rows }, () => {
      this.#titles += 1;
      const isTaken = random.next() < shares.sameTitle;
      const title = isTaken ? `Same ${random.integer(1, 3)}` : `Title ${this.#titles}`;
      const kind =
        random.next() < shares.unlucky
          ? 'unlucky'
          : random.next() < shares.unacceptable
            ? 'unacceptable'
            : 'fine';
      return `${title},${kind} ${this.#titles}`;
    });
    const batch: AddedBatch = {
      name: `Batch ${this.#titles}.csv`,
      content: ['title,message', ...lines].join('\n'),
      options: {
        nameTemplate: shares.sameTitle > 0 ? '{title}.mp4' : undefined,
        onCollision: shares.sameTitle > 0 ? random.pick(COLLISIONS) : undefined,
      },
    };
    history.note(
      `adds ${rows} rows (${batch.options.onCollision ?? 'number'}); ` +
        `${service.usedAt(this.#world.time.now)} of ${service.limit} are used`,
    );
    this.#batches.push(batch);
    await this.#addBatch(batch);
  }

  /** Adds a batch that was added before: to this service, or to the other one. */
  async addAgain(): Promise<void> {
    const { random } = this.#world;
    if (this.#batches.length === 0) return;
    const batch = random.pick(this.#batches.slice(-6));
    const duplicates = random.pick(DUPLICATES);
    const changed = random.next() < 0.3 ? batch.content.replaceAll('fine', 'fine,') : batch.content;
    this.#world.history.note(`adds ${batch.name} again (${duplicates})`);
    this.#world.invariants.recordInterference();
    await this.#addBatch({
      ...batch,
      content: changed.replaceAll('fine,', 'fine again'),
      options: { ...batch.options, duplicates },
    });
  }

  async #addBatch({ name, content, options }: AddedBatch): Promise<void> {
    const { invariants } = this.#world;
    invariants.isAdding = true;
    const before = this.#rows();
    // Adding a row again also retries rows of its batch that ended without a video.
    const ended = before.filter(
      (row) => RETRIABLE.includes(row.state) && content.includes(messageIn(row.body)),
    );
    const rendersAgain = options.duplicates === 'render';
    this.#allowAnother(ended.filter((row) => rendersAgain || !this.#paidVideoOf(row)));
    await this.#world.ask((engine) =>
      engine.commands.batches.add({
        origin: this.#world.service.origin,
        source: { name, content },
        options,
      }),
    );
    this.#trackNewRows();
    invariants.isAdding = false;
    await this.#recordForecasts();
  }

  /** Tells the invariants about rows that are new in the database. */
  #trackNewRows(): void {
    const { invariants, services } = this.#world;
    for (const row of this.#world.queue.rows()) {
      if (this.#known.has(row.id)) continue;
      this.#known.add(row.id);
      const service = services.find(({ origin }) => origin === row.origin);
      if (!service) continue;
      // A video that is downloaded from another batch is not rendered again.
      if (row.remoteId !== null && row.attempts === 0) continue;
      const isKnown = invariants.account(service).wanted.has(row.body);
      if (row.attempts === 0 || !isKnown) invariants.addWanted(service, row);
      if (row.state === 'cancelled') {
        invariants.setWanted(service, row.body, false);
      }
    }
  }

  async #recordForecasts(): Promise<void> {
    const { invariants, service, time, computer, queue } = this.#world;
    const page = await this.#world.ask((engine) =>
      engine.commands.jobs.list({ offset: 0, limit: 1000 }),
    );
    const bodies = new Map(queue.rows(service.origin).map(({ id, body }) => [String(id), body]));
    const { renderMs, renderDeviation, linkAfterMs } = service.traits;
    for (const { id, state, forecast, submittedAt } of page?.jobs ?? []) {
      const body = bodies.get(id);
      if (state !== 'queued' || body === undefined || submittedAt !== null) continue;
      const trueTime = (at: number | null): number | null =>
        at === null ? null : at - computer.clockErrorMs;
      invariants.recordForecast(service, {
        body,
        madeAt: time.now,
        sendAt: trueTime(forecast.sendAt),
        savedAt: trueTime(forecast.savedAt),
        renderSlackMs: renderMs * (Math.exp(3 * renderDeviation) - 1) + linkAfterMs + MINUTE,
      });
    }
  }

  /** A random action of a user on some rows, or on the queue. */
  async doSomething(): Promise<void> {
    const { random, invariants } = this.#world;
    invariants.recordInterference();
    const acts: readonly (() => Promise<unknown>)[] = [
      () => this.hold(),
      () => this.release(),
      () => this.cancel(),
      () => this.retry(),
      () => this.rename(),
      () => this.addAgain(),
      () => this.prioritise(),
      () => this.edit(),
      () => this.pauseAndResume(),
      () => this.deleteFile(),
      () => this.stopBefore(),
    ];
    await random.pick(acts)();
  }

  async hold(): Promise<void> {
    const { invariants, service } = this.#world;
    const rows = this.#some(['queued']);
    if (rows.length === 0) return;
    this.#note('holds', rows);
    const changed = await this.#world.ask((engine) =>
      engine.commands.jobs.hold({ ids: idsOf(rows) }),
    );
    if (changed)
      for (const row of this.#now(rows, ['held'])) invariants.setWanted(service, row.body, false);
  }

  async release(): Promise<void> {
    const { invariants, service } = this.#world;
    const rows = this.#some(['held'], 20);
    if (rows.length === 0) return;
    this.#note('releases', rows);
    for (const { body } of rows) invariants.setWanted(service, body, true);
    await this.#world.ask((engine) => engine.commands.jobs.release({ ids: idsOf(rows) }));
  }

  async cancel(): Promise<void> {
    const { invariants, service } = this.#world;
    const rows = this.#some(['queued', 'held', 'rendering', 'ready']);
    if (rows.length === 0) return;
    this.#note('cancels', rows);
    const changed = await this.#world.ask((engine) =>
      engine.commands.jobs.cancel({ ids: idsOf(rows) }),
    );
    if (!changed) return;
    for (const row of this.#now(rows, ['cancelled']))
      invariants.setWanted(service, row.body, false);
  }

  async retry(states = RETRIABLE): Promise<void> {
    const { invariants, service } = this.#world;
    const rows = this.#some(states, 6);
    if (rows.length === 0) return;
    this.#note('retries', rows);
    // Retried rows keep their positions, which may be before queued rows.
    invariants.recordInterference();
    // A video that was paid for is downloaded again; it is paid for again only on request.
    const payAgain = this.#world.random.next() < 0.3;
    this.#allowAnother(
      rows.filter((row) => {
        const video = this.#paidVideoOf(row);
        const isGone = video !== undefined && !service.isKept(video, this.#world.time.now);
        // The engine does not know whether the service still has such a video; the user decides.
        const isUnknown = /"code":"(?:status-unknown|file-not-offered)"/.test(row.failure ?? '');
        return !video || ((isGone || isUnknown) && payAgain);
      }),
    );
    const taken = rows.filter(
      ({ onCollision, target }) => onCollision === 'skip' && target !== null && existsSync(target),
    );
    await this.#world.ask((engine) => engine.commands.jobs.retry({ ids: idsOf(rows), payAgain }));
    for (const { remoteId } of rows) invariants.retried(service, remoteId);
    for (const { title, target } of this.#now(taken, ['queued'])) {
      invariants.fail(`“${title}” is to be paid for, and its file would be skipped: ${target}`);
    }
    for (const row of this.#rows()) {
      if (row.state === 'cancelled') invariants.setWanted(service, row.body, false);
    }
  }

  async rename(): Promise<void> {
    const { random } = this.#world;
    const rows = this.#some(['done'], 8);
    if (rows.length === 0) return;
    this.#note('renames', rows);
    const nameTemplate = random.pick([
      '{title}.mp4',
      '{batch}/{title} {index}.mp4',
      'all/{title}.mp4',
    ]);
    await this.#world.ask((engine) =>
      engine.commands.files.rename({ ids: idsOf(rows), nameTemplate }),
    );
  }

  async prioritise(): Promise<void> {
    const rows = this.#some(['queued']);
    if (rows.length === 0) return;
    this.#note('moves up', rows);
    const priority = this.#world.random.integer(-1, 1);
    await this.#world.ask((engine) =>
      engine.commands.jobs.prioritise({ ids: idsOf(rows), priority }),
    );
  }

  async edit(): Promise<void> {
    const { invariants, service } = this.#world;
    const [row] = this.#some(['queued', 'held']);
    if (!row) return;
    this.#titles += 1;
    const request = {
      ...(JSON.parse(row.body) as Record<string, string>),
      edited: this.#titles,
    };
    const body = sortedJson(request);
    this.#note('edits', [row]);
    const isHeld = row.state === 'held';
    invariants.addWanted(service, { body, title: row.title });
    if (isHeld) invariants.setWanted(service, body, false);
    const job = await this.#world.ask((engine) =>
      engine.commands.jobs.edit({ id: String(row.id), template: request }),
    );
    const now = this.#rows().find(({ id }) => id === row.id);
    if (job || now?.body === body) invariants.removeWanted(service, row.body);
    else invariants.removeWanted(service, body);
  }

  async pauseAndResume(): Promise<void> {
    const { random } = this.#world;
    const what = random.pick(['sending', 'everything', 'transfers'] as const);
    const ms = random.between(1, 90) * MINUTE;
    this.#world.history.note(`pauses ${what} for ${Math.round(ms / MINUTE)} min`);
    if (what === 'transfers') {
      this.#world.areTransfersPaused = true;
      await this.#world.ask((engine) => engine.commands.transfers.pause({ origin: engine.origin }));
    } else {
      this.#world.paused = what;
      await this.#world.ask((engine) =>
        engine.commands.queue.pause({ origin: engine.origin, what }),
      );
    }
    await this.#world.pass(ms);
    await this.resume();
  }

  async resume(): Promise<void> {
    const { invariants, service } = this.#world;
    invariants.recordInterference();
    await this.#world.ask((engine) => engine.commands.queue.resume({ origin: engine.origin }));
    await this.#world.ask((engine) => engine.commands.transfers.resume({ origin: engine.origin }));
    this.#world.paused = 'no';
    this.#world.areTransfersPaused = false;
    invariants.resumed(service);
    invariants.excuse(service, 5000);
  }

  async stopBefore(): Promise<void> {
    const [row] = this.#some(['queued']);
    if (!row) return;
    this.#note('stops before', [row]);
    const id = String(row.id);
    if (
      !(await this.#world.ask((engine) =>
        engine.commands.queue.stopBefore({ origin: engine.origin, id }).then(() => true),
      ))
    )
      return;
    this.#world.stopBefore = row.id;
    await this.#world.pass(HOUR);
    await this.#world.ask((engine) =>
      engine.commands.queue.stopBefore({ origin: engine.origin, id: null }),
    );
    this.#world.stopBefore = null;
    await this.resume();
  }

  /** Deletes or damages a saved file, and downloads it again. */
  async deleteFile(): Promise<void> {
    const { random } = this.#world;
    const [row] = this.#some(['done']);
    if (!row?.filePath || !existsSync(row.filePath)) return;
    const isDamaged = random.next() < 0.5;
    this.#note(isDamaged ? 'damages the file of' : 'deletes the file of', [row]);
    if (isDamaged) appendFileSync(row.filePath, 'and more');
    else rmSync(row.filePath);
    await this.#world.ask(async (engine) => {
      const stop = new AbortController().signal;
      for await (const { checkedFiles } of await engine.commands.files.verify(
        { ids: [String(row.id)] },
        { signal: stop },
      )) {
        if (checkedFiles < 0) throw new Error('Fewer than none.');
      }
    });
    await this.#world.ask((engine) =>
      engine.commands.jobs.downloadAgain({ ids: [String(row.id)] }),
    );
  }

  /** Creates a file whose name a batch may need. */
  placeFile(): void {
    const { random, renders, history } = this.#world;
    mkdirSync(renders, { recursive: true });
    const file = path.join(renders, `Same ${random.integer(1, 3)}.mp4`);
    if (existsSync(file)) return;
    writeFileSync(file, 'not of Spool');
    history.note(`creates another file: ${path.basename(file)}`);
  }

  /** Checks the service's dashboard and decides about uncertain requests. */
  async resolve(): Promise<void> {
    const { random, invariants, service } = this.#world;
    for (const row of this.#rows().filter(({ state }) => state === 'uncertain')) {
      const taken = new Set(this.#rows().map(({ remoteId }) => remoteId));
      const sentAt = (row.lastAttemptAt ?? 0) - CLOCKS_DIFFER_MS;
      const video = service.byBody
        .get(row.body)
        ?.find(({ id, acceptedAt }) => !taken.has(id) && acceptedAt >= sentAt);
      const on = { id: String(row.id), attempts: row.attempts };
      if (video) {
        this.#note('finds made', [row]);
        const { id: remoteId } = video;
        const done = await this.#world.ask((engine) =>
          engine.commands.jobs.resolve({ ...on, as: 'accepted', remoteId }),
        );
        if (done) invariants.videoFound(service, row.body, video);
      } else if (random.next() < 0.8) {
        this.#note('sends again', [row]);
        invariants.allowAnother(service, row.body);
        await this.#world.ask((engine) => engine.commands.jobs.resolve({ ...on, as: 'resend' }));
      } else {
        this.#note('abandons', [row]);
        await this.#world.ask((engine) => engine.commands.jobs.resolve({ ...on, as: 'abandon' }));
      }
      invariants.resumed(service);
    }
  }

  /** Enters the number of videos that the dashboard shows. */
  async correctQuota(): Promise<void> {
    const { invariants, service, time, history } = this.#world;
    const used = service.usedAt(time.now);
    history.note(`enters that ${used} are used`);
    invariants.recordInterference();
    await this.#world.ask((engine) =>
      engine.commands.quota.correct({ origin: engine.origin, used }),
    );
    invariants.corrected(service, used);
  }

  /** Whether rows within the quota are active. */
  isWorking(): boolean {
    const { service, time } = this.#world;
    const isUsedUp = service.usedAt(time.now) >= service.limit;
    const counts = this.#world.queue.counts(service.origin);
    return ACTIVE_STATES.some((state) => counts.has(state) && (state !== 'queued' || !isUsedUp));
  }

  /**
   * Allows one more acceptance of each of these rows, in addition to unsent rows with the same
   * request.
   */
  #allowAnother(rows: readonly QueuedRow[]): void {
    const { invariants, service } = this.#world;
    const waiting = this.#rows().filter(({ state }) => UNSENT.includes(state));
    for (const [body, { length }] of Map.groupBy(rows, (row) => row.body)) {
      const others = waiting.filter((row) => row.body === body).length;
      invariants.allowAnother(service, body, length + others);
    }
  }

  /** A row's video that the service made and charged for. */
  #paidVideoOf({ remoteId }: QueuedRow): Video | undefined {
    const video = this.#world.service.videos.get(remoteId ?? '');
    return video?.fails === true ? undefined : video;
  }

  #rows(): readonly QueuedRow[] {
    return this.#world.queue.rows(this.#world.service.origin);
  }

  /** Some rows in one of these states, if there are any. */
  #some(states: readonly JobState[], max = 3): QueuedRow[] {
    const { random } = this.#world;
    const found = this.#rows().filter(({ state }) => states.includes(state));
    if (found.length === 0) return [];
    const from = random.integer(0, found.length - 1);
    return found.slice(from, from + random.integer(1, max));
  }

  /** The rows that are in one of these states now. */
  #now(rows: readonly QueuedRow[], states: readonly JobState[]): QueuedRow[] {
    const ids = new Set(rows.map(({ id }) => id));
    return this.#rows().filter(({ id, state }) => ids.has(id) && states.includes(state));
  }

  #note(what: string, rows: readonly QueuedRow[]): void {
    const named = rows.map(({ id, title, state }) => `${id} “${title}” (${state})`);
    this.#world.history.note(`${what} ${named.join(', ')}`);
  }
}

function idsOf(rows: readonly QueuedRow[]): string[] {
  return rows.map(({ id }) => String(id));
}
