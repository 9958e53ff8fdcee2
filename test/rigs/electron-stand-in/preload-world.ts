/**
 * Wraps a preload script for its isolated world: the page's own scripts cannot see it. It gets the
 * parts of Electron's sandboxed preload API that are used; messages and ports go through the
 * binding to the main process and return through `deliver`.
 */
export function preloadWorld(preload: string): string {
  return `(() => {
  if (window !== window.top) return;
  const ports = new Map();
  globalThis.${FILES} = [];
  const send = (message) => ${BINDING}(JSON.stringify(message));
  const plain = (data) => {
    if (typeof data === 'string' || data === null) return { text: data };
    // Electron clones bytes as it clones text; the protocol of Chromium's tools carries text only.
    if (data instanceof ArrayBuffer) return { bytes: new Uint8Array(data).toBase64(), type: 'buffer' };
    if (data instanceof Uint8Array) return { bytes: data.toBase64(), type: 'array' };
    throw new Error('The stand-in for Electron carries only text and bytes between processes.');
  };
  const strict = (name, target) => new Proxy(target, {
    get(object, property) {
      if (property in object) return object[property];
      throw new Error('The stand-in for Electron has no ' + name + '.' + String(property) + '.');
    },
  });
  const ipcRenderer = strict('ipcRenderer', {
    postMessage(channel, message, transfer = []) {
      const ids = transfer.map((port) => {
        const id = ports.size + 1;
        ports.set(id, port);
        port.onmessage = ({ data }) => send({ kind: 'port', id, ...plain(data) });
        return id;
      });
      send({ kind: 'message', channel, ports: ids, ...plain(message) });
    },
  });
  const webUtils = strict('webUtils', {
    // Only Chromium's process knows the path: the main process fills it in.
    getPathForFile: (file) => '${FILE_MARK}' + (${FILES}.push(file) - 1) + '${FILE_MARK}',
  });
  const electron = strict('electron', { ipcRenderer, webUtils });
  globalThis.${DELIVER} = (id, text) => ports.get(id)?.postMessage(text);
  // Runs after the page's own listeners: if one of them prevents the default, Electron gets no
  // event.
  window.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented) return;
    const [target] = event.composedPath();
    const isEditable =
      target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('textarea, input:not([type=checkbox], [type=radio], [type=file])'));
    const selectionText = String(window.getSelection());
    send({ kind: 'context-menu', params: { isEditable, selectionText } });
  });
  const require = (name) => {
    if (name === 'electron') return electron;
    throw new Error('A sandboxed preload script cannot require ' + name + '.');
  };
  const module = { exports: {} };
  ((require, module, exports) => {
${preload}
  })(require, module, module.exports);
})();`;
}

/** The name by which the isolated world reaches the main process. */
export const BINDING = 'standInSend';

/** The list of files whose paths were requested, in the isolated world. */
export const FILES = 'standInFiles';

/** Before and after the number of such a file, in the place of its path. */
export const FILE_MARK = '|stand-in-file|';

/** The name by which the main process reaches a port of the isolated world. */
export const DELIVER = 'standInDeliver';
