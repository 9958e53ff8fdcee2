import type { Abilities, AppUpdate } from '../../contract/computer.ts';
import type { Client } from '../../contract/contract.ts';
import { NO_ABILITIES } from '../../contract/no-abilities.ts';
import type { Commands } from './commands.svelte.ts';

/** What the page may use of the computer that runs the engine. */
export class Computer {
  abilities = $state.raw<Abilities>(NO_ABILITIES);
  /** The state of an update of the app. */
  update = $state.raw<AppUpdate>({ state: 'none' });
  /** The version that the user postponed. */
  postponed = $state<string | null>(null);

  readonly #commands: Commands;

  constructor(commands: Commands) {
    this.#commands = commands;
  }

  /** Reads the abilities. Until then, and on failure, there are none. */
  async load(client: Client): Promise<void> {
    this.abilities = await client.computer.abilities().catch(() => NO_ABILITIES);
  }

  open(id: string): Promise<unknown> {
    return this.#commands.run((client) => client.computer.openFile({ id }));
  }

  show(id: string): Promise<unknown> {
    return this.#commands.run((client) => client.computer.showFile({ id }));
  }

  openFolder(batchId: string): Promise<unknown> {
    return this.#commands.run((client) => client.computer.openFolder({ batchId }));
  }

  restartToUpdate(): Promise<unknown> {
    return this.#commands.run((client) => client.computer.restartToUpdate());
  }

  dragOut(ids: readonly string[]): Promise<unknown> {
    return this.#commands.run((client) => client.computer.dragOut({ ids: [...ids] }));
  }
}
