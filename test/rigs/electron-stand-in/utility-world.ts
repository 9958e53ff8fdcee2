/**
 * Load with `node --import` in a child process to make it look like a utility process of Electron.
 */
import { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';
import type { ParentPort } from 'electron';
import { becomeElectron } from './as-electron.ts';

becomeElectron(isMainThread ? 'utility' : 'worker');
if (isMainThread) Object.defineProperty(process, 'parentPort', { value: openParentPort() });

/** Takes over the channel of `child_process`, which a utility process does not have. */
function openParentPort(): ParentPort {
  const send = process.send?.bind(process);
  if (!send) throw new Error('A utility process of the stand-in is started by its fork.');
  const port = new EventEmitter();
  const early: unknown[] = [];
  const emit = (data: unknown): boolean => port.emit('message', { data, ports: [] });
  // This listener keeps the process alive: a utility process does not end when it is idle
  // (electron/electron#47228).
  process.on('message', (data) => {
    if (port.listenerCount('message') > 0) emit(data);
    else early.push(data);
  });
  port.on('newListener', (event) => {
    if (event === 'message') setImmediate(() => early.splice(0).forEach(emit));
  });
  // It ends with the main process, however that ends.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  Object.assign(process, { send: undefined });
  return Object.assign(port, {
    postMessage(message: unknown): void {
      const copy = structuredClone(message);
      // A process that calls `process.exit` at once does not send it.
      setImmediate(() => send(copy));
    },
  });
}
