/** Load with `node --import`: imports of `electron` then resolve to the stand-in. */
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { becomeElectron } from './as-electron.ts';

becomeElectron(isMainThread ? 'browser' : 'worker');

// Electron has no such module in worker threads.
if (isMainThread) {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'electron') return next(specifier, context);
      return { url: new URL('electron.ts', import.meta.url).href, shortCircuit: true };
    },
  });
}
