/** The formats of pictures, and what a header says of a picture. */

/** The formats that are sent. */
export const SENT_FORMATS = ['png', 'jpeg', 'webp'] as const;

export type SentFormat = (typeof SENT_FORMATS)[number];

/** The formats that are read: the others are converted before they are sent. */
export type PictureFormat = SentFormat | 'avif' | 'svg';

export interface PictureHeader {
  readonly format: PictureFormat;
  /** In pixels, at least 1, before any turning by its metadata. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** Inks for printing instead of red, green and blue; few services read them. */
  readonly isCmyk: boolean;
  /** Whether its end is there. */
  readonly isComplete: boolean;
  /** Whether it may have transparent parts. */
  readonly hasAlpha: boolean;
  /**
   * How its metadata turn and mirror it, 1 to 8 (Exif 2.32 §4.6.4): 1 is upright, and 5 to 8 turn it
   * by a quarter, as photos in portrait format.
   */
  readonly orientation: number;
  /** A drawing with scripts, or with references to other files. */
  readonly isActive: boolean;
}
