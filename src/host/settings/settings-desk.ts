import type {
  Settings,
  SettingsChanged,
  SettingsPatch,
  SettingsView,
  SetupState,
  Tryout,
} from '../../contract/settings.ts';
import type { Engine, PlanOptions } from '../../engine/engine.ts';
import type { Profile } from '../../engine/profile.ts';
import type { Gate } from '../gate.ts';
import { sampleBatch } from '../sample-batch.ts';
import { isSameService, type ServiceChoice, type ServiceLink } from '../service-link.ts';
import type { SettingsBook } from './settings-book.ts';
import { engineSettings, serviceChoiceOf } from './settings-in-use.ts';

/** What stands in for settings in this run. */
export interface Overrides {
  readonly service?: ServiceChoice | undefined;
  readonly plan?: PlanOptions | undefined;
  readonly profile?: Profile | undefined;
}

export interface SettingsDeskParts {
  readonly book: SettingsBook;
  readonly overrides: Overrides;
  /** Absolute path of the folder for files when the settings name none. */
  readonly usualFolder: string;
  readonly engine: Engine;
  readonly gate: Gate;
  readonly link: ServiceLink;
  readonly connect: (choice: ServiceChoice) => Promise<ServiceLink>;
  /** A new key for the account on this computer. */
  readonly newLocalKey: (plan: string) => Promise<string>;
}

/** The settings as a page changes them, and what follows from a change for the engine. */
export class SettingsDesk {
  readonly #parts: SettingsDeskParts;
  readonly #lost = Promise.withResolvers<undefined>();
  #overrides: Overrides;
  #link: ServiceLink;
  /** Changes are made one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: SettingsDeskParts) {
    this.#parts = parts;
    this.#overrides = parts.overrides;
    this.#link = parts.link;
    this.#watchLink();
  }

  /** Resolves if the local service's process ends although nobody asked it to. */
  get serviceLost(): Promise<void> {
    return this.#lost.promise;
  }

  get view(): SettingsView {
    const { book } = this.#parts;
    const overridden = (['service', 'plan'] as const).filter((name) => this.#overrides[name]);
    return { settings: book.settings, overridden, trouble: book.trouble };
  }

  set(patch: SettingsPatch): Promise<SettingsChanged> {
    return this.#inTurn(() => this.#change(patch, {}));
  }

  export(): string {
    return this.#parts.book.text();
  }

  import(text: string): Promise<SettingsChanged> {
    return this.#inTurn(() => {
      const document = this.#parts.book.readDocument(text);
      if (document !== null) return this.#change(document.patch, document.profiles);
      const fault = { field: '', message: 'This is no document with settings of Spool.' };
      return Promise.resolve({ ...this.view, faults: [fault] });
    });
  }

  setupState(): SetupState {
    const { book, engine } = this.#parts;
    const { batches, key, service } = engine.summary();
    const hasKey = !service.isLocal && key.state !== 'absent';
    return { isSetUp: book.isChosen('service') || batches.length > 0 || hasKey };
  }

  async tryHere(): Promise<Tryout> {
    const { engine, newLocalKey } = this.#parts;
    await this.set({ service: { kind: 'local' } });
    if (engine.summary().key.state === 'absent') {
      await engine.setKey(await newLocalKey(this.#link.plan.name));
    }
    return { sample: await sampleBatch() };
  }

  /** The local service's process ends with it; the engine must be closed by then. */
  async close(): Promise<void> {
    const link = this.#link;
    this.#link = { ...link, ended: new Promise(() => undefined) };
    await link.close();
  }

  async #change(
    patch: Readonly<Record<string, unknown>>,
    profiles: Readonly<Record<string, Profile>>,
  ): Promise<SettingsChanged> {
    const { book } = this.#parts;
    const { settings, faults } = book.check(patch);
    if (faults.length > 0) return { ...this.view, faults: [...faults] };
    const overrides = withoutNamed(this.#overrides, patch);
    await this.#connect(overrides.service ?? serviceChoiceOf(settings), overrides, profiles);
    this.#overrides = overrides;
    for (const [origin, profile] of Object.entries(profiles)) book.keepProfile(origin, profile);
    book.change(patch, settings);
    this.#applyToEngine(settings);
    return { ...this.view, faults: [] };
  }

  /** Has the engine go on with another service, if it is another one. */
  async #connect(
    choice: ServiceChoice,
    overrides: Overrides,
    profiles: Readonly<Record<string, Profile>>,
  ): Promise<void> {
    const { book, connect, engine, gate } = this.#parts;
    const before = this.#link;
    const origin = choice.kind === 'remote' ? new URL(choice.baseUrl).origin : null;
    const newProfile = origin === null ? undefined : profiles[origin];
    if (isSameService(choice, before.choice) && newProfile === undefined) return;
    const link = isSameService(choice, before.choice) ? before : await connect(choice);
    const profile = overrides.profile ?? newProfile ?? (origin ? book.profile(origin) : undefined);
    try {
      await gate.alone(() =>
        engine.reopen({
          service: { ...link.service, ...(profile ? { profile } : {}) },
          plan: overrides.plan ?? link.plan,
        }),
      );
    } catch (error) {
      if (link !== before) await link.close();
      throw error;
    }
    if (link === before) return;
    this.#link = link;
    this.#watchLink();
    await before.close();
  }

  #applyToEngine(settings: Settings): void {
    const { engine, usualFolder } = this.#parts;
    const { transferLimits, ...defaults } = engineSettings(settings, usualFolder);
    engine.setBatchDefaults(defaults);
    engine.setTransferLimits(transferLimits);
    const choice = this.#overrides.service ?? serviceChoiceOf(settings);
    if (choice.kind === 'remote') engine.setPlan(this.#overrides.plan ?? choice.plan);
  }

  #watchLink(): void {
    const link = this.#link;
    void link.ended.then(() => {
      if (this.#link === link) this.#lost.resolve(undefined);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Whoever chooses something in the page means it, whatever a command line said. */
function withoutNamed(overrides: Overrides, patch: Readonly<Record<string, unknown>>): Overrides {
  const { service, plan, profile } = overrides;
  const another = 'service' in patch;
  return {
    service: another ? undefined : service,
    plan: another || 'plan' in patch ? undefined : plan,
    profile: another ? undefined : profile,
  };
}
