import type { CommandContext } from '../command-context.ts';
import { together, type Display } from './display.ts';
import { JsonDisplay } from './json-display.ts';
import { LiveDisplay } from './live-display.ts';
import { PlainDisplay } from './plain-display.ts';

/**
 * People's words go to standard output, drawn in place on a terminal; with `--json` they go to
 * standard error and standard output is for programs alone.
 */
export function displayFor(context: CommandContext, json: boolean): Display {
  const { stdout, stderr, cwd, now } = context;
  const stream = json ? stderr : stdout;
  const isTerminal = stream.isTTY && process.env.TERM !== 'dumb';
  const to = { stream, errors: stderr, cwd, now };
  const people = isTerminal ? new LiveDisplay(to) : new PlainDisplay(to);
  return json ? together([new JsonDisplay(stdout), people]) : people;
}
