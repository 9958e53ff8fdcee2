import { app, clipboard, dialog, shell, type BrowserWindow } from 'electron';
import type { Client } from '../contract/contract.ts';
import { failureOf } from '../host/failures.ts';
import type { MenuActions } from './menu.ts';
import { BATCH_EXTENSIONS, type Opened } from './opened.ts';
import type { Texts } from './texts.ts';
import type { PageRequests } from './page-requests.ts';

export interface CommandParts {
  readonly client: Client;
  readonly pageRequests: PageRequests;
  readonly onDefect: (error: unknown) => void;
}

/** Runs a contract command for a menu; the page shows the failure if it fails. */
export type RunCommand = (command: (client: Client) => Promise<unknown>) => void;

export function runCommandsWith({ client, pageRequests, onDefect }: CommandParts): RunCommand {
  return (command) => {
    command(client).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure === null) onDefect(error);
      else pageRequests.add({ kind: 'tell', failure });
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

/** The actions of the menu items. */
export function menuCommands(parts: MenuCommandParts): MenuActions {
  const { pageRequests, logFile, run: runCommand, show, onDefect } = parts;
  return {
    addPageRequest(request) {
      pageRequests.add(request);
      show();
    },
    openBatch: () => void chooseBatch(parts).catch(onDefect),
    openVideosFolder: () => runCommand((client) => client.computer.openFolder({})),
    setPaused: (on) =>
      runCommand((client) => (on ? client.services.pauseAll({}) : client.services.resumeAll())),
    setStartAtLogin: (wanted) =>
      runCommand((client) => client.settings.set({ startAtLogin: wanted })),
    setUpdates: (channel) => runCommand((client) => client.settings.set({ updates: channel })),
    restartToUpdate: () => runCommand((client) => client.computer.restartToUpdate()),
    copyDiagnostics: () =>
      runCommand(async (client) => {
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
