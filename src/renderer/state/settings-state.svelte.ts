import type { Client } from '../../contract/contract.ts';
import type {
  ImportPreview,
  SettingIssue,
  Settings,
  SettingsChanged,
  SettingsPatch,
  SettingsView,
} from '../../contract/settings.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import type { Commands } from './commands.svelte.ts';

/** The result of a change. With `refused` and `failed` nothing was changed. */
export type SettingOutcome = 'saved' | 'refused' | 'failed';

/** What was entered, and what was in force then. */
interface Draft {
  readonly inForce: unknown;
  readonly entered: unknown;
}

/** The settings in force, and the errors in values that the user entered. */
export class SettingsState {
  view = $state.raw<SettingsView | null>(null);
  /** True when reading failed and there is nothing older to show. */
  unreadable = $state(false);
  /** True while the service is being changed, even after the view that started it has closed. */
  changingService = $state(false);
  /** True until the field for the service's certificate has the focus. */
  certificateWanted = $state(false);
  /** The status of the latest change; `null` before the first one. */
  latest = $state<'saving' | SettingOutcome | null>(null);

  readonly #commands: Commands;
  readonly #translate: (message: UserMessage) => string;
  #errors = $state.raw<readonly SettingIssue[]>([]);
  /** Number of answered changes: settings that were requested before the latest are outdated. */
  #answered = 0;
  #drafts = $state.raw<Readonly<Partial<Record<string, Draft>>>>({});
  /** Changes without an answer yet, the latest last. */
  readonly #sent: SettingsPatch[] = [];

  /** @param translate translates a message to the page's language */
  constructor(commands: Commands, translate: (message: UserMessage) => string) {
    this.#commands = commands;
    this.#translate = translate;
  }

  /** Reads the settings, since another window or a command may have changed them meanwhile. */
  async open(client: Client): Promise<void> {
    if (this.latest !== 'saving') this.latest = null;
    this.#errors = this.#errors.filter(({ field }) =>
      Object.keys(this.#drafts).some((name) => isWithin(field, name)),
    );
    const answered = this.#answered;
    try {
      const view = await client.settings.get();
      if (answered === this.#answered) this.view = view;
      this.unreadable = false;
    } catch {
      this.unreadable = this.view === null;
    }
  }

  /**
   * Takes over the settings if the service changed. Other changes may be older than the answer to a
   * change of this page: they are read when the settings are opened.
   */
  follow(view: SettingsView): void {
    if (this.view === null || this.latest === 'saving') return;
    const { service } = this.view.settings;
    if (JSON.stringify(view.settings.service) !== JSON.stringify(service)) this.view = view;
  }

  /** A setting of several parts with `change` applied, on top of changes without an answer yet. */
  changed<Name extends 'plan' | 'transfers' | 'notifications'>(
    name: Name,
    inForce: Settings[Name],
    change: Partial<Settings[Name]>,
  ): Settings[Name] {
    const sent = this.#sent.findLast((patch) => patch[name] !== undefined)?.[name];
    return { ...inForce, ...sent, ...change };
  }

  /**
   * Changes the settings of `patch`, all or none.
   * @param origin of the service that a plan is for
   */
  async set(patch: SettingsPatch, origin?: string): Promise<SettingOutcome> {
    const names = Object.keys(patch);
    this.#sent.push(patch);
    if (patch.service !== undefined) this.changingService = true;
    const { outcome, errors } = await this.#change((client) =>
      client.settings.set({ ...patch, ...(origin !== undefined && { origin }) }),
    );
    this.#sent.splice(this.#sent.indexOf(patch), 1);
    if (patch.service !== undefined) this.changingService = false;
    if (outcome !== 'failed') {
      const others = this.#errors.filter(({ field }) => !names.includes(field.split('.')[0] ?? ''));
      this.#errors = [...others, ...errors];
    }
    return outcome;
  }

  /** What a document would change; `null` when the request failed. */
  previewImport(text: string): Promise<ImportPreview | null> {
    return this.#commands.run((client) => client.settings.previewImport({ text }));
  }

  /** Makes the changes of a document that were confirmed. */
  async import(text: string, { confirmation }: ImportPreview): Promise<SettingOutcome> {
    const { outcome } = await this.#change((client) =>
      client.settings.import({ text, confirmation }),
    );
    return outcome;
  }

  /** The error in the value entered for a setting or a part of it, such as `plan.limit`. */
  errorOf(field: string): string | null {
    const error = this.#errors.find((each) => isWithin(each.field, field));
    return error === undefined ? null : this.#translate(error);
  }

  /**
   * A field's value that is not in force, because it was refused or is unfinished; `null` when
   * there is none. It is kept until the window closes or the value in force changes.
   */
  draftOf<Value>(
    field: string,
    inForce: Value,
    isSame: (one: Value, other: Value) => boolean = Object.is,
  ): Value | null {
    const draft = this.#drafts[field];
    // Each field keeps values of one type: that of its value in force.
    return draft !== undefined && isSame(draft.inForce as Value, inForce)
      ? (draft.entered as Value)
      : null;
  }

  keepDraft<Value>(
    field: string,
    inForce: Value,
    entered: Value,
    isSame: (one: Value, other: Value) => boolean = Object.is,
  ): void {
    const isKept = !isSame(entered, inForce);
    const others = Object.entries(this.#drafts).filter(([each]) => each !== field);
    const own: [string, Draft][] = isKept ? [[field, { inForce, entered }]] : [];
    this.#drafts = Object.fromEntries<Draft | undefined>([...others, ...own]);
    if (!isKept) this.#errors = this.#errors.filter((error) => !isWithin(error.field, field));
  }

  isOverridden(name: keyof Settings): boolean {
    return this.view?.overridden.includes(name) ?? false;
  }

  async #change(
    command: (client: Client) => Promise<SettingsChanged>,
  ): Promise<{ outcome: SettingOutcome; errors: readonly SettingIssue[] }> {
    this.latest = 'saving';
    const answer = await this.#commands.run(command);
    this.#answered += 1;
    if (answer === null) {
      this.latest = 'failed';
      return { outcome: 'failed', errors: [] };
    }
    const { errors, ...view } = answer;
    this.view = view;
    this.latest = errors.length === 0 ? 'saved' : 'refused';
    return { outcome: this.latest, errors };
  }
}

/** `plan.limit` is within `plan`, and within itself. */
function isWithin(field: string, whole: string): boolean {
  return field === whole || field.startsWith(`${whole}.`);
}
