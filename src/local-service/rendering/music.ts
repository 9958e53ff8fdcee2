import { seeded } from './seeded.ts';
import type { Soundtrack } from './storyboard.ts';

/** A piece of music whose end meets its beginning. Samples in −1…1. */
export interface Loop {
  left: Float32Array;
  right: Float32Array;
}

type Mood = Exclude<Soundtrack, 'none'>;

interface Style {
  beatsPerMinute: number;
  /** Chords as steps of the major scale, one a bar; each seed takes one progression. */
  progressions: readonly (readonly number[])[];
  pad: number;
  pluck: number;
  /** Plucked notes a bar. */
  notesPerBar: number;
  bass: number;
  beat: number;
  /** Semitones from middle C to the lowest key that a seed may choose. */
  lowestKey: number;
}

const BEATS_A_BAR = 4;
const MAJOR = [0, 2, 4, 5, 7, 9, 11];
/** Leaves room for the overshoot of lossy coding. */
const PEAK = 0.7;

const STYLES: Record<Mood, Style> = {
  calm: {
    beatsPerMinute: 72,
    progressions: [
      [0, 5, 3, 4, 0, 2, 3, 3],
      [0, 4, 5, 3, 0, 4, 3, 3],
      [5, 3, 0, 4, 5, 3, 0, 0],
    ],
    pad: 0.9,
    pluck: 0.35,
    notesPerBar: 4,
    bass: 0.45,
    beat: 0,
    lowestKey: -7,
  },
  bright: {
    beatsPerMinute: 104,
    progressions: [
      [0, 4, 5, 3, 0, 4, 3, 4],
      [0, 3, 5, 4, 0, 3, 4, 4],
      [3, 4, 0, 5, 3, 4, 0, 0],
    ],
    pad: 0.5,
    pluck: 0.8,
    notesPerBar: 8,
    bass: 0.55,
    beat: 0.3,
    lowestKey: -5,
  },
  pulse: {
    beatsPerMinute: 118,
    progressions: [
      [5, 3, 0, 4, 5, 3, 0, 4],
      [5, 5, 3, 4, 5, 5, 3, 4],
      [1, 5, 3, 0, 1, 5, 3, 4],
    ],
    pad: 0.4,
    pluck: 0.5,
    notesPerBar: 16,
    bass: 0.8,
    beat: 0.75,
    lowestKey: -8,
  },
};

/**
 * Composes and plays eight bars, or as many as fill `seconds` when these are fewer. The same mood,
 * seed, rate and length give the same samples.
 */
export function composeLoop(
  mood: Mood,
  seed: number,
  sampleRate: number,
  seconds = Infinity,
): Loop {
  const style = STYLES[mood];
  const random = seeded(seed);
  const key = style.lowestKey + Math.floor(random() * 8);
  const bar = (60 / style.beatsPerMinute) * BEATS_A_BAR;
  const progression = pick(style.progressions, random).slice(0, Math.ceil(seconds / bar));
  const length = Math.round(bar * progression.length * sampleRate);
  const stage = new Stage(length, sampleRate);
  const melody = pattern(style.notesPerBar, random);

  progression.forEach((step, index) => {
    const start = index * bar;
    const chord = [0, 2, 4, 6].map((third) => pitch(key, step + third));
    for (const [voice, note] of chord.slice(0, 3).entries()) {
      stage.pad(start, bar, note, style.pad * 0.16, (voice - 1) * 0.5);
    }
    stage.pad(start, bar, (chord[3] ?? 0) - 12, style.pad * 0.08, 0.3);
    playBass(stage, style, start, bar, pitch(key, step) - 24);
    const interval = bar / style.notesPerBar;
    melody.forEach((third, place) => {
      if (third === undefined) return;
      const note = pitch(key, step + third) + 12;
      const accent = place % 4 === 0 ? 1 : 0.7;
      const side = ((place % 3) - 1) * 0.6;
      stage.pluck(start + place * interval, note, style.pluck * 0.2 * accent, side);
    });
    playBeat(stage, style, start, bar);
  });
  stage.echo(bar / BEATS_A_BAR / 2 + bar / BEATS_A_BAR / 4, 0.32);
  return stage.finish();
}

function playBass(stage: Stage, style: Style, start: number, bar: number, note: number): void {
  const driving = style.beat > 0.5;
  const notes = driving ? 8 : 1;
  for (let i = 0; i < notes; i++) {
    const length = (bar / notes) * (driving ? 0.85 : 1);
    stage.bass(start + (i * bar) / notes, length, note, style.bass * 0.26);
  }
}

function playBeat(stage: Stage, style: Style, start: number, bar: number): void {
  if (style.beat === 0) return;
  const beat = bar / BEATS_A_BAR;
  for (let i = 0; i < BEATS_A_BAR; i++) {
    if (style.beat > 0.5 || i % 2 === 0) stage.kick(start + i * beat, style.beat * 0.5);
    stage.tick(start + (i + 0.5) * beat, style.beat * 0.1);
  }
}

/** Which chord notes a plucked bar plays; undefined is a rest. */
function pattern(notes: number, random: () => number): (number | undefined)[] {
  const steps = [0, 2, 4, 7, 4, 2, 9, 7];
  const turn = Math.floor(random() * steps.length);
  return Array.from({ length: notes }, (_, i) =>
    i % 4 !== 0 && random() < 0.3 ? undefined : steps[(i * 3 + turn) % steps.length],
  );
}

/** Frequency index (MIDI note) of a step of the major scale above a key near middle C. */
function pitch(key: number, step: number): number {
  const octave = Math.floor(step / MAJOR.length);
  return 60 + key + octave * 12 + (MAJOR[step % MAJOR.length] ?? 0);
}

function pick<T>(choices: readonly T[], random: () => number): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new RangeError('There is nothing to pick from.');
  return choice;
}

/** Instruments that play into a loop: what sounds past its end sounds again at its start. */
class Stage {
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #rate: number;

  constructor(length: number, rate: number) {
    this.#left = new Float64Array(length);
    this.#right = new Float64Array(length);
    this.#rate = rate;
  }

  /** Soft and wide: three voices slightly out of tune, slow to come and go. */
  pad(start: number, seconds: number, note: number, gain: number, side: number): void {
    const frequency = hertz(note);
    const tail = 1.6;
    for (const [detune, place] of [
      [0.997, -0.5],
      [1, 0],
      [1.003, 0.5],
    ] as const) {
      this.#play(start, seconds + tail, gain / 3, side + place, (t) => {
        const swell = Math.min(1, t / 0.9, (seconds + tail - t) / tail);
        return swell * swell * wave(frequency * detune * t, SOFT);
      });
    }
  }

  /** A struck string: bright at first, then round. */
  pluck(start: number, note: number, gain: number, side: number): void {
    const frequency = hertz(note);
    this.#play(start, 1.6, gain, side, (t) => {
      const attack = Math.min(1, t / 0.004);
      const body = Math.exp(-3.2 * t) * Math.min(1, (1.6 - t) / 0.2);
      const shine = Math.exp(-11 * t);
      const phase = frequency * t;
      return (
        attack * body * (wave(phase) + shine * (0.5 * wave(phase * 2) + 0.25 * wave(phase * 4)))
      );
    });
  }

  bass(start: number, seconds: number, note: number, gain: number): void {
    const frequency = hertz(note);
    this.#play(start, seconds, gain, 0, (t) => {
      const shape = Math.min(1, t / 0.015, (seconds - t) / 0.06);
      const phase = frequency * t;
      return shape * (wave(phase) + 0.3 * wave(phase * 2) * Math.exp(-4 * t));
    });
  }

  kick(start: number, gain: number): void {
    this.#play(start, 0.32, gain, 0, (t) => {
      const sweep = 48 * t + (110 / 32) * (1 - Math.exp(-32 * t));
      return wave(sweep) * Math.exp(-9 * t) * Math.min(1, t / 0.002, (0.32 - t) / 0.05);
    });
  }

  /** A brush of noise on the off-beat. */
  tick(start: number, gain: number): void {
    const noise = seeded(7);
    let last = 0;
    this.#play(start, 0.09, gain, 0.2, (t) => {
      const now = noise() * 2 - 1;
      const high = now - last;
      last = now;
      return high * Math.exp(-55 * t) * Math.min(1, t / 0.001);
    });
  }

  /** Repeats that change sides and die away. */
  echo(seconds: number, feedback: number): void {
    const length = this.#left.length;
    const delay = Math.round(seconds * this.#rate) % length;
    // Twice around, so that echoes of the loop's end reach its beginning as they would later on.
    const [left, right] = [Float64Array.from(this.#left), Float64Array.from(this.#right)];
    for (let i = 0; i < length * 2; i++) {
      const here = i % length;
      const before = (here - delay + length) % length;
      const dryLeft = this.#left[here] ?? 0;
      const dryRight = this.#right[here] ?? 0;
      left[here] = dryLeft + feedback * (right[before] ?? 0);
      right[here] = dryRight + feedback * (left[before] ?? 0);
    }
    this.#left.set(left);
    this.#right.set(right);
  }

  /** The loop at an even level. */
  finish(): Loop {
    let peak = 1e-9;
    for (const side of [this.#left, this.#right]) {
      for (const sample of side) peak = Math.max(peak, Math.abs(sample));
    }
    const scale = PEAK / peak;
    return {
      left: Float32Array.from(this.#left, (sample) => sample * scale),
      right: Float32Array.from(this.#right, (sample) => sample * scale),
    };
  }

  #play(
    start: number,
    seconds: number,
    gain: number,
    side: number,
    sample: (t: number) => number,
  ): void {
    const length = this.#left.length;
    const first = Math.round(start * this.#rate);
    const count = Math.round(seconds * this.#rate);
    const angle = ((Math.min(1, Math.max(-1, side)) + 1) * Math.PI) / 4;
    const [toLeft, toRight] = [gain * Math.cos(angle), gain * Math.sin(angle)];
    for (let i = 0; i < count; i++) {
      const value = sample(i / this.#rate);
      const place = (first + i) % length;
      this.#left[place] = (this.#left[place] ?? 0) + value * toLeft;
      this.#right[place] = (this.#right[place] ?? 0) + value * toRight;
    }
  }
}

function hertz(note: number): number {
  return 440 * 2 ** ((note - 69) / 12);
}

/** One turn of a wave made of a tone and its overtones, each with its strength. */
function turnOf(...strengths: number[]): Float64Array {
  return Float64Array.from({ length: 2048 }, (_, i) =>
    strengths.reduce(
      (sum, strength, overtone) =>
        sum + strength * Math.sin((i / 2048) * 2 * Math.PI * (overtone + 1)),
      0,
    ),
  );
}

const SINE = turnOf(1);
const SOFT = turnOf(1, 0.28, 0.08);

/** A wave by its phase in turns; a table is several times faster than Math.sin. */
function wave(phase: number, turn = SINE): number {
  return turn[Math.floor((phase - Math.floor(phase)) * 2048)] ?? 0;
}
