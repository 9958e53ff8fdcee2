import { ipcRenderer, webUtils } from 'electron';

/**
 * Hands the page one port to the engine, when it asks for it, and passes the paths of files that
 * the user drops or chooses to the main process; of one that is dropped on a field for a file, to that
 * field. The page sees neither Node nor Electron, and no other path: a script of the page can make no
 * file that has one.
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
    const [file] = dataTransfer?.files ?? [];
    if (field === null) take(dataTransfer?.files);
    else if (file !== undefined) field.dataset.file = webUtils.getPathForFile(file);
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
  const paths = [...(files ?? [])].map((file) => webUtils.getPathForFile(file));
  const known = paths.filter((path) => path !== '');
  if (known.length > 0) ipcRenderer.postMessage('files', JSON.stringify(known));
}
