import type { Client } from '../../contract/contract.ts';
import type { RemovedRows, ServiceRemoved } from '../../contract/managed-service.ts';
import type { Flow, OtherServiceStatus, PausedPart, Summary } from '../../contract/summary.ts';
import { labelIn } from '../formatting/key-label.ts';
import type { Texts } from '../texts/en.ts';
import type { Commands } from './commands.svelte.ts';

type NamedService = Pick<OtherServiceStatus, 'name' | 'origin' | 'isLocal'>;

/** A service, whether or not it is shown. */
export type ServiceStatus = NamedService & Pick<OtherServiceStatus, 'counts' | 'flow'>;

const isPaused = ({ state }: Flow): boolean => state === 'paused';

/** The services of the queue. All of them run at the same time, and one is shown. */
export class ServicesState {
  readonly #client: Client;
  readonly #commands: Commands;
  readonly #summary: () => Summary | null;
  readonly #texts: () => Texts;
  /** By origin: the user's names, or those of the service profiles. */
  #names = $state.raw<Readonly<Partial<Record<string, string>>>>({});
  /** Origins that the names were read for, or are being read for. */
  #askedFor: readonly string[] = [];
  #generation = 0;

  constructor(
    client: Client,
    commands: Commands,
    summary: () => Summary | null,
    texts: () => Texts,
  ) {
    this.#client = client;
    this.#commands = commands;
    this.#summary = summary;
    this.#texts = texts;
  }

  /** Sorted by name. */
  readonly all: readonly ServiceStatus[] = $derived.by(() => {
    const summary = this.#summary();
    if (summary === null) return [];
    const { service, counts, flow, others } = summary;
    return [{ ...service, counts, flow }, ...others].toSorted((one, other) =>
      this.nameOf(one).localeCompare(this.nameOf(other)),
    );
  });

  get hasSeveral(): boolean {
    return this.all.length > 1;
  }

  /** Name of the shown service; `null` before the first summary. */
  get shownName(): string | null {
    const summary = this.#summary();
    return summary === null ? null : this.fullNameOf(summary.service);
  }

  /** The shown service's name if others run too, which a pause does not affect; else `null`. */
  get nameToPause(): string | null {
    const summary = this.#summary();
    if (summary?.others.some(({ flow }) => flow !== null) !== true) return null;
    return summary.service.isLocal ? this.#texts().frame.pausedComputer : this.shownName;
  }

  canPauseAll(): boolean {
    return this.nameToPause !== null && this.all.some(({ flow }) => flow && !isPaused(flow));
  }

  canResumeAll(): boolean {
    return this.nameToPause !== null && this.all.some(({ flow }) => flow && isPaused(flow));
  }

  /** Pauses the service that is shown. */
  pause(what: PausedPart): Promise<unknown> {
    return this.runForShown((client, origin) => client.queue.pause({ origin, what }));
  }

  /** Resumes the service that is shown. */
  resume(): Promise<unknown> {
    return this.runForShown((client, origin) => client.queue.resume({ origin }));
  }

  /** Pauses sending automatically before a row; `null` removes that pause point. */
  async stopBefore(id: string | null): Promise<void> {
    await this.runForShown((client, origin) => client.queue.stopBefore({ origin, id }));
  }

  /** Runs a command for the service that is shown now; see `Commands.run`. */
  async runForShown<Answer>(
    command: (client: Client, origin: string) => Promise<Answer>,
  ): Promise<Answer | null> {
    const origin = this.#summary()?.service.origin;
    if (origin === undefined) return null;
    return this.#commands.run((client) => command(client, origin));
  }

  pauseAll(): Promise<unknown> {
    return this.#commands.run((client) => client.services.pauseAll({}));
  }

  resumeAll(): Promise<unknown> {
    return this.#commands.run((client) => client.services.resumeAll());
  }

  /** The user's name, or else the profile's; the host of a service that has no profile. */
  nameOf({ isLocal, name, origin }: NamedService): string {
    return isLocal ? this.#texts().frame.thisComputer : (this.#names[origin] ?? name);
  }

  /** The host, where two services have the same name. */
  hostOf(service: NamedService): string | null {
    const name = this.nameOf(service);
    const isAmbiguous = this.all.some(
      (other) => other.origin !== service.origin && this.nameOf(other) === name,
    );
    const host = service.origin.replace(/^https:\/\//, '');
    return isAmbiguous && host !== name ? host : null;
  }

  /** The name, and the host where another service has the same name. */
  fullNameOf(service: NamedService): string {
    const [name, host] = [this.nameOf(service), this.hostOf(service)];
    return host === null ? name : this.#texts().frame.serviceAt(name, host);
  }

  /** Shows another service of the queue. The previous one continues. */
  show(origin: string): Promise<unknown> {
    return this.#commands.run((client) => client.services.show({ origin }));
  }

  /** Reads the names when there is a service whose name was not read yet. */
  onSummary({ service, others }: Summary): void {
    const remote = [service, ...others].filter(({ isLocal }) => !isLocal);
    if (remote.some(({ origin }) => !this.#askedFor.includes(origin))) void this.#read();
  }

  /** @param name empty for the name of its profile */
  async rename(origin: string, name: string): Promise<void> {
    await this.#commands.run((client) => client.services.rename({ origin, name: labelIn(name) }));
  }

  /** @returns `null` if it was refused, and the reason is shown */
  remove(origin: string, rows: RemovedRows): Promise<ServiceRemoved | null> {
    return this.#commands.run((client) => client.services.remove({ origin, rows }));
  }

  /** Reads the names again, since a service or a profile may have been renamed. */
  onSettings(): void {
    if (this.#askedFor.length > 0) void this.#read();
  }

  async #read(): Promise<void> {
    const generation = ++this.#generation;
    const before = this.#askedFor;
    this.#askedFor = this.#origins();
    try {
      const services = await this.#client.services.list();
      if (generation !== this.#generation) return;
      this.#names = Object.fromEntries(services.map(({ origin, name }) => [origin, name]));
    } catch {
      // The next summary asks again.
      if (generation === this.#generation) this.#askedFor = before;
    }
  }

  #origins(): string[] {
    const summary = this.#summary();
    return summary === null ? [] : [summary.service, ...summary.others].map(({ origin }) => origin);
  }
}
