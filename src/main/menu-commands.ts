import { app, clipboard, dialog, shell, type BrowserWindow } from 'electron';
import type { Client } from '../contract/contract.ts';
import { failureOf } from '../host/failures.ts';
import type { MenuActions } from './menu.ts';
import { BATCH_EXTENSIONS, type Opened } from './opened.ts';
import type { Texts } from './texts.ts';
import type { PageRequests } from './page-requests.ts';

export interface CommandParts {
  readonly client: Client;
  readonly wishes: PageRequests;
  readonly onDefect: (error: unknown) => void;
}

/** Gives a command of the system's side; the page tells the user when it did not work. */
export type RunCommand = (command: (client: Client) => Promise<unknown>) => void;

export function runCommandsWith({ client, wishes, onDefect }: CommandParts): RunCommand {
  return (command) => {
    command(client).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure === null) onDefect(error);
      else wishes.add({ kind: 'tell', failure });
    });
  };
}

export interface MenuCommandParts extends CommandParts {
  readonly texts: () => Texts;
  /** Absolute path. */
  readonly logFile: string;
  readonly run: RunCommand;
  /** Brings the window to the front. */
  readonly show: () => void;
  readonly windowNow: () => BrowserWindow | null;
  readonly open: (opened: readonly Opened[]) => void;
}

/** What the items of the menus do. */
export function menuCommands(parts: MenuCommandParts): MenuActions {
  const { wishes, logFile, run: give, show, onDefect } = parts;
  return {
    wish(wish) {
      wishes.add(wish);
      show();
    },
    openBatch: () => void chooseBatch(parts).catch(onDefect),
    openVideosFolder: () => give((client) => client.computer.openFolder({})),
    setPaused: (on) => give((client) => (on ? client.queue.pause({}) : client.queue.resume())),
    setStartAtLogin: (wanted) => give((client) => client.settings.set({ startAtLogin: wanted })),
    setUpdates: (channel) => give((client) => client.settings.set({ updates: channel })),
    restartToUpdate: () => give((client) => client.computer.restartToUpdate()),
    copyDiagnostics: () =>
      give(async (client) => {
        await clipboard.writeText((await client.computer.diagnostics()).text);
      }),
    showLogs: () => shell.showItemInFolder(logFile),
    showWindow: show,
    quit: () => app.quit(),
  };
}

async function chooseBatch({ texts, show, windowNow, open }: MenuCommandParts): Promise<void> {
  show();
  const window = windowNow();
  const options = {
    properties: ['openFile' as const, 'multiSelections' as const],
    filters: [{ name: texts().batches, extensions: [...BATCH_EXTENSIONS] }],
  };
  const { filePaths } = window
    ? await dialog.showOpenDialog(window, options)
    : await dialog.showOpenDialog(options);
  open(filePaths.map((file) => ({ kind: 'batch-file', path: file })));
}
