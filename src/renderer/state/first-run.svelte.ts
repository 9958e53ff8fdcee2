import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import type { Job } from '../../contract/job.ts';
import type { ReplacedService, ServiceOffer } from '../../contract/service-offer.ts';
import type { KeyStatus, Summary } from '../../contract/summary.ts';
import type { SettingFault, Settings } from '../../contract/settings.ts';
import { failureOf } from '../connection/failure-of.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';
import { labelIn } from '../formatting/key-label.ts';
import { JobList } from './job-list.svelte.ts';
import { ServiceByExamples } from './service-examples.svelte.ts';
import { ServiceChoice } from './service-choice.svelte.ts';
import { originOf } from './origin-of.ts';

/** Why a first run could not start. */
export type FirstProblem =
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** The call did not arrive. */
  | { readonly kind: 'lost' };

/** Where a first run stands, from the two choices to a video that plays or a key that is there. */
export type FirstStep =
  | { readonly step: 'choices'; readonly problem: FirstProblem | null }
  /** The service on this computer starts, and the sample is queued. */
  | { readonly step: 'starting' }
  /** The sample's videos are made; the first that is saved plays. */
  | { readonly step: 'making' }
  /** A service is chosen from those that there are. */
  | { readonly step: 'services'; readonly problem: FirstProblem | null }
  /** A service is described that is none of them: by examples, or by its profile. */
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
  readonly faults: readonly SettingFault[];
  readonly problem: FirstProblem | null;
  /** Whether the service has just refused the key. */
  readonly refused: boolean;
  /** The field that it was opened for. */
  readonly startAt: KeyField;
  /** A service at the same address, whose profile would be replaced. */
  readonly replaces: ReplacedService | null;
}

/** A negotiated plan has a custom number, which the settings ask for. */
export type UsualPlan = Exclude<Settings['plan']['name'], 'custom'>;

const KEY_FORM: KeyStep = {
  step: 'key',
  connecting: false,
  faults: [],
  problem: null,
  refused: false,
  startAt: 'address',
  replaces: null,
};

/** Steps in which a service is chosen or described. */
type ChoiceStep = Extract<FirstStep, { step: 'services' | 'examples' | 'own-profile' }>;

const SERVICES: ChoiceStep = { step: 'services', problem: null };

/** No more of the sample's videos are followed than this. */
const FOLLOWED = 50;

/** The way from an app that knows nothing to a first finished video. */
export class FirstRun {
  now = $state.raw<FirstStep>({ step: 'choices', problem: null });
  /** Whether there is anything to begin with; `null` until the engine has said so. */
  isSetUp = $state<boolean | null>(null);
  /** As it was typed; it stays when the user leaves the form and returns. */
  address = $state('');
  /**
   * PEM of the authority that signed the service's certificate; empty for those the system trusts.
   */
  certificate = $state('');
  /** Stays until the service has answered for it, so that a wrong address costs no second entry. */
  key = $state('');
  /** What the key shall be called; empty for no name. */
  label = $state('');
  plan = $state<UsualPlan>('free');
  /** The service that is connected; `null` for one of the API document. */
  offer = $state.raw<ServiceOffer | null>(null);
  /** Whether the settings led here. */
  fromSettings = $state(false);
  /** Services to choose from. */
  readonly services: ServiceChoice;
  /** A service that is added by examples from its documentation. */
  readonly examples: ServiceByExamples;

  /** The videos of the sample. */
  readonly list: JobList;
  readonly #client: Client;
  /** Where the service was chosen whose key is entered. */
  #chosenIn: ChoiceStep = SERVICES;

  constructor(client: Client, pointerReleased: PointerReleased) {
    this.#client = client;
    this.services = new ServiceChoice(client);
    this.examples = new ServiceByExamples(client);
    this.list = new JobList(client, pointerReleased);
  }

  readonly videos: readonly Job[] = $derived.by(() =>
    Array.from({ length: Math.min(FOLLOWED, this.list.total ?? 0) }, (_, index) =>
      this.list.at(index),
    ).filter((job) => job !== undefined),
  );

  /** The one that was saved before all others: it plays and goes on playing. */
  readonly first: Job | null = $derived.by(
    () =>
      this.videos
        .filter(({ state }) => state === 'done')
        .sort((one, other) => (one.savedAt ?? 0) - (other.savedAt ?? 0))[0] ?? null,
  );

  /**
   * Asks the engine whether this is a first run. Without an answer, the page continues.
   */
  async meet(): Promise<boolean> {
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

  /** Back to both choices. What was started continues in the queue. */
  showChoices(): void {
    this.forgetKey();
    this.fromSettings = false;
    this.now = { step: 'choices', problem: null };
  }

  /** The service's name; `null` for one of the API document. */
  get serviceName(): string | null {
    return this.offer?.profile.name ?? null;
  }

  showServices(problem: FirstProblem | null = null): void {
    this.forgetKey();
    this.now = { step: 'services', problem };
  }

  /** The choice of another service, which leads back to the settings. */
  changeService(inUse: Summary['service'] | null): void {
    this.fromSettings = true;
    this.services.beginWith(inUse);
    this.showServices();
  }

  /** What was pasted stays until its service is connected. */
  showExamples(): void {
    this.forgetKey();
    this.now = { step: 'examples' };
  }

  showOwnProfile(from: 'services' | 'examples'): void {
    this.now = { step: 'own-profile', from };
  }

  showKey(startAt: KeyField = 'address'): void {
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

  /** Back to where the service was chosen or described, as a refused key may be the profile's fault. */
  leaveKey(): void {
    this.forgetKey();
    this.now = this.#chosenIn;
  }

  /** The address that the service's profile names; `null` where it is entered. */
  get fixedAddress(): string | null {
    return this.offer?.origin ?? null;
  }

  /** @returns whether videos are rendered on this computer from now on */
  async useHere(): Promise<boolean> {
    try {
      await this.#client.settings.set({ service: { kind: 'local' } });
      this.isSetUp = true;
      return true;
    } catch (error) {
      this.showServices(problemOf(error));
      return false;
    }
  }

  /** The errors no longer apply to the current contents of the form. */
  edited(part: KeyField): void {
    if (this.now.step !== 'key' || this.now.connecting) return;
    const { faults, refused } = this.now;
    const field = part === 'certificate' ? 'service.ca' : 'service.baseUrl';
    this.now = {
      ...this.now,
      problem: null,
      refused: refused && part !== 'key',
      faults: part === 'key' ? faults : faults.filter((fault) => fault.field !== field),
    };
  }

  /**
   * Makes the sample's videos on this computer. False when there is no sample: all is ready then,
   * and the user adds videos of their own.
   */
  async tryHere(): Promise<boolean> {
    this.now = { step: 'starting' };
    try {
      const { origin, sample } = await this.#client.setup.tryHere();
      this.isSetUp = true;
      if (sample === null) {
        this.showChoices();
        return false;
      }
      const { batchId } = await this.#client.batches.add({ origin, source: sample });
      this.list.narrow({ batchId, states: null, search: '' });
      this.list.show(0, FOLLOWED - 1);
      this.now = { step: 'making' };
    } catch (error) {
      this.now = { step: 'choices', problem: problemOf(error) };
    }
    return true;
  }

  /** Leaves the service at the same address as it is. */
  keepReplaced(): void {
    if (this.now.step === 'key') this.now = { ...this.now, replaces: null };
  }

  /**
   * Chooses a service elsewhere, then enters its key, which the engine tries at once (§5.7).
   * @param replace the confirmation of the profile that the user agreed to replace
   */
  async connect(replace?: string): Promise<void> {
    this.now = { ...KEY_FORM, connecting: true };
    // The form may be left before the settings are answered for.
    const key = this.key.trim();
    await this.#enter(async () => {
      const { offer } = this;
      const baseUrl = this.fixedAddress ?? withScheme(this.address);
      const { faults, replaces } = await this.#client.settings.useService({
        settings: {
          service: {
            kind: 'remote',
            baseUrl,
            ca: this.certificate.trim() === '' ? null : this.certificate.trim(),
          },
          ...(offer === null ? { plan: { name: this.plan } } : {}),
        },
        profile: offer === null ? null : offer.profile,
        ...(replace === undefined ? {} : { replace }),
      });
      if (faults.length > 0 || replaces !== null) return { ...KEY_FORM, faults, replaces };
      this.isSetUp = true;
      return this.#afterTrying(
        await this.#client.key.set({
          origin: originOf(baseUrl),
          value: key,
          label: labelIn(this.label),
        }),
      );
    });
  }

  /** Tests the entered key again, at a service that did not answer. */
  async tryKeyAgain(): Promise<void> {
    await this.#enter(async () => this.#afterTrying(await this.#client.key.check()));
  }

  async #enter(ask: () => Promise<FirstStep>): Promise<void> {
    try {
      this.now = await ask();
    } catch (error) {
      this.now = { ...KEY_FORM, problem: problemOf(error) };
    }
  }

  /** After the service has answered, the key is no longer needed here. */
  #afterTrying(key: KeyStatus): FirstStep {
    if (key.state !== 'untested') this.forgetKey();
    if (key.state !== 'refused') {
      this.examples.clear();
      this.#chosenIn = SERVICES;
    }
    return key.state === 'refused' ? { ...KEY_FORM, refused: true } : { step: 'connected', key };
  }
}

/** A copied `video.example.com` means the only address that a service has. */
export function withScheme(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, '');
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

function problemOf(error: unknown): FirstProblem {
  const failure = failureOf(error);
  return failure === null ? { kind: 'lost' } : { kind: 'failure', failure };
}
