import { serviceIdOf } from '../../contract/service-id.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { KEY_PREFIX } from '../../contract/key-text.ts';
import { isDocumentedService } from '../../contract/service-cost.ts';
import type { KeyEntered } from '../../contract/summary.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import {
  DiskFullError,
  FolderUnusableError,
  InUseError,
  NotPossibleNowError,
} from '../../engine/engine-error.ts';
import { takeFolder } from '../../engine/engine.ts';
import { KeyNotes } from '../../engine/keys/key-notes.ts';
import { openKeyStore, type KeyStore } from '../../engine/keys/key-store.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { localOrigin } from '../../host/local-port.ts';
import { localFolder } from '../../host/service-link.ts';
import { joinPrimary, NoSessionError, type PrimaryConnection } from '../../host/join-primary.ts';
import type { CommandContext } from '../command-context.ts';
import { namedService } from '../named-service.ts';
import { profileOfOrigin } from '../queue-settings.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { PRIMARY_TIMEOUT_MS, RETRY_INTERVAL_MS } from '../open-queue.ts';
import { readSecret } from '../read-secret.ts';
import { writeEvent } from '../write-event.ts';

export interface KeyOptions {
  /** The service that the key is for: its address, or a built-in one's name. */
  readonly service: string;
  readonly dataDir: string;
  readonly label?: string;
  readonly json?: boolean;
}

interface KeySettings {
  readonly origin: string;
  readonly dataDir: string;
  readonly label?: string;
  readonly json?: boolean;
}

/** @throws {EngineError} for a name that no service has */
function settingsOf({ service, ...rest }: KeyOptions): KeySettings {
  const baseUrl = service.includes(':') ? service : namedService(service).baseUrl;
  return { ...rest, origin: serviceIdOf(baseUrl) };
}

/** What is wrong with an entered key; `null` if it can be a key of its service. */
function keyError(key: string | null, { origin, dataDir }: KeySettings): string | null {
  const { api } = profileOfOrigin(origin, dataDir);
  if (api !== undefined && !isDocumentedService(api)) {
    const isOneWord = key !== null && /^\S+$/.test(key);
    return isOneWord ? null : 'That is not an API key: a key has no spaces.';
  }
  const isKey = key?.startsWith(KEY_PREFIX) === true && !/\s/.test(key);
  return isKey
    ? null
    : `That is not an API key: a key begins with ${KEY_PREFIX} and has no spaces.`;
}

const VISIBLE_CHARACTERS = 4;

/**
 * Stores a service's key in the system's keychain. The key is typed without echo or read from a
 * pipe.
 */
export async function setKey(options: KeyOptions, context: CommandContext): Promise<ExitCode> {
  const settings = settingsOf(options);
  const { origin, dataDir, label = null } = settings;
  const { stdin, stderr } = context;
  if (origin === localOrigin(localFolder(dataDir))) {
    throw new NotPossibleNowError(userMessage('key-of-this-computer'));
  }
  // Opened before asking for the key, so that an error comes before the user types it.
  const store = await openKeyStore({ clock: systemClock });
  if (store.reason !== null && !(await withPrimary(settings, context, isPrimary)))
    return refuseKey(store.reason, context);
  const key = await readSecret(`API key for ${origin} (not shown): `, stdin, stderr);
  const error = keyError(key, settings);
  if (key === null || error !== null) {
    stderr.write(`${error}\n`);
    return EXIT.usage;
  }
  if (label?.includes(key)) {
    stderr.write('That is a key. A label is shown on screen; a key never is.\n');
    return EXIT.usage;
  }
  return saveKey(key, settings, store, context);
}

/**
 * Stores a key in the keychain, or in the running Spool, which asks its service about it.
 * @param store the system's keychain
 */
export function saveKey(
  key: string,
  settings: KeySettings,
  store: Pick<KeyStore, 'set' | 'reason'>,
  context: CommandContext,
): Promise<ExitCode> {
  const { origin, dataDir, label = null } = settings;
  const report = reporterOf(settings, context);
  // Another Spool may have started or ended while the key was typed.
  return withPrimary(settings, context, async (primary) => {
    if (primary !== null)
      return reportPrimary(
        await primary.client.key.set({ origin, value: key, label }),
        report,
        context,
      );
    if (store.reason !== null) return refuseKey(store.reason, context);
    await store.set(origin, key);
    new KeyNotes(dataDir).write(origin, { since: context.now(), label });
    const lastFour = key.slice(-VISIBLE_CHARACTERS);
    report(
      { origin, lastFour, label },
      `The key ${named(lastFour, label)} is saved for ${origin}.`,
    );
    return EXIT.allSaved;
  });
}

/** Says why the keychain cannot store a key. */
export function refuseKey({ message }: UserMessage, { stderr }: CommandContext): ExitCode {
  stderr.write(`${message} Set SPOOL_API_KEY for each run instead.\n`);
  return EXIT.someFailed;
}

/** Shows which key is stored for a service, by its label and last characters. */
export async function showKey(options: KeyOptions, context: CommandContext): Promise<ExitCode> {
  const { origin, dataDir } = settingsOf(options);
  const store = await openKeyStore({ clock: systemClock });
  const key = await store.get(origin);
  const { label } = new KeyNotes(dataDir).read(origin);
  const words =
    key === null
      ? (store.reason?.message ?? `No key is saved for ${origin}.`)
      : `A key ${named(key.slice(-VISIBLE_CHARACTERS), label)} is saved for ${origin}.`;
  const lastFour = key?.slice(-VISIBLE_CHARACTERS) ?? null;
  reporterOf(options, context)({ origin, lastFour, label }, words);
  return key === null ? EXIT.keyRefused : EXIT.allSaved;
}

/** Removes a service's key from the system's keychain, and from a running Spool. */
export async function forgetKey(options: KeyOptions, context: CommandContext): Promise<ExitCode> {
  const settings = settingsOf(options);
  return withPrimary(settings, context, async (primary) => {
    const { origin, dataDir } = settings;
    if (primary === null) {
      const store = await openKeyStore({ clock: systemClock });
      await store.forget(origin);
      new KeyNotes(dataDir).remove(origin);
    } else await primary.client.key.forget({ origin });
    const none = { origin, lastFour: null, label: null };
    reporterOf(settings, context)(none, `No key is saved for ${origin} any more.`);
    return EXIT.allSaved;
  });
}

/**
 * A running Spool that has a session for this service, shown or not, applies the change at once;
 * without one, only the keychain is changed. No Spool starts meanwhile and reads the old key.
 */
async function withPrimary<T>(
  settings: KeySettings,
  context: CommandContext,
  useKey: (primary: PrimaryConnection | null) => Promise<T>,
): Promise<T> {
  const { primary, release } = await joinOrExclude(settings, context);
  try {
    return await useKey(primary);
  } finally {
    release();
  }
}

const isPrimary = (primary: PrimaryConnection | null): Promise<boolean> =>
  Promise.resolve(primary !== null);

interface Access {
  /** `null` when no running Spool has a session for the service. */
  readonly primary: PrimaryConnection | null;
  readonly release: () => void;
}

/** Waits for a Spool that is starting or ending, up to a limit. */
async function joinOrExclude(
  { origin, dataDir }: KeySettings,
  { now, interrupted, stderr }: CommandContext,
): Promise<Access> {
  const nothing = (): void => undefined;
  const deadline = now() + PRIMARY_TIMEOUT_MS;
  for (;;) {
    try {
      const primary = await joinPrimary(dataDir, systemClock, origin);
      if (primary !== null) return { primary, release: () => primary.close() };
      const lock = await takeFolder(dataDir);
      return { primary: null, release: () => lock.release() };
    } catch (error) {
      interrupted.throwIfAborted();
      if (error instanceof NoSessionError) return { primary: null, release: nothing };
      // The keychain can be changed although the folder cannot be written.
      if (error instanceof FolderUnusableError || error instanceof DiskFullError)
        return { primary: null, release: nothing };
      if (!(error instanceof InUseError)) throw error;
      if (now() > deadline) {
        stderr.write(
          'The running Spool cannot be reached. It uses the change when it is started again.\n',
        );
        return { primary: null, release: nothing };
      }
    }
    await pause(RETRY_INTERVAL_MS);
  }
}

function reportPrimary(
  status: KeyEntered,
  report: ReportKey,
  { stderr }: CommandContext,
): ExitCode {
  const { entered, state, origin, lastFour, label, keptIn, trouble } = status;
  if (entered === 'refused') {
    stderr.write(`${origin} refuses this key. The running Spool did not change its own.\n`);
    return EXIT.keyRefused;
  }
  if (entered === 'unchecked' && state !== 'untested') {
    stderr.write(
      `${origin} did not answer, so the running Spool keeps its present key. Try again later.\n`,
    );
    return EXIT.someFailed;
  }
  const until = keptIn === 'memory' ? ', until it closes' : ' and saved in the keychain';
  const words = `The key ${named(lastFour ?? '', label)} is used by the running Spool${until}.`;
  report({ origin, lastFour, label }, words);
  if (trouble !== null) stderr.write(`${trouble.message}\n`);
  return EXIT.allSaved;
}

/** Says which key a service has: a sentence, or an event. */
type ReportKey = (
  key: {
    readonly origin: string;
    /** The last characters; `null` without a key. */
    readonly lastFour: string | null;
    readonly label: string | null;
  },
  words: string,
) => void;

function reporterOf({ json }: Pick<KeyOptions, 'json'>, context: CommandContext): ReportKey {
  return (key, words) => {
    if (json) writeEvent(context, { event: 'key', ...key });
    else context.stdout.write(`${words}\n`);
  };
}

function named(lastFour: string, label: string | null): string {
  return `${label === null ? '' : `“${label}” `}that ends in ${lastFour}`;
}
