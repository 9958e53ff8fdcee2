import type { Client } from '../../contract/contract.ts';
import type { ServiceProposal } from '../../contract/service-examples.ts';
import type { ProfileChecked, ServiceOffer } from '../../contract/service-offer.ts';
import { isUnlimited } from '../../contract/this-computer.ts';
import type { Summary } from '../../contract/summary.ts';
import { PRACTICE } from '../formatting/service-words.ts';
import { jsonIn } from './profile-state.svelte.ts';

/** A profile that is being written or adapted. */
export interface OwnProfile {
  /** As JSON. */
  readonly text: string;
  readonly generate: string;
  readonly status: string;
}

type ServiceInUse = Pick<Summary, 'service' | 'quota'>;

const HERE = 'this-computer';

/** The service whose profile is the template for a new one. */
const TEMPLATE_ID = 'runway';

/** The services that can be chosen, the shown one, and the user's own profile. */
export class ServiceChoice {
  offers = $state.raw<readonly ServiceOffer[]>([]);
  /** True when reading failed and there is nothing older to show. */
  unreadable = $state(false);
  search = $state('');
  /** The id of the service that is shown. */
  shownId = $state<string | null>(null);
  own = $state.raw<OwnProfile>({ text: '', generate: '', status: '' });
  /** The engine's check of the own profile; `null` before the first one, and for invalid JSON. */
  checked = $state.raw<ProfileChecked | null>(null);

  readonly shown = $derived(this.offers.find(({ id }) => id === this.shownId) ?? null);

  readonly #client: Client;
  /** Whether `checked` is of the current text. */
  #isCurrent = $state(false);
  #generation = 0;
  /** The proposal that the own profile was started from, if any. */
  #startedFrom: ServiceProposal | null = null;
  #inUse: ServiceInUse | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Clears the search. `open` then shows the service that is in use. */
  showInUse(inUse: ServiceInUse | null): void {
    this.#inUse = inUse;
    this.search = '';
    this.shownId = null;
  }

  async open(): Promise<void> {
    try {
      const offers = await this.#client.profile.services();
      this.offers = offers.flatMap((offer) =>
        offer.id === HERE ? [offer, { ...offer, id: PRACTICE }] : [offer],
      );
      this.unreadable = false;
      this.shownId ??= this.#idInUse() ?? this.offers[0]?.id ?? null;
    } catch {
      this.unreadable = this.offers.length === 0;
    }
  }

  /** Starts an own profile from that of an offer; from a template when `null`. */
  startFrom(offer: ServiceOffer | null): void {
    const from = offer ?? this.offers.find(({ id }) => id === TEMPLATE_ID) ?? null;
    if (from === null) return;
    this.#startedFrom = null;
    // The address of the template does not apply to another service.
    const api = from.profile.api && { ...from.profile.api, origin: offer && from.origin };
    const { documentation, readOn } = {
      documentation: null,
      readOn: null,
      ...(offer === null ? {} : from.profile.api?.about),
    };
    // The user edits the profile from here on, so it no longer counts as tested.
    const tried = 'never';
    const profile = {
      ...from.profile,
      ...(offer === null ? { name: '' } : {}),
      ...(api ? { api: { ...api, about: { documentation, readOn, tried } } } : {}),
    };
    this.edit({ text: JSON.stringify(profile, null, 2), generate: '', status: '' });
  }

  /** Starts an own profile from a proposal; keeps the text if that is still the same proposal. */
  startFromProposal(proposal: ServiceProposal): void {
    if (proposal === this.#startedFrom) return;
    this.#startedFrom = proposal;
    const { profile, cleaned } = proposal;
    // The user edits the profile from here on, so it no longer counts as tested.
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

  /** The own profile; `null` when it is invalid, and while a change of it is being checked. */
  get offer(): ServiceOffer | null {
    return this.#isCurrent ? (this.checked?.offer ?? null) : null;
  }

  /** Where the key and the rows of a service would be sent; `null` without an answer. */
  async preview({ profile }: ServiceOffer, baseUrl: string | null): Promise<ProfileChecked | null> {
    try {
      return await this.#client.profile.check({ profile, baseUrl });
    } catch {
      return null;
    }
  }

  #idInUse(): string | null {
    if (this.#inUse === null) return null;
    const { origin, isLocal } = this.#inUse.service;
    if (isLocal) return isUnlimited(this.#inUse) ? HERE : PRACTICE;
    return this.offers.find((offer) => offer.origin === origin)?.id ?? 'documented';
  }

  async #check(): Promise<void> {
    const generation = ++this.#generation;
    this.#isCurrent = false;
    const { text, generate, status } = this.own;
    const profile = jsonIn(text);
    if (profile === undefined) {
      this.checked = null;
      return;
    }
    try {
      const checked = await this.#client.profile.check({ profile, examples: { generate, status } });
      if (generation !== this.#generation) return;
      this.checked = checked;
      this.#isCurrent = true;
    } catch {
      if (generation === this.#generation) this.checked = null;
    }
  }
}
