/** Reads the clips that a table names, from the folder that the table is in. */
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { FileOnDisk } from '../file-on-disk.ts';
import type { ClipFormat, ClipHeader } from './clip-format.ts';
import { readClipHeader } from './clip-header.ts';
import { unplayedCodec } from './read-sound.ts';
import { type InvalidFile, readMediaFile } from './row-file.ts';

/** Pixels of the longer and the shorter side. */
export const MAX_SIDES = [4096, 2304] as const;
/** The longest part that a video shows. */
export const MAX_PART_SECONDS = 120;
/** Sample entries of MP4, and codecs of WebM and Matroska, that the renderer decodes. */
const CODECS =
  /^(?:avc[13]|hvc1|hev1|vp0[89]|av01|V_VP[89]|V_AV1|V_MPEG4\/ISO\/AVC|V_MPEGH\/ISO\/HEVC)$/;
const CODEC_NAMES: Readonly<Record<string, string>> = {
  apch: 'ProRes',
  apcn: 'ProRes',
  apcs: 'ProRes',
  apco: 'ProRes',
  ap4h: 'ProRes',
  ap4x: 'ProRes',
  jpeg: 'Motion JPEG',
  mp4v: 'MPEG-4 Visual',
  V_MJPEG: 'Motion JPEG',
  'V_MPEG4/ISO/ASP': 'MPEG-4 Visual',
};

/** A clip that can be sent; only the service decodes it. */
export interface RowClip extends FileOnDisk {
  readonly format: ClipFormat;
  /** `null` if its headers do not say it. */
  readonly seconds: number | null;
  readonly hasSound: boolean;
  /** The format of its sound, if it cannot be heard. */
  readonly unplayed: string | null;
}

export type ClipReading = { readonly kind: 'clip'; readonly clip: RowClip } | InvalidFile;

/** @param folder the table's; `undefined` if it is not known */
export function readClip(cell: string, folder: string | undefined): Promise<ClipReading> {
  return readMediaFile<ClipReading>(cell, folder, async ({ read, size, onDisk }) => {
    const header = await readClipHeader(read, size);
    if (header === undefined) return invalid(userMessage('clip-unknown'));
    const what = issueOf(header);
    if (what !== null) return invalid(what);
    const { format, pictures, sounds } = header;
    const seconds = pictures?.seconds ?? null;
    const unplayed = unplayedCodec(sounds.map(({ codec }) => codec));
    const hasSound = sounds.length > 0;
    return { kind: 'clip', clip: { format, seconds, hasSound, unplayed, ...(await onDisk()) } };
  });
}

function issueOf({ pictures, isComplete, hasIndex }: ClipHeader): UserMessage | null {
  if (!isComplete) return userMessage('clip-incomplete');
  if (!hasIndex) return userMessage('clip-damaged');
  if (pictures === null) return userMessage('clip-without-pictures');
  const { codec, width, height } = pictures;
  const [longer, shorter] = MAX_SIDES;
  if (pictures.isHdr) return userMessage('clip-hdr');
  if (!CODECS.test(codec)) {
    return userMessage('clip-codec', { codec: CODEC_NAMES[codec] ?? codec.trim() });
  }
  if (pictures.isTransparent) return userMessage('clip-alpha');
  if (Math.max(width, height) > longer || Math.min(width, height) > shorter) {
    return userMessage('clip-too-large', { width, height, longer, shorter });
  }
  return pictures.hasKeyFrame ? null : userMessage('clip-without-key-frame');
}

/** A part of a clip as a row has it, in seconds. */
export interface ClipPart {
  readonly from: number;
  /** `null` for the clip's end. */
  readonly to: number | null;
}

/** What is wrong with the beginning or the end of a part; `null` if nothing is. */
export function partIssue(
  { from, to }: ClipPart,
  { seconds }: RowClip,
): { readonly end: 'from' | 'to'; readonly what: UserMessage } | null {
  if (seconds !== null && from >= seconds) {
    const lasts = Math.round(seconds * 10) / 10;
    return { end: 'from', what: userMessage('clip-from-after-end', { seconds: lasts }) };
  }
  if (to === null) return null;
  if (to <= from) return { end: 'to', what: userMessage('clip-to-before-from', { from }) };
  const max = MAX_PART_SECONDS;
  if (to - from > max) return { end: 'to', what: userMessage('clip-part-too-long', { max }) };
  return null;
}

function invalid(what: UserMessage): InvalidFile {
  return { kind: 'invalid', what };
}
