/** Makes small copies of the pictures of a batch that is being checked. */
import type { Thumbnail } from '../contract/thumbnail.ts';
import type { FitPicture, PictureFit } from '../engine/pictures/picture-fit.ts';
import { readPicture, type PictureChecks } from '../engine/pictures/read-picture.ts';

/** Twice the size in a list, for screens with more pixels; WebP keeps transparent parts. */
const FIT: PictureFit = { maxSide: 96, maxBytes: 32_000, format: 'webp' };

/** Each has a few kilobytes. */
const MAX_KEPT = 1000;

export class Thumbnails {
  readonly #fit: FitPicture;
  readonly #pictures: Pick<PictureChecks, 'fileOf'>;
  /** By hash of the picture, the latest last. */
  readonly #kept = new Map<string, Thumbnail>();

  /**
   * @param pictures those of checked batches
   * @param fit makes one after another, so that one picture at a time is in memory
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
    const webp = await this.#fit(read.bytes, FIT, signal);
    return webp === null ? { kind: 'none' } : { kind: 'made', webp: webp.toString('base64') };
  }
}
