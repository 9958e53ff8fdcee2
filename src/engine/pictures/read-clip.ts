/** Reads the clips that a table names, from the folder that the table is in. */
import { hash } from 'node:crypto';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { ClipFormat, ClipHeader } from './clip-format.ts';
import { readClipHeader } from './clip-header.ts';
import { readRowFile } from './read-picture.ts';
import { unplayedCodec } from './read-sound.ts';

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
export interface RowClip {
  readonly format: ClipFormat;
  /** Absolute, without links. */
  readonly path: string;
  /** Of its bytes, in lower-case hex. */
  readonly sha256: string;
  /** `null` if its headers do not say it. */
  readonly seconds: number | null;
  readonly hasSound: boolean;
  /** The format of its sound, if it cannot be heard. */
  readonly unplayed: string | null;
}

export type ClipReading =
  | { readonly kind: 'clip'; readonly clip: RowClip; readonly bytes: Buffer }
  /** `what` completes a sentence that begins with the cell's place. */
  | { readonly kind: 'invalid'; readonly what: UserMessage };

type Invalid = Extract<ClipReading, { kind: 'invalid' }>;

/** @param folder the table's; `undefined` if it is not known */
export async function readClip(cell: string, folder: string | undefined): Promise<ClipReading> {
  const file = await readRowFile(cell, folder);
  if (file.kind === 'invalid') return file;
  const { bytes, path } = file;
  const header = await readClipHeader(
    (position, length) => Promise.resolve(bytes.subarray(position, position + length)),
    bytes.length,
  );
  if (header === undefined) return invalid(userMessage('clip-unknown'));
  const what = issueOf(header);
  if (what !== null) return invalid(what);
  const { format, pictures, sounds } = header;
  const seconds = pictures?.seconds ?? null;
  const sha256 = hash('sha256', bytes);
  const unplayed = unplayedCodec(sounds.map(({ codec }) => codec));
  const clip = { format, path, sha256, seconds, hasSound: sounds.length > 0, unplayed };
  return { kind: 'clip', clip, bytes };
}

/** Reads a clip that a cell names, without its bytes. */
export async function checkClip(cell: string, folder: string | undefined) {
  const reading = await readClip(cell, folder);
  return reading.kind === 'invalid' ? reading : { kind: reading.kind, clip: reading.clip };
}

function issueOf({ pictures, isComplete }: ClipHeader): UserMessage | null {
  if (!isComplete) return userMessage('clip-incomplete');
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

function invalid(what: UserMessage): Invalid {
  return { kind: 'invalid', what };
}
