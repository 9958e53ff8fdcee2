import type { Client } from '../contract/contract.ts';
import type { Settings } from '../contract/settings.ts';
import { EngineError, FolderUnusableError } from '../engine/engine-error.ts';
import { openEngine, type Engine, type PlanOptions } from '../engine/engine.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import { InstanceLock } from '../engine/jobs/instance-lock.ts';
import { makeFolder } from '../engine/make-folder.ts';
import type { Profile } from '../engine/profile.ts';
import { systemClock } from '../engine/system-clock.ts';
import { bareComputer, type Computer } from './computer.ts';
import { Gate } from './gate.ts';
import { noLog, type Log } from './log.ts';
import { clientInProcess, createRouter, type Router } from './router.ts';
import { linkService, newLocalKey, type ServiceChoice, type ServiceLink } from './service-link.ts';
import type { ServiceProgram } from './service-program.ts';
import { SettingsBook } from './settings/settings-book.ts';
import { profileFor, SettingsDesk } from './settings/settings-desk.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { engineSettings, serviceChoiceOf } from './settings/settings-in-use.ts';

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
  /** What the page may ask of the computer; nothing when left out. */
  readonly computer?: Computer;
  /** Where what happens is written down; nowhere when left out. */
  readonly log?: Log;
}

export interface Host {
  readonly client: Client;
  readonly router: Router;
  readonly settings: {
    readonly current: Settings;
    /** Calls `tell` after every change. Returns what ends that. */
    onChange(tell: (settings: Settings) => void): () => void;
  };
  /** Resolves if the local service's process ends before the host is closed. */
  readonly serviceLost: Promise<void>;
  /** Stops at a safe point, the engine first. */
  close(): Promise<void>;
}

/** Puts together an engine, the service it speaks to and the contract by which a UI knows it. */
export async function openHost(options: HostOptions): Promise<Host> {
  await assertFree(options.dataDir);
  const book = new SettingsBook(new SettingsFile(options.dataDir, () => systemClock.now()));
  const choice = options.service ?? serviceChoiceOf(book.settings, options.plan);
  const link = await linkService(choice, options);
  let engine: Engine;
  try {
    engine = await openEngineFor(link, book, options);
  } catch (error) {
    await link.close();
    throw error;
  }
  const gate = new Gate();
  const desk = new SettingsDesk({
    ...{ book, engine, gate, link },
    overrides: { service: options.service, plan: options.plan, profile: options.profile },
    usualFolder: options.defaultFolder,
    connect: (other) => linkService(other, options),
    newLocalKey: (plan) => newLocalKey(plan, options),
  });
  const { computer = bareComputer, log = noLog } = options;
  const router = createRouter({ engine, computer, log, desk, gate });
  return {
    router,
    client: clientInProcess(router),
    settings: {
      get current() {
        return book.settings;
      },
      onChange: (tell) => book.onChange(tell),
    },
    serviceLost: desk.serviceLost,
    async close() {
      await engine.close();
      await desk.close();
    },
  };
}

/**
 * The engine takes this lock for itself, once its service is there. Asked for before, so that whoever
 * finds Spool running is told that, and not that its local service is.
 */
async function assertFree(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    InstanceLock.take(dataDir, process.pid).release();
  } catch (error) {
    throw error instanceof EngineError ? error : new FolderUnusableError(dataDir, error);
  }
}

function openEngineFor(
  { choice, service, plan }: ServiceLink,
  book: SettingsBook,
  options: HostOptions,
): Promise<Engine> {
  const { dataDir, defaultFolder, keys, log } = options;
  const { settings } = book;
  const profile = options.profile ?? profileFor(choice, book.profiles);
  return openEngine({
    dataDir,
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
