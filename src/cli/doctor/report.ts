import { escapedJson } from '../../engine/escaped-json.ts';
import type { CommandContext } from '../command-context.ts';
import { canvasOf } from '../display/canvas.ts';
import { findingLines } from '../display/finding-lines.ts';
import { EXIT, type ExitCode, exitCodeOfInterruption } from '../exit-codes.ts';
import type { Finding } from './finding.ts';

/** Tells findings as they come, and remembers what the process should end with. */
export class Report {
  readonly #context: CommandContext;
  readonly #isJson: boolean;
  /** Checks that found something that does not work. */
  readonly #bad = new Set<string>();

  constructor(context: CommandContext, isJson: boolean) {
    this.#context = context;
    this.#isJson = isJson;
  }

  /**
   * @param details lines below it, for people
   * @param data the same for programs
   */
  tell(
    finding: Finding,
    details: readonly string[] = [],
    data: Readonly<Record<string, unknown>> = {},
  ): void {
    const { stdout } = this.#context;
    if (finding.state === 'bad') this.#bad.add(finding.check);
    const text = this.#isJson
      ? escapedJson({ event: 'check', ...finding, ...data })
      : findingLines(finding, details, canvasOf(stdout));
    stdout.write(`${text}\n`);
  }

  /** What an earlier finding of the same check was about has been seen to. */
  mended(finding: Finding): void {
    if (finding.state !== 'bad') this.#bad.delete(finding.check);
    this.tell(finding);
  }

  end(): ExitCode {
    const exitCode = this.#exitCode();
    const { stdout } = this.#context;
    if (this.#isJson) stdout.write(`${escapedJson({ event: 'ended', exitCode })}\n`);
    else if (exitCode === EXIT.allSaved) stdout.write('\nAll that a batch needs works here.\n');
    return exitCode;
  }

  #exitCode(): ExitCode {
    const { interrupted } = this.#context;
    if (interrupted.aborted) return exitCodeOfInterruption(interrupted);
    if (this.#bad.has('key')) return EXIT.keyRefused;
    return this.#bad.size > 0 ? EXIT.someFailed : EXIT.allSaved;
  }
}
