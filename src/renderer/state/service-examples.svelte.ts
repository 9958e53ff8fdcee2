import type { Client } from '../../contract/contract.ts';
import type {
  fieldsWithoutKeys,
  withoutKeys,
} from '../../contract/examples/example-credentials.ts';
import type { RemoteState } from '../../contract/job.ts';
import type {
  RequestExamples,
  ServiceFields,
  ServiceProposal,
} from '../../contract/service-examples.ts';
import type { ServiceOffer } from '../../contract/service-offer.ts';
import type { UserMessage } from '../../contract/user-message.ts';

export type RequestExample = keyof RequestExamples;
export type AnswerExample = 'generate' | 'status' | 'download' | 'upload';

const NO_ANSWERS = { generate: '', status: '', download: '', upload: '' };
const NO_REQUESTS: RequestExamples = {
  generate: '',
  status: '',
  file: '',
  cancel: '',
  list: '',
  upload: '',
};

/** The profile's path for each field of the form. */
const FIELDS_OF_PROFILE: Readonly<Record<keyof ServiceFields, string>> = {
  name: 'name',
  origin: 'api.origin',
  authHeader: 'api.auth.header',
  authScheme: 'api.auth.scheme',
  generatePath: 'api.generate',
  statusPath: 'api.status',
  filePath: 'api.file',
  requests: 'api.limits.windows.0.count',
  span: 'api.limits.windows.0.perMs',
  concurrent: 'api.limits.concurrent',
  cost: 'api.cost.rule',
  costUnit: 'api.cost.currency',
};

/** Recognises keys in what is entered. */
export interface KeyRemoval {
  readonly withoutKeys: typeof withoutKeys;
  readonly fieldsWithoutKeys: typeof fieldsWithoutKeys;
}

/** A service described by examples, from which the engine derives a profile. */
export class ServiceByExamples {
  /** Set by the view where examples are entered: it is too large for the page's first script. */
  keyRemoval: KeyRemoval | null = null;
  requests = $state.raw<RequestExamples>(NO_REQUESTS);
  answers = $state.raw<Readonly<Record<AnswerExample, string>>>(NO_ANSWERS);
  corrected = $state.raw<Partial<ServiceFields>>({});
  words = $state.raw<Readonly<Record<string, RemoteState>>>({});
  /** The engine's latest proposal, perhaps of earlier examples; `null` before the first one. */
  proposal = $state.raw<ServiceProposal | null>(null);
  /** Whether a key was removed from an example. */
  hadKey = $state(false);
  /** True while the engine does not answer. */
  unreadable = $state(false);

  /** Whether the proposal is based on a request. */
  readonly hasRequest = $derived(
    this.proposal !== null && !this.proposal.missing.includes('request'),
  );
  /** Errors that belong to no field of the form. */
  readonly otherErrors = $derived(
    this.hasRequest
      ? (this.proposal?.checked.errors ?? []).filter(
          ({ field }) => !Object.values(FIELDS_OF_PROFILE).some((of) => isWithin(field, of)),
        )
      : [],
  );

  /** Whether a field of the form is marked as wrong. */
  readonly hasErrors = $derived(
    (Object.keys(FIELDS_OF_PROFILE) as (keyof ServiceFields)[]).some(
      (name) => this.errorOf(name) !== null,
    ),
  );

  readonly #client: Client;
  /** Whether the proposal is of the current examples and corrections. */
  #isCurrent = $state(false);
  #generation = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The proposed service; `null` while a change of the examples is being read. */
  get offer(): ServiceOffer | null {
    return this.#isCurrent ? this.understood : null;
  }

  /** The service of the latest proposal, if that has no error and rows have a column to send. */
  get understood(): ServiceOffer | null {
    const { proposal } = this;
    const hasColumns = proposal !== null && proposal.columns.length > 0;
    return this.hasRequest && hasColumns ? proposal.checked.offer : null;
  }

  pasteRequest(name: RequestExample, text: string): void {
    this.#store({ requests: { ...this.requests, [name]: text } });
  }

  pasteAnswer(name: AnswerExample, text: string): void {
    this.#store({ answers: { ...this.answers, [name]: text } });
  }

  correct(change: Partial<ServiceFields>): void {
    this.#store({ corrected: { ...this.corrected, ...change } });
  }

  define(word: string, means: RemoteState): void {
    this.words = { ...this.words, [word]: means };
    void this.#propose();
  }

  /** A field's value: the entered one, or else the proposed one. */
  valueOf<Name extends keyof ServiceFields>(name: Name): ServiceFields[Name] | '' {
    return this.corrected[name] ?? this.proposal?.fields[name] ?? '';
  }

  errorOf(name: keyof ServiceFields): UserMessage | null {
    const isEntered = this.corrected[name] !== undefined;
    if (!this.hasRequest && !isEntered) return null;
    // The next example has it; until that is pasted, it is listed as missing.
    if (name === 'statusPath' && !isEntered && this.valueOf(name) === '') return null;
    const errors = this.proposal?.checked.errors ?? [];
    return errors.find(({ field }) => isWithin(field, FIELDS_OF_PROFILE[name])) ?? null;
  }

  clear(): void {
    this.#generation += 1;
    [this.requests, this.answers, this.corrected, this.words] = [NO_REQUESTS, NO_ANSWERS, {}, {}];
    [this.proposal, this.hadKey, this.unreadable] = [null, false, false];
    this.#isCurrent = false;
  }

  /**
   * Stores the input without keys. No key stays in the page: neither in the field that it was
   * pasted into, nor when the engine does not answer.
   */
  #store(entered: Partial<Pick<ServiceByExamples, 'requests' | 'answers' | 'corrected'>>): void {
    const { requests, answers, corrected } = { ...this.#entered, ...entered };
    if (this.keyRemoval === null) throw new Error('Nothing removes keys.');
    const { hasSecret, ...cleaned } = this.keyRemoval.withoutKeys(requests, answers);
    const fields = this.keyRemoval.fieldsWithoutKeys(corrected, hasSecret);
    this.hadKey ||= cleaned.hadKey || fields.hadKey;
    this.requests = cleaned.requests;
    this.answers = cleaned.answers;
    this.corrected = fields.entered;
    void this.#propose();
  }

  /** Has the engine read the examples; only the latest answer counts. */
  async #propose(): Promise<void> {
    const generation = ++this.#generation;
    this.#isCurrent = false;
    try {
      const { words } = this;
      const proposal = await this.#client.profile.proposeService({ ...this.#entered, words });
      if (generation !== this.#generation) return;
      this.proposal = proposal;
      this.unreadable = false;
      this.#isCurrent = true;
    } catch {
      if (generation === this.#generation) this.unreadable = true;
    }
  }

  get #entered(): Pick<ServiceByExamples, 'requests' | 'answers' | 'corrected'> {
    const { requests, answers, corrected } = this;
    return { requests, answers, corrected };
  }
}

function isWithin(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`);
}
