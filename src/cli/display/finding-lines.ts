import type { Finding } from '../doctor/finding.ts';
import { paint, type Canvas } from './canvas.ts';
import { plainText } from './safe-text.ts';
import { wrapped } from './text-cells.ts';

const STYLES = {
  good: { shape: '✓', colour: 'green' },
  note: { shape: '!', colour: 'yellow' },
  bad: { shape: '✕', colour: 'red' },
} as const;

/** Cells for the longest check name. */
const CHECK_WIDTH = 9;

/** A check's result, and below it what the user can do. */
export function findingLines(
  { check, state, message, advice }: Finding,
  details: readonly string[],
  canvas: Canvas,
): string {
  const { shape, colour } = STYLES[state];
  const left = CHECK_WIDTH + 4;
  const lines = (text: string): string[] => wrapped(plainText(text), canvas.width - left);
  const [first = '', ...more] = lines(message);
  const below = [...more, ...details.flatMap(lines)];
  const whatToDo = advice === undefined ? [] : lines(advice);
  return [
    `${paint(canvas, colour, shape)} ${check.padEnd(CHECK_WIDTH)}  ${first}`,
    ...below.map((line) => ' '.repeat(left) + line),
    ...whatToDo.map((line) => ' '.repeat(left) + paint(canvas, 'dim', line)),
  ].join('\n');
}
