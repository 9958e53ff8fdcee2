import type { CommandContext } from '../command-context.ts';
import { combineDisplays, type Display } from './display.ts';
import { JsonDisplay } from './json-display.ts';
import { LiveDisplay } from './live-display.ts';
import { PlainDisplay } from './plain-display.ts';

/**
 * Text for people goes to standard output, redrawn in place on a terminal; with `--json` it goes to
 * standard error, and standard output contains JSON only.
 */
export function displayFor(context: CommandContext, json: boolean): Display {
  const { stdout, stderr, cwd, now } = context;
  const stream = json ? stderr : stdout;
  const isTerminal = stream.isTTY && process.env.TERM !== 'dumb';
  const to = { stream, errors: stderr, cwd, now };
  const people = isTerminal ? new LiveDisplay(to) : new PlainDisplay(to);
  return json ? combineDisplays([new JsonDisplay(stdout), people]) : people;
}
