import type { Loop } from './loop-mixer.ts';
import { integratedLoudness, LOUDNESS_RATE, type Samples } from './loudness.ts';
import { mastered } from './mastering.ts';
import type { Pcm } from './media/decode-sound.ts';
import { type ClipSound, placed } from './media/clip-sounds.ts';
import { ducked, speechOf } from './media/ducking.ts';
import type { OwnSounds } from './media/own-sounds.ts';
import { composeLoop } from './music.ts';
import { seedOf } from './seeded.ts';
import type { Sound } from './sound-encoder.ts';
import type { Storyboard } from './storyboard.ts';

/** Long enough that nothing clicks: a video begins with its music, as it does with its picture. */
const FADE_IN_SECONDS = 0.05;
const FADE_OUT_SECONDS = 1.6;
/** Where a file of music begins again, its end and its beginning overlap. */
const SEAM_SECONDS = 0.5;
/** All parts of a mix are brought to this loudness first, in LUFS: none hides another one. */
const PART_LOUDNESS = -18;
const MAX_GAIN = 30;

/**
 * The soundtrack of a video: music, faded out at the end, the clips' own sound and a voice that they
 * make room for, with the loudness that all videos have. The same storyboard always has the same music; the title
 * determines key and melody.
 */
export function soundtrackOf(
  storyboard: Storyboard,
  seconds: number,
  own: OwnSounds & { readonly clips?: readonly ClipSound[] } = {},
): Sound | undefined {
  const length = Math.round(seconds * LOUDNESS_RATE);
  const music = musicOf(storyboard, seconds, own);
  const voice = own.voice && levelled(spoken(own.voice, length));
  const bed = music && faded(music, length);
  const clips = (own.clips ?? []).map((clip) => {
    const isBeside = typeof clip.sound === 'number';
    const part = faded(placed(clip, length), length);
    return { isBeside, part: levelled(part, isBeside ? clip.sound : 0) };
  });
  if (bed && voice === undefined && clips.length === 0) return mastered(bed);
  const inFront = mixed(clips.filter(({ isBeside }) => !isBeside).map(({ part }) => part));
  const all = mixed([
    under(bed && levelled(bed, storyboard.music?.gain), mixed([voice, inFront])),
    under(mixed(clips.map(({ part }) => part)), voice),
    voice,
  ]);
  return all && mastered(all);
}

/** A part with the gain that what is in front leaves it. */
function under(part: Samples | undefined, front: Samples | undefined): Samples | undefined {
  return part && front ? ducked(part, front) : part;
}

function mixed(parts: readonly (Samples | undefined)[]): Samples | undefined {
  return parts
    .filter((part) => part !== undefined)
    .reduce<Samples | undefined>((all, part) => (all ? sum(all, part) : part), undefined);
}

/** In which steps of 10 ms a voice speaks, however quiet its recording is. */
export function speechIn(voice: Pcm): boolean[] {
  const { length } = voice.left;
  return speechOf(levelled(spoken(voice, length)), length);
}

function musicOf(
  { soundtrack, title }: Storyboard,
  seconds: number,
  { music }: OwnSounds,
): Samples | undefined {
  const length = Math.round(seconds * LOUDNESS_RATE);
  if (music !== undefined) return repeated(seamless(music, length), length);
  if (soundtrack === 'none') return undefined;
  return repeated(composeLoop(soundtrack, seedOf(title), LOUDNESS_RATE, seconds), length);
}

/** A loop of decoded music, whose end leads over into its beginning if it has to be repeated. */
function seamless({ left, right }: Pcm, length: number): Loop {
  const isRepeated = left.length < length;
  const seam = isRepeated ? Math.floor(Math.min(SEAM_SECONDS * LOUDNESS_RATE, left.length / 2)) : 0;
  const side = (samples: Int16Array) => {
    const loop = Float32Array.from(samples.subarray(0, samples.length - seam), scaled);
    for (let i = 0; i < seam; i++) {
      const angle = ((i / seam) * Math.PI) / 2;
      const after = scaled(samples[samples.length - seam + i] ?? 0);
      loop[i] = (loop[i] ?? 0) * Math.sin(angle) + after * Math.cos(angle);
    }
    return loop;
  };
  return { left: side(left), right: side(right) };
}

/** A loop from its beginning, as often as it fits. */
function repeated(loop: Loop, length: number): Samples {
  return {
    length,
    block(start, count) {
      const samples = new Float32Array(count * 2);
      if (loop.left.length === 0) return samples;
      for (let i = 0; i < count; i++) {
        const place = (start + i) % loop.left.length;
        samples[i] = loop.left[place] ?? 0;
        samples[count + i] = loop.right[place] ?? 0;
      }
      return samples;
    },
  };
}

/** A decoded voice, with silence after it; a longer one ends softly with the video. */
function spoken({ left, right }: Pcm, length: number): Samples {
  const fade = FADE_IN_SECONDS * LOUDNESS_RATE;
  return {
    length,
    block(start, count) {
      const samples = new Float32Array(count * 2);
      for (let i = 0; i < count; i++) {
        const gain = Math.max(0, Math.min(1, (length - start - i) / fade));
        samples[i] = scaled(left[start + i] ?? 0) * gain;
        samples[count + i] = scaled(right[start + i] ?? 0) * gain;
      }
      return samples;
    },
  };
}

function faded(music: Samples, length: number): Samples {
  const fadeIn = FADE_IN_SECONDS * LOUDNESS_RATE;
  const fadeOut = Math.min(FADE_OUT_SECONDS * LOUDNESS_RATE, length / 3);
  const loudness = (sample: number) => {
    const x = Math.min(1, sample / fadeIn, (length - sample) / fadeOut);
    return x * x * (3 - 2 * x);
  };
  return amplified(music, loudness);
}

/** @param gain beside the common loudness, in decibels */
function levelled(part: Samples, gain = 0): Samples {
  const loudness = integratedLoudness(part);
  if (!Number.isFinite(loudness)) return part;
  const factor = 10 ** ((Math.min(MAX_GAIN, PART_LOUDNESS - loudness) + gain) / 20);
  return amplified(part, () => factor);
}

function amplified(part: Samples, gainAt: (sample: number) => number): Samples {
  return {
    length: part.length,
    block(start, count) {
      const samples = part.block(start, count);
      for (let i = 0; i < count; i++) {
        const gain = gainAt(start + i);
        samples[i] = (samples[i] ?? 0) * gain;
        samples[count + i] = (samples[count + i] ?? 0) * gain;
      }
      return samples;
    },
  };
}

function sum(one: Samples, other: Samples): Samples {
  return {
    length: one.length,
    block(start, count) {
      const added = other.block(start, count);
      return one.block(start, count).map((level, i) => level + (added[i] ?? 0));
    },
  };
}

function scaled(level: number): number {
  return level / 32_768;
}
