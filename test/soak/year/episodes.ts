import { CONNECTION_FAILURES } from './network.ts';
import type { ModelRequest, Trouble } from './model-service.ts';
import { SimulatedUser } from './simulated-user.ts';
import type { World } from './world.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The kinds of a user's sessions; repeated ones are more likely. */
export const EPISODES = [
  ...(['calm', 'calm', 'calm', 'busy', 'busy', 'names', 'offline', 'service-down'] as const),
  ...(['generate-down', 'status-down', 'links-down', 'one-video', 'two-videos'] as const),
  ...(['link-not-ready', 'file-server', 'disk-full', 'data-disk-full', 'backup-blocked'] as const),
  ...(['keychain-locked', 'key-revoked', 'clock-wrong', 'clock-corrected', 'shared'] as const),
  ...(['studio', 'sleep', 'restarts', 'other-service', 'plan-changed', 'lost-answers'] as const),
] as const;

export type EpisodeKind = (typeof EPISODES)[number] | 'boundary' | 'clock-change';

/** The user's actions in a year, one episode after another. */
export class Episodes {
  readonly #world: World;
  readonly #user: SimulatedUser;

  constructor(world: World) {
    this.#world = world;
    this.#user = new SimulatedUser(world);
  }

  /** The first day: the user enters the key. */
  async begin(): Promise<void> {
    await this.#world.open();
    await this.#world.enterKey();
    this.#world.invariants.recordInterference();
  }

  async run(kind: EpisodeKind, startAt: number): Promise<void> {
    const { world } = { world: this.#world };
    if (world.time.now < startAt) await world.until(startAt);
    await this.#return(kind);
    world.history.note(`— ${kind} at ${world.service.origin}`);
    await this.#runKind(kind);
    await this.#finish();
    this.#leave();
  }

  /** The user returns: the computer wakes, or the user starts the program. */
  async #return(kind: EpisodeKind): Promise<void> {
    const { computer, random, network, invariants, keychain, history } = this.#world;
    invariants.recordInterference();
    const wasAsleep = computer.state === 'asleep';
    computer.state = 'awake';
    if (kind === 'keychain-locked' && this.#world.isOpen) await this.#world.close();
    keychain.trouble = kind === 'keychain-locked' ? random.pick(['locked', 'hang']) : 'none';
    if (wasAsleep || random.next() < 0.3) {
      // Names are not resolved for a while after the network connects.
      network.failure = 'ENOTFOUND';
      this.#reconnectIn(random.between(1, 20) * SECOND);
    }
    if (!this.#world.isOpen) {
      history.note('starts the program');
      await this.#world.open();
    } else if (wasAsleep && random.next() < 0.7) {
      await this.#world.ask((engine) => engine.commands.service.tryNow());
    }
    invariants.excuse(this.#world.service, 90 * SECOND);
    // Clocks drift by seconds a month.
    computer.clockErrorMs += Math.round(random.between(-400, 400));
  }

  async #runKind(kind: EpisodeKind): Promise<void> {
    const { random, network, computer, service, invariants, files } = this.#world;
    const user = this.#user;
    switch (kind) {
      case 'calm':
        await user.add(this.#rows());
        await this.#untilIdle(30 * HOUR);
        return;
      case 'busy':
        await user.add(this.#rows(), { unlucky: 0.2, unacceptable: 0.1, sameTitle: 0 });
        for (let acts = random.integer(4, 12); acts > 0; acts -= 1) {
          await this.#world.pass(random.between(0.2, 25) * MINUTE);
          await user.doSomething();
        }
        return;
      case 'names':
        for (let batches = random.integer(2, 4); batches > 0; batches -= 1) {
          if (random.next() < 0.4) user.placeFile();
          await user.add(random.integer(2, 5), { unlucky: 0.1, unacceptable: 0, sameTitle: 0.8 });
          await this.#world.pass(random.between(1, 60) * MINUTE);
          if (random.next() < 0.6) await user.addAgain();
          if (random.next() < 0.5) await user.retry();
          if (random.next() < 0.5) await user.rename();
          if (random.next() < 0.4) user.placeFile();
        }
        return;
      case 'offline':
        await user.add(this.#rows());
        await this.#world.pass(random.between(0, 30) * MINUTE);
        network.failure = random.pick(CONNECTION_FAILURES);
        invariants.recordInterference(`offline: ${network.failure}`);
        if (random.next() < 0.5) await user.add(3);
        await this.#world.pass(random.between(0.1, 8) * HOUR);
        network.failure = null;
        invariants.recordInterference('online');
        return;
      case 'service-down':
        await this.#withTrouble('all endpoints fail', () => true, random.next() < 0.2);
        return;
      case 'generate-down':
        await this.#withTrouble('generate fails', isTo('generate'), random.next() < 0.5);
        return;
      case 'status-down':
        await this.#withTrouble('status fails', isTo('status'), false);
        return;
      case 'links-down':
        await this.#withTrouble('links fail', isTo('download'), false);
        return;
      case 'one-video':
        await this.#withBrokenVideos(1);
        return;
      case 'two-videos':
        await this.#withBrokenVideos(2);
        return;
      case 'link-not-ready':
        await this.#withUnreadyVideo();
        return;
      case 'file-server':
        await user.add(this.#rows());
        await this.#world.pass(random.between(0, 10) * MINUTE);
        files.state = random.pick(['busy', 'unreachable', 'damages']);
        invariants.recordInterference(`the file server is ${files.state}`);
        await this.#world.pass(random.between(0.2, 5) * HOUR);
        files.state = 'up';
        invariants.recordInterference('the file server is up');
        // A video that arrived damaged has failed, although it was paid for and exists.
        await user.retry(['failed']);
        return;
      case 'disk-full':
        await user.add(this.#rows());
        await this.#world.pass(random.between(0, 10) * MINUTE);
        if (random.next() < 0.6) files.disk.isFull = true;
        else files.disk.isWritable = false;
        invariants.recordInterference('the disk of the videos takes nothing');
        await this.#world.pass(random.between(0.2, 6) * HOUR);
        this.#endFaults();
        return;
      case 'data-disk-full':
        await user.add(this.#rows());
        await this.#world.pass(random.between(0, 40) * MINUTE);
        computer.isDataDiskFull = true;
        invariants.recordInterference('the disk of the queue is full');
        await this.#world.pass(random.between(0.02, 3) * HOUR);
        computer.isDataDiskFull = false;
        invariants.excuse(service, MINUTE);
        invariants.recordInterference('the disk of the queue has room');
        return;
      case 'backup-blocked':
        await this.#withBlockedBackups();
        return;
      case 'keychain-locked':
        await user.add(3);
        await this.#world.pass(random.between(1, 60) * MINUTE);
        this.#world.keychain.trouble = 'none';
        await this.#unlock();
        await user.add(2);
        return;
      case 'key-revoked':
        await user.add(this.#rows());
        await this.#world.pass(random.between(0, 30) * MINUTE);
        service.replaceKey();
        invariants.recordInterference('the key is revoked');
        await this.#world.pass(random.between(0.1, 5) * HOUR);
        await this.#world.enterKey();
        return;
      case 'clock-wrong':
      case 'clock-corrected':
        await this.#withClock(kind);
        return;
      case 'shared':
        await this.#shared();
        return;
      case 'studio':
        service.useQuota(this.#world.time.now, random.integer(1, Math.ceil(service.limit * 0.9)));
        invariants.recordInterference('the studio makes videos');
        if (random.next() < 0.5) await user.correctQuota();
        await user.add(this.#rows());
        await this.#world.pass(random.between(0.1, 5) * HOUR);
        await user.correctQuota();
        return;
      case 'sleep':
        await this.#sleepBetween();
        return;
      case 'restarts':
        await this.#restarts();
        return;
      case 'other-service':
        await user.add(this.#rows());
        await this.#world.pass(random.between(0, 2) * HOUR);
        await this.#changeService();
        await user.add(random.integer(1, 4));
        await this.#world.pass(random.between(0, 2) * HOUR);
        if (random.next() < 0.7) await this.#changeService();
        return;
      case 'plan-changed':
        await this.#changePlan();
        return;
      case 'lost-answers':
        await this.#loseAnswers();
        return;
      case 'boundary':
        await this.#crossBoundary();
        return;
      case 'clock-change':
        await this.#changeClocks();
    }
  }

  /** As many rows as a user adds at once; sometimes they use up a quota. */
  #rows(): number {
    const { random, service } = this.#world;
    return Math.max(1, Math.min(random.integer(1, 14), Math.ceil(service.limit / 2)));
  }

  async #withTrouble(
    name: string,
    applies: (request: ModelRequest) => boolean,
    executes: boolean,
  ): Promise<void> {
    const { random, invariants, service } = this.#world;
    await this.#user.add(this.#rows());
    await this.#world.pass(random.between(0, 20) * MINUTE);
    const trouble = this.#trouble(name, applies, executes, Infinity);
    service.troubles.add(trouble);
    invariants.recordInterference(`${name}: ${JSON.stringify(trouble.answer)}`);
    await this.#world.pass(random.logBetween(2 * MINUTE, 8 * HOUR));
    service.troubles.delete(trouble);
    // Endpoints with an outage are tried again after ten minutes at most.
    invariants.excuse(service, 11 * MINUTE);
    invariants.recordInterference(`${name} no more`);
  }

  #trouble(
    name: string,
    applies: (request: ModelRequest) => boolean,
    executes: boolean,
    times: number,
  ): Trouble {
    const { random } = this.#world;
    const answer = random.pick([
      { status: 500, body: '{"success":false,"message":"Oh.","code":"INTERNAL"}' },
      { status: 502, body: '<html>Bad gateway</html>' },
      { status: 503, body: '' },
      'silence' as const,
      'reset' as const,
    ]);
    return { name, applies, executes, answer, times };
  }

  /** Other videos must not wait for these. */
  async #withBrokenVideos(count: number): Promise<void> {
    const { random, invariants, service } = this.#world;
    const broken = this.#nextVideos(count);
    const to = random.pick(['status', 'download', 'both'] as const);
    const answer = random.pick([
      { status: 500, body: '{"success":false,"message":"Oh.","code":"INTERNAL"}' },
      { status: 403, body: '{"success":false,"message":"Not this one.","code":"FORBIDDEN"}' },
      { status: 400, body: '{"success":false,"message":"Not this one.","code":"BAD"}' },
      { status: 200, body: '{"success":true}' },
    ]);
    const trouble: Trouble = {
      name: 'broken videos',
      applies: (request) => (to === 'both' || request.to === to) && broken(request.id),
      executes: true,
      answer,
      times: Infinity,
    };
    service.troubles.add(trouble);
    invariants.recordInterference(`${count} broken (${to}, ${answer.status})`);
    await this.#user.add(Math.max(count + 2, this.#rows()));
    await this.#world.pass(random.between(0.5, 12) * HOUR);
    if (random.next() < 0.5) await this.#user.add(3);
    await this.#world.pass(random.between(0.2, 3) * HOUR);
    service.troubles.delete(trouble);
    invariants.recordInterference('broken no more');
  }

  /** The service says “done” but has no link for hours. */
  async #withUnreadyVideo(): Promise<void> {
    const { random, invariants, service } = this.#world;
    const unready = this.#nextVideos(1);
    const trouble: Trouble = {
      name: 'no link yet',
      applies: ({ to, id }) => to === 'download' && unready(id),
      executes: true,
      answer:
        random.next() < 0.5
          ? { status: 409, body: '{"success":false,"message":"Not yet.","code":"NOT_READY"}' }
          : { status: 200, body: '{"downloadUrl":null}' },
      times: Infinity,
    };
    service.troubles.add(trouble);
    invariants.recordInterference('a video has no link yet');
    await this.#user.add(Math.max(3, this.#rows()));
    await this.#world.pass(random.between(1, 9) * HOUR);
    await this.#user.add(2);
    service.troubles.delete(trouble);
    invariants.recordInterference('it has one');
  }

  /** A folder of another program blocks the backup's path. */
  async #withBlockedBackups(): Promise<void> {
    const { random, history } = this.#world;
    this.#world.blockBackups(true);
    history.note('no backup can be written');
    await this.#user.add(this.#rows());
    await this.#world.pass(random.between(0, 30) * MINUTE);
    if (random.next() < 0.7) {
      await this.#changeService();
      await this.#user.add(2);
      await this.#world.pass(random.between(1, 60) * MINUTE);
      await this.#changeService();
    } else {
      await this.#world.close();
      await this.#world.open();
    }
    await this.#world.pass(30 * MINUTE);
    this.#world.blockBackups(false);
    history.note('backups can be written');
  }

  async #withClock(kind: 'clock-wrong' | 'clock-corrected'): Promise<void> {
    const { random, computer, invariants, history } = this.#world;
    const wrongMs =
      kind === 'clock-corrected'
        ? Math.round(random.between(-800, 800))
        : Math.round(random.pick([-1, 1]) * random.logBetween(2 * SECOND, 20 * HOUR));
    const isOpen = random.next() < 0.6;
    const set = (): void => {
      computer.clockErrorMs = wrongMs;
      invariants.recordInterference(`the clock is ${Math.round(wrongMs / SECOND)} s ahead`);
    };
    await this.#user.add(this.#rows());
    await this.#world.pass(random.between(0, 90) * MINUTE);
    if (isOpen) set();
    else {
      await this.#world.close();
      set();
      history.note('starts the program');
      await this.#world.open();
    }
    await this.#user.add(2);
    await this.#untilIdle(20 * HOUR);
    if (random.next() < 0.5) {
      computer.clockErrorMs = 0;
      invariants.recordInterference('the clock is right');
    }
  }

  /** Other clients use the same key. */
  async #shared(): Promise<void> {
    const { random, invariants, service, time } = this.#world;
    const endAt = time.now + random.between(2, 8) * HOUR;
    const gapMs = random.between(3, 20) * MINUTE;
    const ask = (): void => {
      if (time.now > endAt) return;
      service.requestAsOther('generate', time.now);
      if (random.next() < 0.5) service.requestAsOther('status', time.now);
      if (random.next() < 0.5) service.requestAsOther('download', time.now);
      time.in(random.exponential(gapMs), ask);
    };
    ask();
    // Others have used part of the limit when rows are added, so that requests become possible
    // again that this computer never sent.
    await this.#world.pass(random.between(0, 90) * MINUTE);
    await this.#user.add(this.#rows() + 4);
    // A forecast cannot know what others used, and will use.
    invariants.recordInterference('others share the key');
    await this.#world.until(endAt);
    await this.#world.pass(HOUR);
    invariants.recordInterference('they are gone');
  }

  async #sleepBetween(): Promise<void> {
    const { random, computer, network, invariants, service } = this.#world;
    await this.#user.add(this.#rows());
    for (let times = random.integer(1, 3); times > 0; times -= 1) {
      await this.#world.pass(random.between(0, 40) * MINUTE);
      if (random.next() < 0.6)
        await this.#world.ask((engine) => engine.commands.service.fallAsleep());
      invariants.recordInterference('the computer sleeps');
      network.breakAfter(random.between(1, 30) * SECOND);
      computer.state = 'asleep';
      await this.#world.pass(random.logBetween(MINUTE, 14 * HOUR));
      computer.state = 'awake';
      invariants.recordInterference('the computer wakes');
      network.breakAfter(random.between(1, 30) * SECOND);
      network.failure = 'EAI_AGAIN';
      this.#reconnectIn(random.between(1, 15) * SECOND);
      invariants.excuse(service, 90 * SECOND);
      if (random.next() < 0.7) await this.#world.ask((engine) => engine.commands.service.tryNow());
    }
  }

  async #restarts(): Promise<void> {
    const { random, invariants, history } = this.#world;
    await this.#user.add(this.#rows());
    for (let times = random.integer(1, 5); times > 0; times -= 1) {
      const ms = random.logBetween(100, 30 * MINUTE);
      switch (random.pick(['close', 'kill', 'kill at a commit'] as const)) {
        case 'close':
          await this.#world.pass(ms);
          history.note('closes and starts again');
          invariants.recordInterference();
          await this.#world.close();
          await this.#world.open();
          break;
        case 'kill':
          await this.#world.pass(ms);
          await this.#world.kill();
          break;
        case 'kill at a commit':
          this.#world.process.killAtCommit(random.integer(1, 12), random.pick(['before', 'after']));
          await this.#world.pass(ms);
      }
    }
  }

  /**
   * The user changes the plan at the service, and corrects the setting in Spool some time later.
   */
  async #changePlan(): Promise<void> {
    const { random, invariants, service } = this.#world;
    await this.#user.add(this.#rows());
    await this.#world.pass(random.between(0, HOUR));
    const plans = ['free', 'starter', 'creator', 'pro', 'business'] as const;
    service.plan = plans[Math.min(4, plans.indexOf(service.plan) + 1)] ?? service.plan;
    invariants.recordInterference(`the plan is ${service.plan} now`);
    await this.#world.pass(random.between(0, 3) * HOUR);
    await this.#world.enterPlan();
    await this.#user.add(3);
    await this.#world.pass(HOUR);
    // Changed back, so that the plan is the same for the whole year.
    if (service.usedAt(this.#world.time.now) < service.limit) {
      service.plan = service.traits.plan;
      await this.#world.enterPlan();
      invariants.recordInterference(`the plan is ${service.plan} again`);
    }
  }

  /** Responses to some requests for videos are lost, or come from another server. */
  async #loseAnswers(): Promise<void> {
    const { random, service } = this.#world;
    const answer = random.pick([
      ...(['silence', 'reset', 'cut'] as const),
      { status: 504, body: '' },
      { status: 200, body: '<html>Welcome to our hotel</html>' },
      { status: 408, body: '' },
    ]);
    service.troubles.add({
      name: 'lost answers',
      applies: isTo('generate'),
      executes: random.next() < 0.6,
      answer,
      times: random.integer(1, 3),
    });
    await this.#user.add(this.#rows());
    await this.#world.pass(random.between(1, 4) * HOUR);
  }

  /** Adds more rows than the quota allows; the computer is awake when the next cycle begins. */
  async #crossBoundary(): Promise<void> {
    const { random, service, time, invariants, history } = this.#world;
    const { end } = service.cycleAt(time.now);
    const left = service.limit - service.usedAt(time.now);
    if (left > 12) {
      service.useQuota(time.now, left - random.integer(0, 6));
      invariants.recordInterference('the studio makes videos');
      if (random.next() < 0.7) await this.#user.correctQuota();
    }
    await this.#user.add(
      Math.max(1, service.limit - service.usedAt(time.now)) + random.integer(1, 5),
    );
    const shown = (await this.#world.ask((engine) => Promise.resolve(engine.summary())))?.quota
      ?.resetAt;
    const expected = service.resetShownAt(time.now);
    if (shown !== expected && end - time.now > 2 * MINUTE) {
      const iso = (at: number): string => new Date(at).toISOString();
      invariants.fail(`The quota resets at ${iso(expected)}, and ${iso(shown ?? 0)} is shown.`);
    }
    await this.#untilIdle(Math.max(0, end - time.now - 5 * MINUTE));
    if (end - time.now > 2 * HOUR) {
      history.note('is throttled until the cycle ends');
      invariants.recordInterference();
      this.#world.computer.state = 'throttled';
      await this.#world.until(end - 30 * MINUTE);
      this.#world.computer.state = 'awake';
      invariants.recordInterference();
      invariants.excuse(service, 90 * SECOND);
    }
    if (random.next() < 0.4) {
      this.#world.computer.clockErrorMs = Math.round(
        random.pick([-1, 1]) * random.logBetween(500, 90 * SECOND),
      );
      invariants.recordInterference(`the clock is ${this.#world.computer.clockErrorMs} ms ahead`);
    }
    await this.#world.until(end + 20 * MINUTE);
  }

  /** Summer time begins or ends, and a dual-boot computer has the wrong time for hours. */
  async #changeClocks(): Promise<void> {
    const { random, computer, invariants } = this.#world;
    await this.#user.add(this.#rows());
    await this.#world.pass(random.between(0, HOUR));
    const before = computer.clockErrorMs;
    computer.clockErrorMs = before + random.pick([-1, 1]) * HOUR;
    invariants.recordInterference('the clock is an hour wrong');
    await this.#user.add(2);
    await this.#world.pass(random.between(0.2, 6) * HOUR);
    computer.clockErrorMs = before;
    invariants.recordInterference('the clock is right again');
  }

  async #changeService(): Promise<void> {
    const { invariants, history } = this.#world;
    invariants.recordInterference();
    if (!(await this.#world.changeService())) return;
    history.note(`goes over to ${this.#world.service.origin}`);
    if (!invariants.account(this.#world.service).hasKey) await this.#world.enterKey();
  }

  async #unlock(): Promise<void> {
    const { history } = this.#world;
    history.note('unlocks the keychain');
    await this.#world.enterKey();
  }

  /**
   * Ends all faults, and makes all of the user's decisions, so that all rows reach a final state.
   */
  async #finish(): Promise<void> {
    const { random, service, invariants } = this.#world;
    this.#endFaults();
    if (!invariants.account(service).hasKey) await this.#world.enterKey();
    await this.#untilIdle(20 * HOUR);
    await this.#user.resolve();
    await this.#user.release();
    if (random.next() < 0.6) await this.#user.retry();
    await this.#untilIdle(20 * HOUR);
    await this.#user.resolve();
    await this.#untilIdle(20 * HOUR);
    this.#world.checkFiles();
    this.#world.checkAttempts();
  }

  #endFaults(): void {
    const { network, files, computer, service, keychain, invariants } = this.#world;
    const wasHealthy =
      network.failure === null &&
      files.state === 'up' &&
      !files.disk.isFull &&
      files.disk.isWritable;
    network.failure = null;
    files.state = 'up';
    files.disk.isFull = false;
    files.disk.isWritable = true;
    computer.isDataDiskFull = false;
    service.troubles.clear();
    keychain.trouble = 'none';
    if (!wasHealthy) invariants.recordInterference('all is well');
  }

  #reconnectIn(ms: number): void {
    const { time, network, invariants } = this.#world;
    time.in(ms, () => {
      network.failure = null;
      invariants.recordInterference();
    });
  }

  /** The computer sleeps, is throttled or is switched off until the next session. */
  #leave(): void {
    const { random, computer, history } = this.#world;
    computer.state = random.pick(['asleep', 'asleep', 'throttled'] as const);
    history.note(`leaves the computer ${computer.state}`);
  }

  async #untilIdle(maxMs: number): Promise<void> {
    await this.#passUntil(maxMs, () => !this.#user.isWorking());
  }

  async #passUntil(maxMs: number, condition: () => boolean): Promise<void> {
    const { time } = this.#world;
    const end = time.now + maxMs;
    while (time.now < end && !condition())
      await this.#world.pass(Math.min(5 * MINUTE, end - time.now));
  }

  /**
   * Matches the first `count` videos that are accepted from now on and whose status is requested.
   */
  #nextVideos(count: number): (id: string | null) => boolean {
    const { service, time } = this.#world;
    const since = time.now;
    const found = new Set<string>();
    return (id) => {
      const video = service.videos.get(id ?? '');
      if (!video || video.fails || video.acceptedAt < since) return false;
      if (found.size < count) found.add(video.id);
      return found.has(video.id);
    };
  }
}

function isTo(endpoint: ModelRequest['to']): (request: ModelRequest) => boolean {
  return ({ to }) => to === endpoint;
}

/**
 * Schedules the events of a year.
 * @param boundaries first moments of billing cycles in it
 * @param kinds the kinds of the other episodes
 */
export function planYear(
  startAt: number,
  boundaries: readonly number[],
  clockChanges: readonly number[],
  random: World['random'],
  count: number,
  kinds: readonly EpisodeKind[] = EPISODES,
): { readonly at: number; readonly kind: EpisodeKind }[] {
  const episodes: { at: number; kind: EpisodeKind }[] = [];
  for (const at of boundaries) {
    if (random.next() < 0.6)
      episodes.push({ at: at - random.between(1, 30) * HOUR, kind: 'boundary' });
  }
  for (const at of clockChanges) episodes.push({ at: at - HOUR, kind: 'clock-change' });
  while (episodes.length < count) {
    episodes.push({ at: startAt + random.between(0, 364) * DAY, kind: random.pick(kinds) });
  }
  return episodes.filter(({ at }) => at > startAt).toSorted((a, b) => a.at - b.at);
}
