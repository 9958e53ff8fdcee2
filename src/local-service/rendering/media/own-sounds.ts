/** Decodes the sounds of a storyboard, before its first frame. */
import { ImageUnreadableError } from '../render-errors.ts';
import type { Storyboard } from '../storyboard.ts';
import { decodeSound, type Pcm } from './decode-sound.ts';
import { MediaUnreadableError } from './media-error.ts';

export interface OwnSounds {
  readonly music?: Pcm;
  readonly voice?: Pcm;
}

/**
 * @param files of uploads, by their identifiers
 * @param seconds that a video may last at most
 * @throws {ImageUnreadableError}
 */
export async function ownSounds(
  { music, voice }: Pick<Storyboard, 'music' | 'voice'>,
  files: Readonly<Record<string, string>>,
  seconds: number,
): Promise<OwnSounds> {
  const decode = (asset: string, of: string) =>
    readable(of, () => decodeSound(fileOf(files, asset, of), { from: 0, seconds }));
  return {
    ...(music && { music: await decode(music.asset, 'the music') }),
    ...(voice && { voice: await decode(voice.asset, 'the voice') }),
  };
}

export function fileOf(files: Readonly<Record<string, string>>, asset: string, of: string): string {
  const file = files[asset];
  if (file === undefined) throw new ImageUnreadableError(of, undefined, 'is missing');
  return file;
}

/** @throws {ImageUnreadableError} with the reason, when a file of the user's own cannot be used */
export async function readable<T>(of: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MediaUnreadableError) {
      throw new ImageUnreadableError(of, error, error.reason);
    }
    throw error;
  }
}
