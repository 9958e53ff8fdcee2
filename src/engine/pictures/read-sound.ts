/** Reads the sounds that a table names, from the folder that the table is in. */
import { userMessage } from '../../contract/user-message.ts';
import type { FileOnDisk } from '../file-on-disk.ts';
import { type InvalidFile, readMediaFile } from './row-file.ts';
import type { SoundFormat } from './sound-format.ts';
import { readSoundHeader } from './sound-header.ts';

/** The renderer takes no longer ones. */
export const MAX_SECONDS = 20 * 60;
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
export interface RowSound extends FileOnDisk {
  readonly format: SoundFormat;
}

export type SoundReading = { readonly kind: 'sound'; readonly sound: RowSound } | InvalidFile;

/** @param folder the table's; `undefined` if it is not known */
export function readSound(cell: string, folder: string | undefined): Promise<SoundReading> {
  return readMediaFile<SoundReading>(cell, folder, async ({ read, size, onDisk }) => {
    const header = await readSoundHeader(read, size);
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
    return { kind: 'sound', sound: { format, ...(await onDisk()) } };
  });
}

/** The name of a codec that is not played; `null` if one of them is, or there are none. */
export function unplayedCodec(codecs: readonly string[]): string | null {
  const [first] = codecs;
  if (first === undefined || codecs.some((codec) => PLAYED.test(codec))) return null;
  return CODEC_NAMES[first] ?? first.trim();
}
