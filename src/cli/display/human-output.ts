/** Where people's words go: a terminal, or whatever output was redirected to. */
export interface HumanOutput {
  readonly stream: NodeJS.WriteStream;
  /** Where failures go, so that they are seen when the rest is redirected. */
  readonly errors: NodeJS.WriteStream;
  /** Paths are shown as one would type them from here. */
  readonly cwd: string;
  readonly now: () => number;
}
