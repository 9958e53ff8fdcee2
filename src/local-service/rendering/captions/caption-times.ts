/** Decides when each caption is shown. */
import type { Caption, Captions } from './caption-schema.ts';

/** While a voice speaks; see `speechOf`. In steps of 10 ms. */
export type Speech = readonly boolean[];

/** Characters that can be read in a second beside a moving picture. */
const READING_SPEED = 17;
/** Of a sentence, in seconds. */
const MIN_SECONDS = 1;
/** Captions at a time: more cannot be read. */
const MAX_TOGETHER = 4;
/** Two captions that overlap for less time were meant to follow each other. */
const MIN_OVERLAP_SECONDS = 0.3;
const STEPS_PER_SECOND = 100;
/** A silence of at least this many steps separates sentences. */
const PAUSE_STEPS = 20;
/** A sentence's end moves to a silence that is at most this many steps of speech away. */
const REACH_STEPS = 80;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/** The captions in order. Those that are shown together are one, with a line for each. */
export function inTurn(captions: readonly Caption[]): Caption[] {
  const sorted = withoutShortOverlaps([...captions].sort((one, other) => one.from - other.from));
  const times = [...new Set(sorted.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return times.flatMap((from, index) => {
    const to = times[index + 1] ?? from;
    const active = sorted.filter((each) => each.from <= from && each.to >= to);
    const shown = active.slice(-MAX_TOGETHER);
    const text = shown.map((each) => each.text).join('\n');
    return shown.length === 0 || to === from ? [] : [{ from, to, text }];
  });
}

function withoutShortOverlaps(sorted: readonly Caption[]): Caption[] {
  return sorted.map((each, index) => {
    const next = sorted[index + 1];
    if (next === undefined || next.from <= each.from) return each;
    const overlap = each.to - next.from;
    return overlap > 0 && overlap < MIN_OVERLAP_SECONDS ? { ...each, to: next.from } : each;
  });
}

/** How long a video must last at least to show all of its captions, in seconds. */
export function secondsFor(captions: Captions): number {
  if (typeof captions !== 'string') return Math.max(...captions.map(({ to }) => to));
  const lengths = sentencesOf(captions).map(({ length }) => length / READING_SPEED);
  return lengths.reduce((sum, length) => sum + Math.max(MIN_SECONDS, length), 0);
}

/**
 * A text by sentences and lines, each for a time in proportion to its length.
 *
 * @param speech of a voice that reads the text from the first frame on; without any, the text has
 *   the whole time
 */
export function spread(text: string, seconds: number, speech: Speech = []): Caption[] {
  const parts = sentencesOf(text);
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  const clock = speech.includes(true) ? speakingClock(speech, seconds) : steadyClock(seconds);
  let characters = 0;
  let end = 0;
  return parts.flatMap((part, index) => {
    characters += part.length;
    const begin = end;
    const isLast = index === parts.length - 1;
    end = isLast
      ? clock.length
      : Math.max(begin, clock.snapped(clock.length * (characters / total)));
    const [from, to] = [clock.startAt(begin), clock.endAt(end)];
    return to > from ? [{ from, to, text: part }] : [];
  });
}

function sentencesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .flatMap((line) => Array.from(sentences.segment(line), ({ segment }) => segment.trim()))
    .filter((part) => part !== '');
}

/** Turns a part of the time that has text into seconds of the video. */
interface TextClock {
  /** Of all parts. */
  readonly length: number;
  /** The nearest pause, if one is near. */
  snapped(at: number): number;
  startAt(at: number): number;
  endAt(at: number): number;
}

function steadyClock(seconds: number): TextClock {
  const same = (at: number): number => at;
  return { length: seconds, snapped: same, startAt: same, endAt: same };
}

/** Counts only steps in which somebody speaks. */
function speakingClock(speech: Speech, seconds: number): TextClock {
  /** The video's time of each step of speech. */
  const spoken = speech.flatMap((isSpeech, step) => (isSpeech ? [step] : []));
  const pauses = spoken.flatMap((step, at) =>
    at > 0 && step - (spoken[at - 1] ?? step) > PAUSE_STEPS ? [at] : [],
  );
  const inVideo = (step: number): number => Math.min(seconds, step / STEPS_PER_SECOND);
  return {
    length: spoken.length,
    snapped(at) {
      const near = pauses.filter((pause) => Math.abs(pause - at) <= REACH_STEPS);
      near.sort((one, other) => Math.abs(one - at) - Math.abs(other - at));
      return near[0] ?? Math.round(at);
    },
    startAt: (at) => inVideo(spoken[at] ?? 0),
    endAt: (at) => inVideo((spoken[at - 1] ?? 0) + 1),
  };
}
