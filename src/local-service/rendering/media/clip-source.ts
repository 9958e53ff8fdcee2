/** Opens the clips of a storyboard from the files of its uploads. */
import { ClipReader } from './clip-reader.ts';
import type { Background } from './media-schema.ts';
import { fileOf } from './own-sounds.ts';

/**
 * @param of what shows the clip
 * @throws {ImageUnreadableError} for an unknown file
 * @throws {MediaUnreadableError}
 */
export type OpenClip = (background: Background, of: string) => Promise<ClipReader>;

/**
 * @param files of uploads, by their identifiers
 * @param onDecoded as of `ClipReader.open`
 */
export function clipOpener(
  files: Readonly<Record<string, string>>,
  onDecoded?: () => void,
): OpenClip {
  return async ({ asset, from, to }, of) =>
    await ClipReader.open(fileOf(files, asset, of), { from, to }, onDecoded);
}
