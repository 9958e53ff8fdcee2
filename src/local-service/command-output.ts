import { createInterface } from 'node:readline';

/** Electron's port between a utility process and its parent. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

/** Prints a command's output and ends its process. */
export interface CommandOutput {
  /** Prints one line of JSON: the command's result. */
  print(answer: object): void;
  /** Prints a message for the user or process that started the command. */
  printError(text: string): void;
  /** Calls `stop` when the process is asked to end. */
  onStop(stop: () => void): void;
  /** Calls `listener` with each line from the process that started the command. */
  onLine(listener: (line: string) => void): void;
  /** Ends the process once all output has been delivered. */
  finish(exitCode: number): void;
}

export function commandOutput(): CommandOutput {
  // Electron sets it in the utility processes of the app only.
  const { parentPort } = process as { parentPort?: ParentPort };
  return parentPort ? new PortOutput(parentPort) : new StreamOutput();
}

/** Output of a process that a terminal or Node started. */
class StreamOutput implements CommandOutput {
  constructor() {
    // Without a listener, an error would end a running service; `finish` reports it.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  print(answer: object): void {
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }

  printError(text: string): void {
    process.stderr.write(text);
  }

  onStop(stop: () => void): void {
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  }

  onLine(listener: (line: string) => void): void {
    createInterface({ input: process.stdin }).on('line', listener);
  }

  finish(exitCode: number): void {
    const { stdout, stderr } = process;
    process.exitCode = exitCode;
    if (stdout.errored) {
      this.printError(`The output could not be written: ${stdout.errored.message}\n`);
      if (exitCode === 0) process.exitCode = 1;
    }
    // Windows loses what is still in the pipe when a process exits.
    if (stdout.writableLength + stderr.writableLength === 0) process.exit();
    stdout.write('', () => stderr.write('', () => process.exit()));
  }
}

/** How long the parent may take to read the last message and kill this process. */
const READ_TIMEOUT_MS = 5000;

/**
 * Output of an Electron utility process. Such a process does not end when idle and may lose its
 * last output (electron/electron#47228), so all output is sent as messages.
 */
class PortOutput implements CommandOutput {
  readonly #port: ParentPort;

  constructor(port: ParentPort) {
    this.#port = port;
  }

  print(answer: object): void {
    this.#port.postMessage({ kind: 'line', text: JSON.stringify(answer) });
  }

  printError(text: string): void {
    this.#port.postMessage({ kind: 'complaint', text });
  }

  onStop(stop: () => void): void {
    this.#port.on('message', ({ data }) => {
      if (data === 'stop') stop();
    });
    process.on('SIGTERM', stop);
  }

  onLine(listener: (line: string) => void): void {
    this.#port.on('message', ({ data }) => {
      if (typeof data === 'string' && data !== 'stop') listener(data);
    });
  }

  finish(exitCode: number): void {
    this.#port.postMessage({ kind: 'finished', exitCode });
    setTimeout(() => process.exit(exitCode), READ_TIMEOUT_MS);
  }
}
