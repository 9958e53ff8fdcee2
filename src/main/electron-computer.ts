import { dialog, nativeImage, shell, type BrowserWindow, type OpenDialogOptions } from 'electron';
import { FILE_EXTENSIONS } from '../contract/file-kinds.ts';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import type { Computer } from '../host/computer.ts';
import { icon } from './icons.ts';
import type { Texts } from './texts.ts';
import type { Updates } from './updates.ts';
import type { PageRequests } from './page-requests.ts';

/**
 * The desktop functions of the window.
 *
 * @param windowNow the window that shows the page; `null` if there is none
 * @param texts in the language of now
 */
export function electronComputer(
  windowNow: () => BrowserWindow | null,
  requests: PageRequests,
  updates: Updates,
  texts: () => Texts,
): Computer {
  const choose = async (
    wanted: OpenDialogOptions,
    startIn: string | undefined,
  ): Promise<readonly string[]> => {
    const window = windowNow();
    const options = startIn === undefined ? wanted : { ...wanted, defaultPath: startIn };
    const { filePaths } = window
      ? await dialog.showOpenDialog(window, options)
      : await dialog.showOpenDialog(options);
    return filePaths;
  };
  // `startDrag` requires an image to show under the pointer.
  const dragImage = nativeImage.createFromPath(icon(64));
  return {
    abilities: {
      open: true,
      show: true,
      chooseFolder: true,
      chooseFile: true,
      dragOut: true,
      notify: true,
      update: updates.isSupported,
      takeFiles: true,
      trash: true,
    },
    async open(path) {
      const failure = await shell.openPath(path);
      if (failure !== '')
        throw new NotPossibleNowError(userMessage('cannot-be-opened', { trouble: failure }));
    },
    show(path) {
      shell.showItemInFolder(path);
      return Promise.resolve();
    },
    trash: (path) => shell.trashItem(path),
    async chooseFolder(startIn) {
      const [folder] = await choose({ properties: ['openDirectory', 'createDirectory'] }, startIn);
      return folder ?? null;
    },
    chooseFiles({ kind, several, startIn }) {
      // The page words no dialog of the system.
      const filter = { name: texts().fileKinds[kind], extensions: [...FILE_EXTENSIONS[kind]] };
      const properties = ['openFile' as const, ...(several ? (['multiSelections'] as const) : [])];
      return choose({ properties, filters: [filter] }, startIn);
    },
    // Nothing is awaited: a drag must begin while the pointer moves.
    // eslint-disable-next-line @typescript-eslint/require-await -- what is thrown becomes the promise's
    async dragOut(paths) {
      const [file = ''] = paths;
      windowNow()?.webContents.startDrag({ file, files: [...paths], icon: dragImage });
    },
    pageRequests: (signal) => requests.requests(signal),
    updates: (signal) => updates.state.values(signal),
    // eslint-disable-next-line @typescript-eslint/require-await -- what is thrown becomes the promise's
    async restartToUpdate() {
      updates.restart();
    },
  };
}
