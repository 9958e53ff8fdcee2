import { utilityProcess } from 'electron';
import {
  decoderEnvironment,
  limitByKernel,
  type StartDecoder,
} from '../host/posters/decoder-process.ts';

/**
 * Starts the decoder as a utility process, which Electron ends with the app. The app's own
 * executable cannot run it: packaged builds refuse to be used as Node.
 */
export function decoderInUtilityProcess(file: string): StartDecoder {
  return () => {
    const child = utilityProcess.fork(file, [], {
      env: decoderEnvironment(process.env),
      stdio: ['ignore', 'ignore', 'ignore'],
      serviceName: 'Spool media decoder',
    });
    child.once('spawn', () => limitByKernel(child.pid));
    return {
      exited: new Promise((resolve) => {
        child.once('exit', () => resolve());
      }),
      post: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      kill: () => void child.kill(),
    };
  };
}
