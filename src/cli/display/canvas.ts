import { styleText } from 'node:util';

/** How to draw on an output: without styles if the terminal or the user does not want them. */
export interface Canvas {
  /** Terminal cells in a line, at least 20. */
  readonly width: number;
  readonly colours: boolean;
}

export type Style = Parameters<typeof styleText>[0];

export function paint({ colours }: Canvas, style: Style, text: string): string {
  return colours ? styleText(style, text, { validateStream: false }) : text;
}

/** For outputs that are not terminals: they have no width of their own. */
export const NON_TERMINAL: Canvas = { width: 120, colours: false };

/** The present abilities of a stream. Call it for each use, because terminals change their size. */
export function canvasOf(stream: NodeJS.WriteStream): Canvas {
  if (!stream.isTTY) return NON_TERMINAL;
  // One cell is left free: some terminals wrap a line that is exactly full.
  const width = Math.max(20, (stream.columns || 80) - 1);
  return { width, colours: stream.hasColors() };
}
