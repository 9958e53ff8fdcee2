/** Lists, renames and removes the services of the queue. */
import { hostOf } from '../contract/service-id.ts';
import type { ListedService, RemovedRows, ServiceRemoved } from '../contract/managed-service.ts';
import { countIn } from '../contract/job-states.ts';
import { joinMessages, userMessage, type UserMessage } from '../contract/user-message.ts';
import type { Engine } from '../engine/engine.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import { KeyNotes } from '../engine/keys/key-notes.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import { KeychainTrouble } from '../engine/keys/keychain.ts';
import type { Serial } from '../engine/serial.ts';
import type { QueueServices } from './queue-services.ts';
import type { SettingsService } from './settings/settings-service.ts';
import type { SettingsStore } from './settings/settings-store.ts';

interface ManagedServicesParts {
  readonly engine: Engine;
  readonly services: QueueServices;
  readonly settingsStore: SettingsStore;
  readonly settingsService: SettingsService;
  readonly keys: Pick<KeyStore, 'forget'>;
  /** Absolute path. */
  readonly dataDir: string;
  /** Serialises changes of the settings and of which services run and are shown. */
  readonly changes: Serial;
}

export class ManagedServices {
  readonly #parts: ManagedServicesParts;

  constructor(parts: ManagedServicesParts) {
    this.#parts = parts;
  }

  /** Sorted by name. */
  list(): ListedService[] {
    const { engine, services, settingsStore, settingsService } = this.#parts;
    const { offers } = settingsService;
    const shown = services.shown.origin;
    const profileNames = new Map(offers.map(({ origin, profile }) => [origin, profile.name]));
    const nameAt = (origin: string): string =>
      settingsStore.serviceNames[origin] ?? profileNames.get(origin) ?? hostOf(origin);
    return engine
      .services()
      .map(({ origin, isLocal, name, counts }) => ({
        origin,
        isLocal,
        name: isLocal ? name : nameAt(origin),
        isShown: origin === shown,
        counts,
      }))
      .toSorted((one, other) => one.name.localeCompare(other.name));
  }

  /**
   * @param name `null` for the name of its profile
   * @throws {NotPossibleNowError} for this computer, and for a service that the queue does not have
   */
  rename(origin: string, name: string | null): void {
    this.#remote(origin);
    this.#parts.settingsStore.renameService(origin, name);
  }

  /**
   * Cancels a service's videos that were not sent, archives or removes all of them, and forgets its
   * key and settings. If it is shown, this computer is shown instead.
   * @throws {NotPossibleNowError} while it has videos that may be paid for and are not saved; for
   *   this computer; and for a service that the queue does not have
   */
  remove(origin: string, rows: RemovedRows): Promise<ServiceRemoved> {
    const { engine, services, settingsStore, settingsService, dataDir, changes } = this.#parts;
    return changes.run(async () => {
      const { counts } = this.#remote(origin);
      const left = countIn('mayBePaid', counts);
      if (left > 0)
        throw new NotPossibleNowError(userMessage('service-has-videos', { count: left }));
      if (services.shown.origin === origin) await settingsService.showThisComputer();
      await services.stop(origin, () => engine.forget(origin, rows));
      settingsStore.forgetService(origin);
      services.listKnown();
      new KeyNotes(dataDir).remove(origin);
      return { keyTrouble: await forgetKey(this.#parts.keys, origin) };
    });
  }

  #remote(origin: string): ListedService {
    const service = this.list().find((each) => each.origin === origin);
    if (!service) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    if (service.isLocal) throw new NotPossibleNowError(userMessage('service-is-this-computer'));
    return service;
  }
}

/** @returns why the key may still be in the keychain; `null` if it is not */
export async function forgetKey(
  keys: Pick<KeyStore, 'forget'>,
  origin: string,
): Promise<UserMessage | null> {
  try {
    await keys.forget(origin);
    return null;
  } catch (error) {
    if (!(error instanceof KeychainTrouble)) throw error;
    return joinMessages(error.userMessage, userMessage('key-may-remain'));
  }
}
