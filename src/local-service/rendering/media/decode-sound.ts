/** Decodes the sound of a file to stereo at 48 kHz. */
import { AudioSampleSink, type InputAudioTrack } from 'mediabunny';
import { LOUDNESS_RATE } from '../loudness.ts';
import { RenderCancelledError } from '../render-errors.ts';
import { MediaUnreadableError } from './media-error.ts';
import { openMedia } from './open-media.ts';
import { Resampler } from './resampler.ts';

/** Decoded sound in 16 bits, half of the memory of floating point. */
export interface Pcm {
  readonly left: Int16Array;
  readonly right: Int16Array;
}

/** In seconds. */
export interface SoundRange {
  readonly from: number;
  /** Maximum length; less is decoded when the file ends. */
  readonly seconds: number;
}

/** Of a file, whatever part of it is used. */
export const MAX_SOUND_SECONDS = 20 * 60;

/**
 * Seconds that are decoded before a range: what is decoded after a start in the middle depends on the packets before
 * (the reservoir of MP3 has half a second at most, the overlap of AAC two packets).
 */
const PRE_ROLL = 1;

const FULL_SCALE = 32_767;
/**
 * Samples that decoders put before the sound of files that do not say so, by container: of MP3 (its decoder and the
 * usual encoder) and of AAC without any.
 */
const DELAYS: Readonly<Record<string, number>> = { MP3: 1105, ADTS: 1024 };
/**
 * The same of Opus, but in MP4, which says so. It is decoded from the beginning: whether its times include the delay
 * depends on where a decoder begins.
 */
const OPUS_DELAY = 312;
const SAYS_DELAY = /^(?:MP4|QuickTime File Format)$/;

/** @throws {MediaUnreadableError} */
export async function decodeSound(file: string, range: SoundRange): Promise<Pcm> {
  using media = await openMedia(file);
  if (media.sound === null) throw new MediaUnreadableError('has no sound');
  // To compute it, all packets of a file are read; no more than the range is decoded anyway.
  const { sound } = media;
  const length = (await sound.getDurationFromMetadata()) ?? (await sound.computeDuration());
  if (length > MAX_SOUND_SECONDS) {
    const minutes = Math.round(length / 60);
    throw new MediaUnreadableError(
      `lasts ${minutes} minutes; a sound may last ${MAX_SOUND_SECONDS / 60} at most`,
    );
  }
  return await decodeTrack(sound, range);
}

/**
 * @param onDecoded called for every part that is decoded, also before the range, and may throw
 *   {@link RenderCancelledError}
 * @throws {MediaUnreadableError}
 */
export async function decodeTrack(
  track: InputAudioTrack,
  range: SoundRange,
  onDecoded?: () => void,
): Promise<Pcm> {
  if (!(await track.canDecode())) {
    const codec = (await track.getCodecParameterString()) ?? 'an unknown codec';
    throw new MediaUnreadableError(`has sound in ${codec}, which cannot be decoded`);
  }
  const rate = await track.getSampleRate();
  const { name } = await track.input.getFormat();
  const isOpus = (await track.getCodec()) === 'opus' && !SAYS_DELAY.test(name);
  const delay = (isOpus ? OPUS_DELAY : (DELAYS[name] ?? 0)) / rate;
  const first = range.from + delay;
  const start = isOpus ? 0 : Math.max(0, first - PRE_ROLL);
  const resampler = new Resampler(rate, first, Math.ceil(range.seconds * LOUDNESS_RATE));
  const sink = new AudioSampleSink(track);
  try {
    for await (const sample of sink.samples(start, first + range.seconds + 0.2)) {
      try {
        onDecoded?.();
        resampler.add(sample.timestamp, sidesOf(sample));
      } finally {
        sample.close();
      }
      if (resampler.isFull) break;
    }
  } catch (error) {
    if (error instanceof RenderCancelledError) throw error;
    if (resampler.length === 0) throw new MediaUnreadableError('has damaged sound', error);
    // What precedes the damage is heard.
  }
  const sides = resampler.finish();
  return { left: toPcm(sides[0]), right: toPcm(sides[1]) };
}

type Sample = Awaited<ReturnType<AudioSampleSink['getSample']>> & object;

/** Left and right; more channels than two are mixed, a single one is on both sides. */
function sidesOf(sample: Sample): readonly [Float32Array, Float32Array] {
  const { numberOfChannels: channels, numberOfFrames: frames } = sample;
  const planes = Array.from({ length: channels }, (_, planeIndex) => {
    const plane = new Float32Array(frames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
  const [left, right = left, centre, , backLeft, backRight] = planes;
  if (left === undefined || right === undefined) return [new Float32Array(0), new Float32Array(0)];
  if (channels < 6) return [left, right];
  // ITU-R BS.775: the centre and the backs at −3 dB; the subwoofer is left out.
  const mix = (side: Float32Array, back: Float32Array | undefined) =>
    side.map((level, i) => level + Math.SQRT1_2 * ((centre?.[i] ?? 0) + (back?.[i] ?? 0)));
  return [mix(left, backLeft), mix(right, backRight)];
}

function toPcm(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (level) =>
    Math.round(Math.max(-1, Math.min(1, level)) * FULL_SCALE),
  );
}
