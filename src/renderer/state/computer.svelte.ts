import type { Abilities, AppUpdate } from '../../contract/computer.ts';
import type { Client } from '../../contract/contract.ts';
import { NO_ABILITIES } from '../../contract/no-abilities.ts';
import type { Commands } from './commands.svelte.ts';

/** The computer that runs the engine, as far as the page may use it. */
export class Computer {
  abilities = $state.raw<Abilities>(NO_ABILITIES);
  /** What is known of a newer version of the app. */
  update = $state.raw<AppUpdate>({ state: 'none' });
  /** The version that the user postponed. */
  postponed = $state<string | null>(null);

  readonly #commands: Commands;

  constructor(commands: Commands) {
    this.#commands = commands;
  }

  /** Asks what there is; until then, and without an answer, there is nothing. */
  async meet(client: Client): Promise<void> {
    this.abilities = await client.computer.abilities().catch(() => NO_ABILITIES);
  }

  open(id: string): Promise<unknown> {
    return this.#commands.run((client) => client.computer.openFile({ id }));
  }

  show(id: string): Promise<unknown> {
    return this.#commands.run((client) => client.computer.showFile({ id }));
  }

  restartToUpdate(): Promise<unknown> {
    return this.#commands.run((client) => client.computer.restartToUpdate());
  }

  dragOut(ids: readonly string[]): Promise<unknown> {
    return this.#commands.run((client) => client.computer.dragOut({ ids: [...ids] }));
  }
}
