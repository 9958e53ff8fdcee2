import type { Client } from '../../contract/contract.ts';
import type { RemoteState } from '../../contract/job.ts';
import type { ProfileTried, ProfileView } from '../../contract/profile.ts';
import type { SettingIssue } from '../../contract/settings.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import type { Commands } from './commands.svelte.ts';
import {
  formOfRules,
  isSameRules,
  rulesOfForm,
  withWord,
  ambiguousWords,
  type RuleForm,
} from './rule-form.ts';

type Document = ProfileView['profile'];
export type Reading = NonNullable<ProfileTried['reading']>;
export type ExampleName = 'generate' | 'status' | 'download';

/** A profile that the user edits. */
export interface ProfileDraft {
  readonly name: string;
  /** Endpoints and limits, which are not edited here. */
  readonly api: Document['api'];
  readonly rules: RuleForm;
  /** The profile's `request`, as JSON. */
  readonly request: string;
}

/** The profile in force, and the draft that the user edits and tests with examples. */
export class ProfileState {
  view = $state.raw<ProfileView | null>(null);
  startingPoints = $state.raw<readonly Document[]>([]);
  /** True when reading failed and there is nothing older to show. */
  unreadable = $state(false);
  draft = $state.raw<ProfileDraft | null>(null);
  /** Answers of the service, as pasted. */
  examples = $state.raw<Readonly<Record<ExampleName, string>>>({
    generate: '',
    status: '',
    download: '',
  });
  /** The examples as the draft reads them; `null` while it has errors. */
  reading = $state.raw<Reading | null>(null);
  /** What changed in force while the user was editing, until the draft is saved or discarded. */
  overtakenBy = $state.raw<'profile' | 'service' | null>(null);
  /** What a proposal looked for in the examples and did not find. */
  notFound = $state.raw<readonly ('id' | 'status' | 'link')[]>([]);

  readonly hasExamples = $derived(Object.values(this.examples).some((text) => text.trim() !== ''));
  readonly isChanged = $derived(
    this.view !== null &&
      this.draft !== null &&
      !isSameDraft(this.draft, draftOf(this.view.profile)),
  );

  readonly #client: Client;
  readonly #commands: Commands;
  readonly #translate: (message: UserMessage) => string;
  #errors = $state.raw<readonly SettingIssue[]>([]);
  #generation = 0;
  /** Counts the calls of `propose`, so that only the latest answer counts. */
  #proposals = 0;

  /** @param translate translates a message to the page's language */
  constructor(client: Client, commands: Commands, translate: (message: UserMessage) => string) {
    this.#client = client;
    this.#commands = commands;
    this.#translate = translate;
  }

  /** Reads the profile in force. A changed draft stays; see `overtakenBy`. */
  async open(): Promise<void> {
    try {
      const [view, startingPoints] = await Promise.all([
        this.#client.profile.get(),
        this.#client.profile.startingPoints(),
      ]);
      this.startingPoints = startingPoints;
      this.unreadable = false;
      this.#show(view);
    } catch {
      this.unreadable = this.view === null;
    }
  }

  edit(change: Partial<ProfileDraft>): void {
    if (this.draft !== null) this.#setDraft({ ...this.draft, ...change });
  }

  editRules(change: Partial<RuleForm>): void {
    if (this.draft !== null) this.edit({ rules: { ...this.draft.rules, ...change } });
  }

  defineWord(word: string, means: RemoteState): void {
    if (this.draft !== null) this.edit({ rules: withWord(this.draft.rules, word, means) });
  }

  setExample(name: ExampleName, text: string): void {
    this.examples = { ...this.examples, [name]: text };
    this.notFound = [];
    void this.#test();
  }

  startFrom(profile: Document): void {
    const draft = draftOf(profile);
    // A profile without `api` does not change where the key and the rows are sent.
    this.#setDraft({ ...draft, api: draft.api ?? this.draft?.api });
  }

  /** Back to the profile in force. */
  discard(): void {
    if (this.view !== null) this.#resetDraft(this.view);
  }

  /**
   * Fills the draft with rules derived from the examples, unless it is edited meanwhile. They apply
   * only once saved.
   */
  async propose(): Promise<void> {
    const { draft } = this;
    const proposal = ++this.#proposals;
    const answer = await this.#commands.run((client) => client.profile.propose(this.examples));
    if (proposal !== this.#proposals) return;
    if (answer === null || draft === null || this.draft === null) return;
    if (!isSameDraft(this.draft, draft)) return;
    this.#setDraft({ ...this.draft, rules: formOfRules(answer.rules) });
    this.notFound = answer.notFound;
  }

  /** @returns whether the draft is in force now */
  async save(): Promise<boolean> {
    const { draft, view: before } = this;
    if (draft === null || before === null) return false;
    const { origin } = before;
    const request = jsonIn(draft.request);
    if (request === undefined || ambiguousWords(draft.rules).length > 0) return false;
    const { name, api } = draft;
    const answers = rulesOfForm(draft.rules);
    const profile = { name, ...(api && { api }), request, answers };
    const answer = await this.#commands.run((client) => client.profile.save({ origin, profile }));
    if (answer === null) return false;
    const { errors, ...view } = answer;
    // The user may have continued to edit meanwhile.
    const isEdited = this.draft !== null && !isSameDraft(this.draft, draft);
    if (errors.length > 0) {
      if (!isEdited) this.#errors = errors;
      return false;
    }
    if (isEdited) [this.view, this.overtakenBy] = [view, null];
    else this.#resetDraft(view);
    return true;
  }

  /** @returns whether the default profile is in force now */
  async reset(): Promise<boolean> {
    if (this.view === null) return false;
    const { origin } = this.view;
    const answer = await this.#commands.run((client) => client.profile.reset({ origin }));
    if (answer === null) return false;
    this.#resetDraft(answer);
    return true;
  }

  /** The error in a part of the draft, such as `name`, `request` or `answers.id`. */
  errorOf(field: string): string | null {
    const error = this.#errors.find(
      (each) => each.field === field || each.field.startsWith(`${field}.`),
    );
    return error === undefined ? null : this.#translate(error);
  }

  get isValid(): boolean {
    const { draft } = this;
    return (
      draft !== null &&
      this.#errors.length === 0 &&
      ambiguousWords(draft.rules).length === 0 &&
      jsonIn(draft.request) !== undefined
    );
  }

  #show(view: ProfileView): void {
    const { view: before, draft, isChanged } = this;
    const inForce = draftOf(view.profile);
    this.view = view;
    const isKept = isChanged && draft !== null && !isSameDraft(draft, inForce);
    if (before === null || !isKept) this.#resetDraft(view);
    else if (before.origin !== view.origin) this.overtakenBy = 'service';
    else if (!isSameDraft(draftOf(before.profile), inForce)) {
      this.overtakenBy ??= 'profile';
    }
  }

  /** Replaces the draft with the profile in force. */
  #resetDraft(view: ProfileView): void {
    this.view = view;
    this.overtakenBy = null;
    this.#setDraft(draftOf(view.profile));
  }

  #setDraft(draft: ProfileDraft): void {
    this.draft = draft;
    this.notFound = [];
    void this.#test();
  }

  /** Has the engine read the examples with the draft; only the latest answer counts. */
  async #test(): Promise<void> {
    const { draft, examples } = this;
    if (draft === null) return;
    const generation = ++this.#generation;
    try {
      const answers = rulesOfForm(draft.rules);
      const { reading, errors } = await this.#client.profile.test({ examples, answers });
      if (generation !== this.#generation) return;
      this.reading = reading;
      this.#errors = errors.map((error) => ({ ...error, field: `answers.${error.field}` }));
    } catch {
      if (generation === this.#generation) this.reading = null;
    }
  }
}

/** The value of a JSON text; `undefined` when the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSameDraft(one: ProfileDraft, other: ProfileDraft): boolean {
  return (
    one.name === other.name &&
    one.request === other.request &&
    JSON.stringify(one.api) === JSON.stringify(other.api) &&
    isSameRules(one.rules, other.rules)
  );
}

function draftOf({ name, api, answers, request }: Document): ProfileDraft {
  return { name, api, rules: formOfRules(answers), request: JSON.stringify(request, null, 2) };
}
