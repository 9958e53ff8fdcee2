/** The outputs for people: a terminal, or a redirected stream. */
export interface HumanOutput {
  readonly stream: NodeJS.WriteStream;
  /** For failures, so that they stay visible when the other output is redirected. */
  readonly errors: NodeJS.WriteStream;
  /** Paths are shown relative to this folder. */
  readonly cwd: string;
  readonly now: () => number;
}
