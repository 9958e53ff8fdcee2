import { LOCAL_SERVICE_FILE, serviceProgramInNode } from '../host/service-program.ts';
import { Interruption } from './exit-codes.ts';
import { runSpool } from './run-spool.ts';

/** Read once, and gone before anything is started that would inherit it. */
function takeKeyFromEnvironment(): string | null {
  const key = process.env.SPOOL_API_KEY?.trim();
  delete process.env.SPOOL_API_KEY;
  return key === undefined || key === '' ? null : key;
}

/** The first signal asks for a safe end; whoever sends a second one does not want to wait. */
function onInterruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const interruption = new Interruption(signal);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  }
  // A reader that closed its end, such as `head`, wants no more of it either.
  process.stdout.on('error', () => controller.abort());
  return controller.signal;
}

process.exitCode = await runSpool(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  cwd: process.cwd(),
  now: () => Date.now(),
  keyFromEnvironment: takeKeyFromEnvironment(),
  interrupted: onInterruption(),
  serviceProgram: serviceProgramInNode(LOCAL_SERVICE_FILE),
});
