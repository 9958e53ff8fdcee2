/** Makes small copies of the pictures of a batch that is being checked. */
import { availableParallelism } from 'node:os';
import type { Thumbnail } from '../contract/thumbnail.ts';
import { embeddedPreview } from '../engine/pictures/jpeg-header.ts';
import type { FitPicture, PictureFit } from '../engine/pictures/picture-fit.ts';
import { readPictureHeader } from '../engine/pictures/picture-header.ts';
import { readPicture, type Picture, type PictureChecks } from '../engine/pictures/read-picture.ts';

/** Twice the size in a list, for screens with more pixels; WebP keeps transparent parts. */
const FIT: PictureFit = { maxSide: 96, maxBytes: 32_000, format: 'webp' };

/** How much another shape than the photo's a preview may have: sides are whole pixels. */
const SAME_SHAPE = 0.02;

/** How many are made at once: the pixels of a photo take up to 256 MB. */
export const THUMBNAILS_AT_ONCE = Math.min(4, availableParallelism());

/** Each has a few kilobytes. */
const MAX_KEPT = 1000;

export class Thumbnails {
  readonly #fit: FitPicture;
  readonly #pictures: Pick<PictureChecks, 'fileOf'>;
  /** By hash of the picture, the latest last. */
  readonly #kept = new Map<string, Thumbnail>();

  /**
   * @param pictures those of checked batches
   * @param fit converts {@link THUMBNAILS_AT_ONCE} at once
   */
  constructor(pictures: Pick<PictureChecks, 'fileOf'>, fit: FitPicture) {
    this.#pictures = pictures;
    this.#fit = fit;
  }

  /**
   * Only of pictures that a plan has checked: no other file can be seen this way.
   * @param reference see `PlannedRow.picture`
   */
  async of(reference: string, signal?: AbortSignal): Promise<Thumbnail> {
    const known = this.#kept.get(reference);
    if (known !== undefined) return known;
    const made = await this.#make(reference, signal);
    if (made.kind === 'none') return made;
    this.#kept.set(reference, made);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return made;
  }

  async #make(reference: string, signal?: AbortSignal): Promise<Thumbnail> {
    const file = this.#pictures.fileOf(reference);
    const read = file === undefined ? undefined : await readPicture(file);
    if (read?.kind !== 'read' || `sha256:${read.picture.sha256}` !== reference) {
      return { kind: 'none' };
    }
    const preview = previewOf(read.picture, read.bytes);
    const fast = preview && (await this.#fit(preview, FIT, signal));
    const webp = fast ?? (await this.#fit(read.bytes, FIT, signal));
    return webp === null ? { kind: 'none' } : { kind: 'made', webp: webp.toString('base64') };
  }
}

/**
 * The photo's own preview, which is decoded a hundred times as fast. One of another shape is older
 * than a crop of the photo, or has black borders.
 */
function previewOf({ width, height }: Picture, bytes: Buffer): Buffer | undefined {
  const preview = embeddedPreview(bytes);
  const small = preview && readPictureHeader(preview);
  if (!small?.isComplete) return undefined;
  const isOfUse = Math.max(small.width, small.height) >= FIT.maxSide && small.width <= width;
  const shape = (width * small.height) / (height * small.width);
  return isOfUse && Math.abs(shape - 1) <= SAME_SHAPE ? preview : undefined;
}
