import { escapedJson } from '../../engine/json.ts';
import type { CommandContext } from '../command-context.ts';
import { canvasOf } from '../display/canvas.ts';
import { findingLines } from '../display/finding-lines.ts';
import { EXIT, type ExitCode, exitCodeOfInterruption } from '../exit-codes.ts';
import type { Finding } from './finding.ts';

/** Writes findings as they come, and determines the exit code. */
export class Report {
  readonly #context: CommandContext;
  readonly #isJson: boolean;
  /** Names of the checks that failed. */
  readonly #failedChecks = new Set<string>();

  constructor(context: CommandContext, isJson: boolean) {
    this.#context = context;
    this.#isJson = isJson;
  }

  /**
   * @param details lines below it, for people
   * @param data the same for programs
   */
  add(
    finding: Finding,
    details: readonly string[] = [],
    data: Readonly<Record<string, unknown>> = {},
  ): void {
    const { stdout } = this.#context;
    if (finding.state === 'bad') this.#failedChecks.add(finding.check);
    const text = this.#isJson
      ? escapedJson({ event: 'check', ...finding, ...data })
      : findingLines(finding, details, canvasOf(stdout));
    stdout.write(`${text}\n`);
  }

  /** Reports that the problem of an earlier finding of the same check was fixed, or not. */
  addFixed(finding: Finding): void {
    if (finding.state !== 'bad') this.#failedChecks.delete(finding.check);
    this.add(finding);
  }

  end(): ExitCode {
    const exitCode = this.#exitCode();
    const { stdout } = this.#context;
    if (this.#isJson) stdout.write(`${escapedJson({ event: 'ended', exitCode })}\n`);
    else if (exitCode === EXIT.allSaved) stdout.write('\nSpool is ready to run a batch.\n');
    return exitCode;
  }

  #exitCode(): ExitCode {
    const { interrupted } = this.#context;
    if (interrupted.aborted) return exitCodeOfInterruption(interrupted);
    if (this.#failedChecks.has('key')) return EXIT.keyRefused;
    return this.#failedChecks.size > 0 ? EXIT.someFailed : EXIT.allSaved;
  }
}
