import type { Clock } from '../../src/engine/clock.ts';
import type { CommandContext } from '../../src/engine/commands/command-context.ts';
import { Serial } from '../../src/engine/serial.ts';
import { fileCommands } from '../../src/engine/commands/file-commands.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import type { Store } from '../../src/engine/jobs/store.ts';
import { systemClock } from '../../src/engine/system-clock.ts';

/** The commands that rename files, on a store without an engine. */
export function fileCommandsOn(
  store: Store,
  clock: Clock = systemClock,
  naming = new Serial(),
): Pick<Commands['files'], 'planRename' | 'rename'> {
  return fileCommands({
    store,
    clock,
    naming,
    renaming: new Serial(),
    runtime: { backUp: () => undefined },
    stop: new AbortController().signal,
  } as CommandContext);
}
