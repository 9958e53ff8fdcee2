/** Decodes the sound of a storyboard's clips, and says when it is heard. */
import type { Samples } from '../loudness.ts';
import { LOUDNESS_RATE } from '../loudness.ts';
import { clipOf } from '../image-limits.ts';
import type { Storyboard } from '../storyboard.ts';
import { clipSpans } from '../timeline.ts';
import type { OpenClip } from './clip-source.ts';
import type { Pcm } from './decode-sound.ts';
import type { Background } from './media-schema.ts';
import { readable } from './own-sounds.ts';

/** The sound of a clip while it is behind scenes. Times are in seconds. */
export interface ClipSound {
  readonly pcm: Pcm;
  /** Since the video's beginning. */
  readonly start: number;
  /** How long its scenes last. */
  readonly seconds: number;
  /** How long the clip is, which its sound need not be. */
  readonly clipSeconds: number;
  readonly end: Background['end'];
  readonly sound: Exclude<Background['sound'], 'off'>;
}

/** Short enough not to be noticed, and long enough that nothing clicks. */
const EDGE = LOUDNESS_RATE / 100;

/**
 * Decodes no more of a clip than its scenes need. Clips without sound are left out.
 *
 * @throws {ImageUnreadableError}
 */
export async function clipSounds(storyboard: Storyboard, openClip: OpenClip): Promise<ClipSound[]> {
  const sounds: ClipSound[] = [];
  for (const { background, scene, start, seconds } of clipSpans(storyboard)) {
    const { sound, end } = background;
    if (sound === 'off') continue;
    const of = clipOf(scene);
    await readable(of, async () => {
      using clip = await openClip(background, of);
      const pcm = await clip.sound(seconds);
      if (pcm) sounds.push({ pcm, start, seconds, clipSeconds: clip.seconds, end, sound });
    });
  }
  return sounds;
}

/**
 * A clip's sound at its place in a video: repeated with its pictures, otherwise silent after its end.
 *
 * @param length of the video, in samples
 */
export function placed(
  { pcm, start, seconds, clipSeconds, end }: ClipSound,
  length: number,
): Samples {
  const first = Math.round(start * LOUDNESS_RATE);
  const total = Math.round(seconds * LOUDNESS_RATE);
  const period = clipSeconds * LOUDNESS_RATE;
  const passAt = (place: number) => (end === 'loop' ? Math.floor((place + 0.5) / period) : 0);
  return {
    length,
    block(from, count) {
      const samples = new Float32Array(count * 2);
      for (let i = 0; i < count; i++) {
        const place = from + i - first;
        if (place < 0 || place >= total) continue;
        const pass = passAt(place);
        const begin = Math.round(pass * period);
        const last = Math.min(Math.round((pass + 1) * period), total, begin + pcm.left.length);
        const gain = Math.min(1, (place - begin) / EDGE, (last - place) / EDGE) / 32_768;
        if (gain <= 0) continue;
        samples[i] = (pcm.left[place - begin] ?? 0) * gain;
        samples[count + i] = (pcm.right[place - begin] ?? 0) * gain;
      }
      return samples;
    },
  };
}
