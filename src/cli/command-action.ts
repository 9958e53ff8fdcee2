/** How commands run: each imports its implementation, and its exit code becomes the program's. */
import type { CommandContext } from './command-context.ts';

/**
 * Makes Commander's action of a command. The implementation is imported when it runs: loading all of
 * them takes three times as long as the rest.
 */
export type CommandAction = <Values extends unknown[]>(
  run: (context: CommandContext, ...values: Values) => Promise<number>,
) => (...values: Values) => Promise<void>;

export function commandAction(
  context: CommandContext,
  setExitCode: (exitCode: number) => void,
): CommandAction {
  return (run) =>
    async (...values) =>
      setExitCode(await run(context, ...values));
}
