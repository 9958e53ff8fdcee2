import { ipcRenderer } from 'electron';

/**
 * Hands the page one port to the engine, when it asks for it, and nothing else. The page sees
 * neither Node nor Electron.
 */
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source !== window || event.data !== 'spool:port-please') return;
  const { port1, port2 } = new MessageChannel();
  ipcRenderer.postMessage('port', null, [port1]);
  window.postMessage('spool:port', window.location.origin, [port2]);
});
