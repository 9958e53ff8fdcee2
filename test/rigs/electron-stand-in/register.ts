/** `node --import` this, and a module named `electron` is the stand-in's, whoever asks for it. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'electron') return next(specifier, context);
    return { url: new URL('electron.ts', import.meta.url).href, shortCircuit: true };
  },
});
