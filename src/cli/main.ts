import { proxySettings } from '../engine/proxy.ts';
import { LOCAL_SERVICE_FILE, serviceProgramInNode } from '../host/service-program.ts';
import { EXIT, Interruption } from './exit-codes.ts';
import { runSpool } from './run-spool.ts';

/** Reads the key once and removes it, so that child processes do not inherit it. */
function takeKeyFromEnvironment(): string | null {
  const key = process.env.SPOOL_API_KEY?.trim();
  delete process.env.SPOOL_API_KEY;
  return key === undefined || key === '' ? null : key;
}

/** The first signal requests a safe end; a second one ends the process at once. */
function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const interruption = new Interruption(signal);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closed its end, such as `head`, wants no further output.
    if (error.code === 'EPIPE') controller.abort();
    else if (!controller.signal.aborted) {
      reportAtExit(error);
      controller.abort(new Interruption('output'));
    }
  });
  // Without a listener, an error would end the process at once, with requests still running.
  process.stderr.on('error', () => undefined);
  return controller.signal;
}

/** Output that is missing, as on a full disk, is a failure. It may be noticed after the last write. */
function reportAtExit({ message }: Error): void {
  process.once('exit', () => {
    process.stderr.write(`The output could not be written: ${message}\n`);
    if (process.exitCode === EXIT.allSaved) process.exitCode = EXIT.outputFailed;
  });
}

process.exitCode = await runSpool(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  cwd: process.cwd(),
  now: () => Date.now(),
  proxySettings: proxySettings(process.env),
  keyFromEnvironment: takeKeyFromEnvironment(),
  interrupted: abortOnSignal(),
  serviceProgram: serviceProgramInNode(LOCAL_SERVICE_FILE),
});
