/** Electron's port between a utility process and its parent. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

/** A command's output, and the end of its process. */
export interface CommandOutput {
  /** Prints one line of JSON: the command's result. */
  print(answer: object): void;
  /** Messages for the user or process that started the command. */
  printError(text: string): void;
  /** Calls `stop` when the process is asked to end. */
  onStop(stop: () => void): void;
  /** Ends the process once all output has been delivered. */
  finish(exitCode: number): void;
}

/** How the program recognizes that it runs as a utility process of the app. */
export function commandOutput(): CommandOutput {
  const { parentPort } = process as { parentPort?: ParentPort };
  return parentPort ? new PortOutput(parentPort) : new StreamOutput();
}

/** A program in a terminal, or one that Node started. */
class StreamOutput implements CommandOutput {
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

  finish(exitCode: number): void {
    process.exitCode = exitCode;
    const { stdout, stderr } = process;
    // Otherwise, output that is still in the pipe would be lost on Windows.
    if (stdout.writableLength + stderr.writableLength === 0) process.exit();
    stdout.write('', () => stderr.write('', () => process.exit()));
  }
}

/**
 * Milliseconds to wait for the parent, which reads the last message and then kills this process.
 */
const READ_TIMEOUT_MS = 5000;

/**
 * A utility process of Electron. It does not end when idle, and its last output may be lost
 * (electron/electron#47228), so everything is a message.
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

  finish(exitCode: number): void {
    this.#port.postMessage({ kind: 'finished', exitCode });
    setTimeout(() => process.exit(exitCode), READ_TIMEOUT_MS);
  }
}
