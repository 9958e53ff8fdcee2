import { ipcRenderer, webUtils } from 'electron';

/**
 * Hands the page one port to the engine, when it asks for it, and passes the paths of files that
 * the user drops or chooses to the main process; of those that are dropped on a field for files, to
 * that field, each on its line. The page sees neither Node nor Electron, and no other path: a
 * script of the page can make no file that has one.
 */
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source !== window || event.data !== 'spool:port-please') return;
  const { port1, port2 } = new MessageChannel();
  ipcRenderer.postMessage('port', null, [port1]);
  window.postMessage('spool:port', window.location.origin, [port2]);
});

// Before the page's own listeners, which empty the input.
window.addEventListener(
  'drop',
  ({ target, dataTransfer }) => {
    const field =
      target instanceof Element ? target.closest<HTMLElement>('[data-takes="file"]') : null;
    if (field === null) take(dataTransfer?.files);
    else field.dataset.files = pathsOf(dataTransfer?.files).join('\n');
  },
  true,
);
window.addEventListener(
  'change',
  ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset.takes === 'batches') {
      take(target.files);
    }
  },
  true,
);

function take(files: FileList | null | undefined): void {
  const paths = pathsOf(files);
  if (paths.length > 0) ipcRenderer.postMessage('files', JSON.stringify(paths));
}

/** Of those that are on the disk. */
function pathsOf(files: FileList | null | undefined): string[] {
  const paths = [...(files ?? [])].map((file) => webUtils.getPathForFile(file));
  return paths.filter((path) => path !== '');
}
