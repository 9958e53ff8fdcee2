/** What the headers of a clip say. */

export type ClipFormat = 'mp4' | 'mov' | 'webm';

export interface ClipHeader {
  readonly format: ClipFormat;
  /** `null` for a file with sound only. */
  readonly pictures: ClipPictures | null;
  /** Its tracks of sound, in their order. */
  readonly sounds: readonly ClipSound[];
  /** Whether the file has all bytes that its headers announce. */
  readonly isComplete: boolean;
  /** Whether its index says plausibly where and when each picture is. */
  readonly hasIndex: boolean;
}

export interface ClipSound {
  /** As the container calls it. */
  readonly codec: string;
  /** `null` if the headers do not say it. */
  readonly seconds: number | null;
}

export interface ClipPictures {
  /** As the container calls it. */
  readonly codec: string;
  /** As they are coded, in pixels. */
  readonly width: number;
  readonly height: number;
  /** `null` if the headers do not say it. */
  readonly seconds: number | null;
  readonly isHdr: boolean;
  readonly isTransparent: boolean;
  /** Whether any frame can be decoded without others. */
  readonly hasKeyFrame: boolean;
}

/** Transfer functions of HDR (ITU-T H.273): PQ and HLG. */
export const HDR_TRANSFERS: readonly number[] = [16, 18];
