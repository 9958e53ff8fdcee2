import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import type { Job } from '../../contract/job.ts';
import type {
  ReplacedService,
  ServiceOffer,
  ServiceToUse,
  ServiceTried,
} from '../../contract/service-offer.ts';
import type { KeyEntered, KeyStatus, Summary } from '../../contract/summary.ts';
import type { SettingIssue, Settings } from '../../contract/settings.ts';
import { failureOf } from '../connection/failure-of.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';
import { labelIn } from '../formatting/key-label.ts';
import { JobList } from './job-list.svelte.ts';
import { ServiceByExamples } from './service-examples.svelte.ts';
import { ServiceChoice } from './service-choice.svelte.ts';
import { serviceIdOf } from '../../contract/service-id.ts';

/** Why a first run could not start. */
export type FirstProblem =
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** The call did not arrive. */
  | { readonly kind: 'lost' };

/** A step of the first run, from the two choices to a playing video or an entered key. */
export type FirstStep =
  | { readonly step: 'choices'; readonly problem: FirstProblem | null }
  /** The service on this computer starts, and the sample is queued. */
  | { readonly step: 'starting' }
  /** The sample's videos are rendered; the first saved one plays. */
  | { readonly step: 'making' }
  /** The user chooses one of the known services. */
  | { readonly step: 'services'; readonly problem: FirstProblem | null }
  /** The user describes another service: by examples, or by its profile. */
  | { readonly step: 'examples' }
  | { readonly step: 'own-profile'; readonly from: 'services' | 'examples' }
  | KeyStep
  /** The service is chosen and its key entered; `untested` when the service did not answer. */
  | { readonly step: 'connected'; readonly key: KeyStatus };

export type KeyField = 'address' | 'key' | 'certificate';

/** The form for an account at a service. */
export interface KeyStep {
  readonly step: 'key';
  readonly connecting: boolean;
  readonly errors: readonly SettingIssue[];
  readonly problem: FirstProblem | null;
  /** Whether the service has just refused the key. */
  readonly refused: boolean;
  /** Why the service could not check the key. It can be saved all the same. */
  readonly unchecked: Failure | null;
  /** The field that the form was opened for. */
  readonly startAt: KeyField;
  /** A service at the same address, whose profile would be replaced. */
  readonly replaces: ReplacedService | null;
}

interface ConnectOptions {
  readonly replace?: string;
  readonly unchecked?: boolean;
}

/** Where the engine reports an error of what the user entered. */
const FIELDS = { address: 'service.baseUrl', key: 'key', certificate: 'service.ca' } as const;

/** A custom plan is left out: only the settings ask for its limit. */
export type UsualPlan = Exclude<Settings['plan']['name'], 'custom'>;

const KEY_FORM: KeyStep = {
  step: 'key',
  connecting: false,
  errors: [],
  problem: null,
  refused: false,
  unchecked: null,
  startAt: 'address',
  replaces: null,
};

const KEY_REFUSED: KeyStep = { ...KEY_FORM, refused: true };

/** Steps in which a service is chosen or described. */
type ChoiceStep = Extract<FirstStep, { step: 'services' | 'examples' | 'own-profile' }>;

const SERVICES: ChoiceStep = { step: 'services', problem: null };

/** At most this many of the sample's videos are followed. */
const MAX_FOLLOWED = 50;

/** The first setup: sample videos rendered on this computer, or a service and its key. */
export class FirstRun {
  now = $state.raw<FirstStep>({ step: 'choices', problem: null });
  /** Whether a service is set up; `null` until the engine has answered. */
  isSetUp = $state<boolean | null>(null);
  /** As typed. Kept when the user leaves the form and returns. */
  address = $state('');
  /**
   * PEM of the authority that signed the service's certificate; empty for those the system trusts.
   */
  certificate = $state('');
  /** Kept until the service has answered: after a wrong address it need not be entered again. */
  key = $state('');
  /** The key's label; empty for none. */
  label = $state('');
  plan = $state<UsualPlan>('free');
  /** The service to connect; `null` for one that follows the API document. */
  offer = $state.raw<ServiceOffer | null>(null);
  /** How far the checks of the service are; `null` while there are none of what is entered. */
  tried = $state.raw<ServiceTried | null>(null);
  /** Whether the user came from the settings. */
  fromSettings = $state(false);
  /** Services to choose from. */
  readonly services: ServiceChoice;
  /** A service that is added by examples from its documentation. */
  readonly examples: ServiceByExamples;

  /** The videos of the sample. */
  readonly list: JobList;
  readonly #client: Client;
  /** The step in which the service was chosen. */
  #chosenIn: ChoiceStep = SERVICES;

  constructor(client: Client, pointerReleased: PointerReleased) {
    this.#client = client;
    this.services = new ServiceChoice(client);
    this.examples = new ServiceByExamples(client);
    this.list = new JobList(client, pointerReleased);
  }

  readonly videos: readonly Job[] = $derived.by(() =>
    Array.from({ length: Math.min(MAX_FOLLOWED, this.list.total ?? 0) }, (_, index) =>
      this.list.at(index),
    ).filter((job) => job !== undefined),
  );

  /** The earliest saved video. It stays the same, so that it plays on when others are saved. */
  readonly first: Job | null = $derived.by(
    () =>
      this.videos
        .filter(({ state }) => state === 'done')
        .sort((one, other) => (one.savedAt ?? 0) - (other.savedAt ?? 0))[0] ?? null,
  );

  /**
   * Asks the engine whether a service is set up. Without an answer, assumes that one is.
   */
  async loadSetup(): Promise<boolean> {
    try {
      ({ isSetUp: this.isSetUp } = await this.#client.setup.state());
    } catch {
      this.isSetUp = true;
    }
    return this.isSetUp;
  }

  /** A key stays in the page only while its form may need it again. */
  forgetKey(): void {
    this.key = '';
  }

  /** Back to both choices. Videos that were started continue in the queue. */
  showChoices(): void {
    this.forgetKey();
    this.fromSettings = false;
    this.now = { step: 'choices', problem: null };
  }

  /** The service's name; `null` for one that follows the API document. */
  get serviceName(): string | null {
    return this.offer?.profile.name ?? null;
  }

  showServices(problem: FirstProblem | null = null): void {
    this.forgetKey();
    this.now = { step: 'services', problem };
  }

  /** Opens the choice of another service, from which the way back leads to the settings. */
  changeService(inUse: Summary | null): void {
    this.fromSettings = true;
    this.services.showInUse(inUse);
    this.showServices();
  }

  /** Pasted examples stay until their service is connected. */
  showExamples(): void {
    this.forgetKey();
    this.now = { step: 'examples' };
  }

  showOwnProfile(from: 'services' | 'examples'): void {
    this.now = { step: 'own-profile', from };
  }

  showKey(startAt: KeyField = 'address'): void {
    this.tried = null;
    this.now = { ...KEY_FORM, startAt };
  }

  /** Asks for what a service needs: its key, and its address where the profile has none. */
  showKeyOf(offer: ServiceOffer): void {
    const isAnother =
      offer.id !== (this.offer?.id ?? 'documented') || offer.origin !== this.fixedAddress;
    this.offer = offer.id === 'documented' ? null : offer;
    const { now } = this;
    this.#chosenIn = now.step === 'examples' || now.step === 'own-profile' ? now : SERVICES;
    if (isAnother) {
      this.forgetKey();
      this.address = '';
      this.certificate = '';
      this.label = '';
    }
    this.showKey(this.fixedAddress === null ? 'address' : 'key');
  }

  /** Back to the step before: a wrong profile can be the reason why the service refuses the key. */
  leaveKey(): void {
    this.forgetKey();
    this.now = this.#chosenIn;
  }

  /** The address that the service's profile names; `null` where it is entered. */
  get fixedAddress(): string | null {
    return this.offer?.origin ?? null;
  }

  /**
   * @param practice the plan to practise with; `null` for none
   * @returns whether videos are rendered on this computer from now on
   */
  async useHere(practice: UsualPlan | null): Promise<boolean> {
    const asked = this.now;
    try {
      await this.#client.settings.set({ service: { kind: 'local', practice } });
      this.isSetUp = true;
      return true;
    } catch (error) {
      if (this.now === asked) this.showServices(problemOf(error));
      return false;
    }
  }

  /** Clears errors that no longer apply to the form's contents. */
  edited(part: KeyField): void {
    if (this.now.step !== 'key' || this.now.connecting) return;
    this.tried = null;
    const { errors, refused } = this.now;
    const field = FIELDS[part];
    this.now = {
      ...this.now,
      problem: null,
      unchecked: null,
      refused: refused && part !== 'key',
      errors: errors.filter((error) => error.field !== field),
    };
  }

  /**
   * Renders the sample's videos on this computer, also if the user leaves the step meanwhile; the
   * page then stays where it is.
   * @returns false when there is no sample and the user still waits for it: videos can then be added
   */
  async tryHere(): Promise<boolean> {
    const starting: FirstStep = { step: 'starting' };
    this.now = starting;
    try {
      const { origin, sample } = await this.#client.setup.tryHere();
      this.isSetUp = true;
      if (sample === null) {
        if (this.now !== starting) return true;
        this.showChoices();
        return false;
      }
      const { batchId } = await this.#client.batches.add({ origin, source: sample });
      if (this.now !== starting) return true;
      this.list.narrow({ batchId });
      this.list.show(0, MAX_FOLLOWED - 1);
      this.now = { step: 'making' };
    } catch (error) {
      if (this.now === starting) this.now = { step: 'choices', problem: problemOf(error) };
    }
    return true;
  }

  /** Leaves the service at the same address as it is. */
  keepReplaced(): void {
    if (this.now.step === 'key') this.now = { ...this.now, replaces: null };
  }

  /**
   * Sets a remote service and its key once the service has accepted it (§5.7).
   * @param replace the confirmation of the profile that the user agreed to replace
   * @param unchecked whether to save both although the service could not check the key
   */
  async connect({ replace, unchecked = false }: ConnectOptions = {}): Promise<void> {
    const connecting: KeyStep = { ...KEY_FORM, connecting: true };
    this.now = connecting;
    this.tried = null;
    // The user may leave the form, which clears the key, before the settings are saved.
    const key = this.key.trim();
    const label = labelIn(this.label);
    await this.#runStep(async () => {
      const { offer } = this;
      const baseUrl = this.fixedAddress ?? withScheme(this.address);
      const ca = this.certificate.trim();
      const service: ServiceToUse = {
        settings: {
          service: { kind: 'remote', baseUrl, ca: ca === '' ? null : ca },
          ...(offer === null ? { plan: { name: this.plan } } : {}),
        },
        profile: offer === null ? null : offer.profile,
      };
      if (!unchecked && replace === undefined) {
        for await (const tried of await this.#client.settings.tryService({ ...service, key })) {
          // The user left the form: nothing is saved.
          if (this.now !== connecting) return KEY_FORM;
          this.tried = tried;
          if (tried.errors.length > 0) return { ...KEY_FORM, errors: tried.errors };
          if (tried.entered === 'refused') return KEY_REFUSED;
          if (tried.failure !== null) return { ...KEY_FORM, unchecked: tried.failure };
        }
        if (this.now !== connecting) return KEY_FORM;
      }
      const { errors, replaces } = await this.#client.settings.useService({
        ...service,
        ...(replace === undefined ? {} : { replace }),
      });
      if (errors.length > 0 || replaces !== null) return { ...KEY_FORM, errors, replaces };
      this.isSetUp = true;
      return this.#client.key.set({ origin: serviceIdOf(baseUrl), value: key, label });
    });
  }

  /** Tests the entered key again, at a service that did not answer. */
  async tryKeyAgain(): Promise<void> {
    await this.#runStep(() => this.#client.key.check());
  }

  /** Shows the answer, unless the user has left the step by then and may be filling in another. */
  async #runStep(ask: () => Promise<KeyStep | KeyStatus | KeyEntered>): Promise<void> {
    const asked = this.now;
    try {
      const answer = await ask();
      if (this.now !== asked) return;
      this.now = 'step' in answer ? answer : stepAfterTest(answer);
      if (this.now === KEY_REFUSED || ('state' in answer && answer.state === 'accepted')) {
        this.forgetKey();
      }
      if (this.now.step === 'connected') {
        this.examples.clear();
        this.#chosenIn = SERVICES;
      }
    } catch (error) {
      if (this.now === asked) this.now = { ...KEY_FORM, problem: problemOf(error) };
    }
  }
}

function stepAfterTest(key: KeyStatus | KeyEntered): FirstStep {
  const isRefused = key.state === 'refused' || ('entered' in key && key.entered === 'refused');
  return isRefused ? KEY_REFUSED : { step: 'connected', key };
}

/** Adds the scheme that a copied `video.example.com` lacks. */
export function withScheme(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, '');
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

function problemOf(error: unknown): FirstProblem {
  const failure = failureOf(error);
  return failure === null ? { kind: 'lost' } : { kind: 'failure', failure };
}
