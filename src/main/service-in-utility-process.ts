import { PassThrough, type Readable } from 'node:stream';
import { utilityProcess } from 'electron';
import type { ServiceProgram } from '../host/service-program.ts';

/**
 * Starts the local service's program as a utility process, which Electron ends with the app. The
 * app's own executable cannot run it: packaged builds refuse to be used as Node.
 */
export function serviceInUtilityProcess(file: string): ServiceProgram {
  return (args) => {
    const child = utilityProcess.fork(file, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      serviceName: 'Spool local service',
    });
    return {
      stdout: readable(child.stdout),
      stderr: readable(child.stderr),
      exited: new Promise((resolve) => {
        child.once('exit', resolve);
      }),
      end: () => {
        child.kill();
      },
    };
  };
}

/** With `pipe` there always is a stream; its type also covers `ignore`. */
function readable(stream: NodeJS.ReadableStream | null): Readable {
  const through = new PassThrough();
  stream?.pipe(through);
  return through;
}
