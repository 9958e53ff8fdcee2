import type { Client } from '../contract/contract.ts';
import { openEngine, takeFolder, type Engine, type PlanOptions } from '../engine/engine.ts';
import type { InstanceLock } from '../engine/jobs/instance-lock.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import type { Profile } from '../engine/profile.ts';
import { systemClock } from '../engine/system-clock.ts';
import { bareComputer } from './computer.ts';
import { Gate } from './gate.ts';
import { noLog, type Log } from './log.ts';
import { profileHash, type Owner } from './owner-contract.ts';
import { openOwnerEndpoint, type OwnerEndpoint } from './owner-endpoint.ts';
import { clientInProcess, createRouter, type Router } from './router.ts';
import { linkService, newLocalKey, type ServiceChoice, type ServiceLink } from './service-link.ts';
import type { ServiceProgram } from './service-program.ts';
import { SettingsBook } from './settings/settings-book.ts';
import { SettingsDesk } from './settings/settings-desk.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { engineSettings, profileFor, serviceChoiceOf } from './settings/settings-in-use.ts';

export type { ServiceChoice } from './service-link.ts';

export interface HostOptions {
  /** Absolute path. */
  readonly dataDir: string;
  /** Which service renders in this run, whatever the settings say. */
  readonly service?: ServiceChoice | undefined;
  /** The account's plan in this run, at a service elsewhere, whatever the settings say. */
  readonly plan?: PlanOptions | undefined;
  /** Absolute path of the folder for files when neither a batch nor the settings name one. */
  readonly defaultFolder: string;
  readonly keys: KeyStore;
  readonly serviceProgram: ServiceProgram;
  /** How the service is asked and answers in this run, whatever the settings say. */
  readonly profile?: Profile | undefined;
  /**
   * Opens the queue to look at it only: the local service is not started, and with a key store that
   * is empty nothing can be sent.
   */
  readonly onlyLook?: boolean;
  /** This is the app that starts: the settings say whether its queue runs. Not when left out. */
  readonly isApp?: boolean;
  /** Called once no other process can own the folder any more, before a service is started. */
  readonly onOwned?: () => void;
  /** Where what happens is written down; nowhere when left out. */
  readonly log?: Log;
}

export interface Host {
  readonly client: Client;
  readonly router: Router;
  /** Resolves if the local service's process ends before the host is closed. */
  readonly serviceLost: Promise<void>;
  /** Stops at a safe point, the engine first. */
  close(): Promise<void>;
}

/** Puts together an engine, the service it speaks to and the contract by which a UI knows it. */
export async function openHost(options: HostOptions): Promise<Host> {
  const opened = new AsyncDisposableStack();
  try {
    // Before the service starts, until after it ended: of two at once, the second hears of the first.
    const lock = await takeFolder(options.dataDir);
    opened.defer(() => lock.release());
    options.onOwned?.();
    const book = new SettingsBook(new SettingsFile(options.dataDir, () => systemClock.now()));
    const choice = options.service ?? serviceChoiceOf(book.settings, options.plan);
    const link = await linkService(choice, options);
    const undoLink = opened.use(new AsyncDisposableStack());
    undoLink.defer(() => link.close());
    const engine = await openEngineFor(link, book, lock, options);
    const gate = new Gate();
    const desk = new SettingsDesk({
      ...{ book, engine, gate, link },
      overrides: { service: options.service, plan: options.plan, profile: options.profile },
      usualFolder: options.defaultFolder,
      connect: (other) => linkService(other, options),
      newLocalKey: (plan) => newLocalKey(plan, options),
    });
    // The desk may go over to another service, and closes whichever it has.
    undoLink.move();
    opened.defer(() => desk.close());
    opened.defer(() => engine.close());
    // Whichever process a page is in has a computer for it, and asks nobody else's.
    const { log = noLog } = options;
    const router = createRouter({ engine, computer: bareComputer, log, desk, gate });
    // Whoever only looks sends nothing: a second one that wants to waits for its end instead.
    const endpoint = options.onlyLook ? null : await endpointOf(desk, router, options);
    opened.defer(() => endpoint?.close());
    const closing = opened.move();
    return {
      router,
      client: clientInProcess(router),
      serviceLost: desk.serviceLost,
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Which engine this is, for a second process that would like to work with it. */
function ownerOf({ profileView }: SettingsDesk): Owner {
  const { origin, profile, canChange } = profileView;
  return {
    protocol: 1,
    pid: process.pid,
    service: canChange ? origin : 'local',
    profile: profileHash(profile),
  };
}

/** `null` where the system has no room for one: the queue works without. */
async function endpointOf(
  desk: SettingsDesk,
  router: Router,
  { dataDir, log }: HostOptions,
): Promise<OwnerEndpoint | null> {
  const warn = (message: string, error: unknown): void => log?.logger.warn({ err: error }, message);
  try {
    return await openOwnerEndpoint({
      dataDir,
      router,
      owner: () => ownerOf(desk),
      onDefect: (error) => warn('A call from another process met a defect.', error),
    });
  } catch (error) {
    warn('Other processes cannot work with this one.', error);
    return null;
  }
}

function openEngineFor(
  { choice, service, plan }: ServiceLink,
  book: SettingsBook,
  lock: InstanceLock,
  options: HostOptions,
): Promise<Engine> {
  const { dataDir, defaultFolder, keys, log } = options;
  const { settings } = book;
  const profile = options.profile ?? profileFor(choice, book.profiles);
  return openEngine({
    dataDir,
    lock,
    service: { ...service, ...(profile ? { profile } : {}) },
    plan: choice.kind === 'remote' ? (options.plan ?? plan) : plan,
    ...engineSettings(settings, defaultFolder),
    startUp: options.isApp ? settings.startUp : 'as-last-time',
    keys,
    clock: systemClock,
    random: Math.random,
    makePoster: async (video) => (await import('./video-poster.ts')).makePoster(video),
    ...(log ? { logger: log.logger } : {}),
  });
}
