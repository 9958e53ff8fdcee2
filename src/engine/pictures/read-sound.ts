/** Reads the sounds that a table names, from the folder that the table is in. */
import { hash } from 'node:crypto';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { readRowFile } from './read-picture.ts';
import type { SoundFormat } from './sound-format.ts';
import { readSoundHeader } from './sound-header.ts';

/** The renderer takes no longer ones. */
const MAX_SECONDS = 20 * 60;
/** Sample entries of MP4 and MOV, codecs of WebM and Matroska, and names that headers are given here. */
const PLAYED =
  /^(?:mp4a|\.mp3|ac-3|Opus|sowt|twos|in24|in32|fl32|fl64|lpcm|ipcm|fpcm|ulaw|alaw|raw |A_OPUS|A_AAC|A_MPEG\/L[23]|A_AC3|A_PCM\/.+|AAC|MP3|PCM)$/;
const CODEC_NAMES: Readonly<Record<string, string>> = {
  alac: 'Apple Lossless',
  'ec-3': 'Dolby Digital Plus',
  fLaC: 'FLAC',
  A_FLAC: 'FLAC',
  A_VORBIS: 'Vorbis',
  A_EAC3: 'Dolby Digital Plus',
  ima4: 'ADPCM',
  samr: 'AMR',
  apac: 'Apple Positional Audio',
};

/** A sound that can be sent; only the service decodes it. */
export interface RowSound {
  readonly format: SoundFormat;
  /** Absolute, without links. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Of its bytes, in lower-case hex. */
  readonly sha256: string;
}

export type SoundReading =
  | { readonly kind: 'sound'; readonly sound: RowSound; readonly bytes: Buffer }
  /** `what` completes a sentence that begins with the cell's place. */
  | { readonly kind: 'invalid'; readonly what: UserMessage };

/** @param folder the table's; `undefined` if it is not known */
export async function readSound(text: string, folder: string | undefined): Promise<SoundReading> {
  const read = await readRowFile(text, folder);
  if (read.kind === 'invalid') return read;
  const { bytes, path } = read;
  const header = await readSoundHeader(
    (position, length) => Promise.resolve(bytes.subarray(position, position + length)),
    bytes.length,
  );
  if (header === undefined) return { kind: 'invalid', what: userMessage('sound-unknown') };
  const { format, codec, seconds } = header;
  const codecName = codec === null ? null : unplayedCodec([codec]);
  if (codecName !== null) {
    return { kind: 'invalid', what: userMessage('sound-codec', { codec: codecName }) };
  }
  if (seconds !== null && seconds > MAX_SECONDS) {
    const lasts = { minutes: Math.round(seconds / 60), max: MAX_SECONDS / 60 };
    return { kind: 'invalid', what: userMessage('sound-too-long', lasts) };
  }
  const sound = { format, path, size: bytes.length, sha256: hash('sha256', bytes) };
  return { kind: 'sound', sound, bytes };
}

/** The name of a codec that is not played; `null` if one of them is, or there are none. */
export function unplayedCodec(codecs: readonly string[]): string | null {
  const [first] = codecs;
  if (first === undefined || codecs.some((codec) => PLAYED.test(codec))) return null;
  return CODEC_NAMES[first] ?? first.trim();
}
