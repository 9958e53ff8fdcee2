import { utilityProcess } from 'electron';
import { z } from 'zod';
import type { ServiceProgram } from '../host/service-program.ts';
import { TextTail } from '../host/text-tail.ts';
import { safeParse } from '../contract/safe-parse.ts';

/** Messages of the local service's program to its parent process (`command-output.ts`). */
const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('line'), text: z.string() }),
  z.object({ kind: z.literal('complaint'), text: z.string() }),
  z.object({ kind: z.literal('finished'), exitCode: z.int() }),
]);

/**
 * Starts the local service's program as a utility process, which Electron ends with the app. The
 * app's own executable cannot run it: packaged builds refuse to be used as Node.
 *
 * All communication is by messages: a utility process does not exit when idle, `kill` ends it
 * without a signal on Windows, and its last output is lost (docs/electron-checklist.md).
 */
export function serviceInUtilityProcess(file: string): ServiceProgram {
  return (args, _lifetime, onLine) => {
    const child = utilityProcess.fork(file, [...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      serviceName: 'Spool local service',
    });
    const errorOutput = new TextTail(child.stderr);
    let exitCode: number | null = null;
    child.on('message', (message: unknown) => {
      const { data: report } = safeParse(reportSchema, message);
      if (report?.kind === 'line') onLine(report.text);
      if (report?.kind === 'complaint') errorOutput.add(report.text);
      if (report?.kind === 'finished') {
        exitCode = report.exitCode;
        child.kill();
      }
    });
    return {
      errorOutput: () => errorOutput.text,
      exited: new Promise((resolve) => {
        child.once('exit', () => resolve(exitCode));
      }),
      send: (line) => child.postMessage(line),
      stop: () => child.postMessage('stop'),
      kill: () => child.kill(),
    };
  };
}
