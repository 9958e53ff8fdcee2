import { Instruments } from './instruments.ts';
import type { Loop } from './loop-mixer.ts';
import { LoopMixer } from './loop-mixer.ts';
import { seeded } from './seeded.ts';
import type { Soundtrack } from './storyboard.ts';

type Mood = Exclude<Soundtrack, 'none'>;

/** A mood's music. Levels are 0–1. */
interface Style {
  beatsPerMinute: number;
  /** Chords as degrees of the major scale, one per bar; the seed chooses a progression. */
  progressions: readonly (readonly number[])[];
  pad: number;
  pluck: number;
  notesPerBar: number;
  bass: number;
  beat: number;
  /** The lowest key that a seed may choose, in semitones from middle C. */
  lowestKey: number;
}

const BEATS_PER_BAR = 4;
const MAJOR = [0, 2, 4, 5, 7, 9, 11];
/** The voices of a pad: frequency relative to the note, and stereo position. */
const DETUNED = [
  [0.9985, -0.5],
  [1.0015, 0.5],
] as const;
/** Below 1, because lossy encoding overshoots. */
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
 * Composes and plays eight bars, or fewer if they fill `seconds`. The same arguments give the same
 * samples.
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
  const bar = (60 / style.beatsPerMinute) * BEATS_PER_BAR;
  const progression = pick(style.progressions, random).slice(0, Math.ceil(seconds / bar));
  const melody = melodyOf(style.notesPerBar, random);
  const composer = new LoopComposer(style, bar, progression.length, sampleRate);
  for (const [index, step] of progression.entries()) {
    const start = index * bar;
    const note = (third: number) => pitch(key, step + third);
    composer.playChord(start, [note(0), note(2), note(4)], note(6) - 12);
    composer.playBass(start, note(0) - 24);
    composer.playMelody(
      start,
      melody.map((third) => (third === undefined ? undefined : note(third) + 12)),
    );
    composer.playBeat(start);
  }
  return composer.finish();
}

/** Plays the instruments into one loop. Notes are MIDI notes; `start` is in seconds. */
class LoopComposer {
  readonly #style: Style;
  /** Length of a bar, in seconds. */
  readonly #bar: number;
  readonly #mixer: LoopMixer;
  readonly #instruments: Instruments;
  readonly #kick: Float64Array;
  readonly #tick: Float64Array;

  constructor(style: Style, bar: number, bars: number, sampleRate: number) {
    this.#style = style;
    this.#bar = bar;
    this.#mixer = new LoopMixer(bar * bars, sampleRate);
    this.#instruments = new Instruments(sampleRate);
    this.#kick = this.#instruments.kick();
    this.#tick = this.#instruments.tick();
  }

  /** A triad spread from left to right, and a quiet fourth note. */
  playChord(start: number, triad: readonly number[], colour: number): void {
    const gain = this.#style.pad;
    for (const [voice, note] of triad.entries()) {
      this.#pad(start, note, gain * 0.16, (voice - 1) * 0.5);
    }
    this.#pad(start, colour, gain * 0.08, 0.3);
  }

  playBass(start: number, note: number): void {
    const driving = this.#style.beat > 0.5;
    const notes = driving ? 8 : 1;
    const length = (this.#bar / notes) * (driving ? 0.85 : 1);
    const sound = this.#instruments.bass(hertz(note), length);
    for (let i = 0; i < notes; i++) {
      this.#mixer.add(start + (i * this.#bar) / notes, sound, this.#style.bass * 0.26, 0);
    }
  }

  playMelody(start: number, notes: readonly (number | undefined)[]): void {
    const interval = this.#bar / notes.length;
    for (const [place, note] of notes.entries()) {
      if (note === undefined) continue;
      const gain = this.#style.pluck * 0.2 * (place % 4 === 0 ? 1 : 0.7);
      const sound = this.#instruments.pluck(hertz(note));
      this.#mixer.add(start + place * interval, sound, gain, ((place % 3) - 1) * 0.6);
    }
  }

  playBeat(start: number): void {
    const { beat } = this.#style;
    if (beat === 0) return;
    const length = this.#bar / BEATS_PER_BAR;
    for (let i = 0; i < BEATS_PER_BAR; i++) {
      if (beat > 0.5 || i % 2 === 0) this.#mixer.add(start + i * length, this.#kick, beat * 0.5, 0);
      this.#mixer.add(start + (i + 0.5) * length, this.#tick, beat * 0.1, 0.2);
    }
  }

  finish(): Loop {
    // The delay is three quarters of a beat, so that echoes are between the notes.
    this.#mixer.echo((this.#bar / BEATS_PER_BAR) * 0.75, 0.32);
    return this.#mixer.finish(PEAK);
  }

  /** Two slightly detuned voices widen the sound. */
  #pad(start: number, note: number, gain: number, side: number): void {
    for (const [detune, place] of DETUNED) {
      const sound = this.#instruments.pad(hertz(note) * detune, this.#bar);
      this.#mixer.add(start, sound, gain / DETUNED.length, side + place);
    }
  }
}

/** One bar of melody, in scale steps above the chord's root; `undefined` is a rest. */
function melodyOf(notes: number, random: () => number): (number | undefined)[] {
  const steps = [0, 2, 4, 7, 4, 2, 9, 7];
  const offset = Math.floor(random() * steps.length);
  return Array.from({ length: notes }, (_, i) =>
    i % 4 !== 0 && random() < 0.3 ? undefined : steps[(i * 3 + offset) % steps.length],
  );
}

/** The MIDI note of a step of the major scale above a key near middle C. */
function pitch(key: number, step: number): number {
  const octave = Math.floor(step / MAJOR.length);
  return 60 + key + octave * 12 + (MAJOR[step % MAJOR.length] ?? 0);
}

function hertz(note: number): number {
  return 440 * 2 ** ((note - 69) / 12);
}

function pick<T>(choices: readonly T[], random: () => number): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new RangeError('There is nothing to pick from.');
  return choice;
}
