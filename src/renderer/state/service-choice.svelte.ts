import type { Client } from '../../contract/contract.ts';
import type { ServiceProposal } from '../../contract/service-examples.ts';
import type { ProfileChecked, ServiceOffer } from '../../contract/service-offer.ts';
import type { Summary } from '../../contract/summary.ts';
import { jsonIn } from './profile-state.svelte.ts';

/** A profile that is being written or adapted. */
export interface OwnProfile {
  /** As JSON. */
  readonly text: string;
  readonly generate: string;
  readonly status: string;
}

type ServiceInUse = Pick<Summary['service'], 'origin' | 'isLocal'>;

/** A profile to begin with where a service is described from nothing. */
const BLANK_ID = 'runway';

/** The services that can be chosen, and what is known of the one that is looked at. */
export class ServiceChoice {
  offers = $state.raw<readonly ServiceOffer[]>([]);
  /** True while they could not be read and nothing older is there to show. */
  unreadable = $state(false);
  search = $state('');
  /** The one that is looked at. */
  shownId = $state<string | null>(null);
  own = $state.raw<OwnProfile>({ text: '', generate: '', status: '' });
  /** What the engine says of the own profile; `null` while it was not asked or there is no JSON. */
  checked = $state.raw<ProfileChecked | null>(null);

  readonly shown = $derived(this.offers.find(({ id }) => id === this.shownId) ?? null);

  readonly #client: Client;
  /** Whether `checked` is of the profile as it is written now. */
  #isCurrent = $state(false);
  #turn = 0;
  /** The proposal that the own profile began with, if it did. */
  #described: ServiceProposal | null = null;
  #inUse: ServiceInUse | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Begins with the service that is in use, among all of them. */
  beginWith(inUse: ServiceInUse | null): void {
    this.#inUse = inUse;
    this.search = '';
    this.shownId = null;
  }

  async open(): Promise<void> {
    try {
      this.offers = await this.#client.profile.services();
      this.unreadable = false;
      this.shownId ??= this.#idInUse() ?? this.offers[0]?.id ?? null;
    } catch {
      this.unreadable = this.offers.length === 0;
    }
  }

  /** Begins to write a profile, from one that is there. */
  adapt(offer: ServiceOffer | null): void {
    const from = offer ?? this.offers.find(({ id }) => id === BLANK_ID) ?? null;
    if (from === null) return;
    this.#described = null;
    // A profile of one address is of no use for another.
    const api = from.profile.api && { ...from.profile.api, origin: offer && from.origin };
    const { documentation, readOn, endedOn } = {
      documentation: null,
      readOn: null,
      endedOn: null,
      ...(offer === null ? {} : from.profile.api?.about),
    };
    // The user edits it from here on, and edits are not tried.
    const tried = 'never';
    const profile = {
      ...from.profile,
      ...(offer === null ? { name: '' } : {}),
      ...(api ? { api: { ...api, about: { documentation, readOn, tried, endedOn } } } : {}),
    };
    this.edit({ text: JSON.stringify(profile, null, 2), generate: '', status: '' });
  }

  /** Begins with a profile that was proposed from examples, or goes on while those are the same. */
  describe(proposal: ServiceProposal): void {
    if (proposal === this.#described) return;
    this.#described = proposal;
    const { profile, cleaned } = proposal;
    // The user edits it from here on, and edits are not tried.
    const api = { ...(profile.api as object), about: { tried: 'never' } };
    this.edit({
      text: JSON.stringify({ ...profile, api }, null, 2),
      generate: cleaned.answers.generate,
      status: cleaned.answers.status,
    });
  }

  edit(change: Partial<OwnProfile>): void {
    this.own = { ...this.own, ...change };
    void this.#check();
  }

  /** The own profile as it is written, once it is sound: not while a change of it is checked. */
  get offer(): ServiceOffer | null {
    return this.#isCurrent ? (this.checked?.offer ?? null) : null;
  }

  /** Where the key and the rows of a service would go; `null` when that cannot be said. */
  async preview({ profile }: ServiceOffer, baseUrl: string | null): Promise<ProfileChecked | null> {
    try {
      return await this.#client.profile.check({ profile, baseUrl });
    } catch {
      return null;
    }
  }

  #idInUse(): string | null {
    if (this.#inUse === null) return null;
    const { origin, isLocal } = this.#inUse;
    if (isLocal) return 'this-computer';
    return this.offers.find((offer) => offer.origin === origin)?.id ?? 'documented';
  }

  async #check(): Promise<void> {
    const turn = ++this.#turn;
    this.#isCurrent = false;
    const { text, generate, status } = this.own;
    const profile = jsonIn(text);
    if (profile === undefined) {
      this.checked = null;
      return;
    }
    try {
      const checked = await this.#client.profile.check({ profile, examples: { generate, status } });
      if (turn !== this.#turn) return;
      this.checked = checked;
      this.#isCurrent = true;
    } catch {
      if (turn === this.#turn) this.checked = null;
    }
  }
}
