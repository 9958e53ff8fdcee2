import { styleText } from 'node:util';

/** How a display draws: styles are left out where the terminal or the user does not want them. */
export interface Canvas {
  /** Terminal cells in a line, at least 20. */
  readonly width: number;
  readonly colours: boolean;
}

export type Style = Parameters<typeof styleText>[0];

export function paint({ colours }: Canvas, style: Style, text: string): string {
  return colours ? styleText(style, text, { validateStream: false }) : text;
}

/** What is not a terminal has no width; its reader may have one. */
export const PAPER: Canvas = { width: 120, colours: false };

/** What a stream can show now. Asked for anew every time, because terminals change their size. */
export function canvasOf(stream: NodeJS.WriteStream): Canvas {
  if (!stream.isTTY) return PAPER;
  // One cell is left free: some terminals wrap a line that is exactly full.
  const width = Math.max(20, (stream.columns || 80) - 1);
  return { width, colours: stream.hasColors() };
}
