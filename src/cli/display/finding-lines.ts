import type { Finding } from '../doctor/finding.ts';
import { paint, type Canvas } from './canvas.ts';
import { plainText, wrapped } from './text-cells.ts';

const LOOKS = {
  good: { shape: '✓', colour: 'green' },
  note: { shape: '!', colour: 'yellow' },
  bad: { shape: '✕', colour: 'red' },
} as const;

/** As wide as the longest check's name. */
const CHECK_WIDTH = 9;

/** What was looked at and how it stands, and below that what can be done. */
export function findingLines(
  { check, state, message, advice }: Finding,
  details: readonly string[],
  canvas: Canvas,
): string {
  const { shape, colour } = LOOKS[state];
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
