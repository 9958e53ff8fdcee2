import { implement } from '@orpc/server';
import { contract } from '../contract/contract.ts';
import { folderFault } from '../engine/commands/folder-path.ts';
import type { Computer } from './computer.ts';
import type { ComputerCommands } from './computer-commands.ts';
import { toContractError } from './failures.ts';

const os = implement(contract.computer).use(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    throw toContractError(error);
  }
});

/** Answers a page's calls about the computer that its own process runs on. */
export function createComputerRouter(computer: Computer, commands: ComputerCommands) {
  return os.router({
    abilities: os.abilities.handler(() => computer.abilities),
    openFile: os.openFile.handler(({ input }) => commands.openFile(input.id)),
    showFile: os.showFile.handler(({ input }) => commands.showFile(input.id)),
    openFolder: os.openFolder.handler(({ input }) => commands.openFolder(input.batchId)),
    chooseFolder: os.chooseFolder.handler(async ({ input }) => ({
      // On Windows, opening a network folder would send the user's name to the network.
      folder: await computer.chooseFolder(
        input.startIn === undefined || folderFault(input.startIn) !== null
          ? undefined
          : input.startIn,
      ),
    })),
    dragOut: os.dragOut.handler(({ input }) => commands.dragOut(input.ids)),
    diagnostics: os.diagnostics.handler(async () => ({ text: await commands.diagnostics() })),
    wishes: os.wishes.handler(async function* ({ signal }) {
      yield* computer.pageRequests(signal ?? new AbortController().signal);
    }),
    updates: os.updates.handler(async function* ({ signal }) {
      yield* computer.updates(signal ?? new AbortController().signal);
    }),
    restartToUpdate: os.restartToUpdate.handler(() => computer.restartToUpdate()),
  });
}
