/** Reads the headers of a sound file. Nothing is decoded. */
import type { ReadAt } from '../downloads/mp4-boxes.ts';
import type { ClipSound } from './clip-format.ts';
import { readClipHeader } from './clip-header.ts';
import { type SoundFormat, soundFormatOf } from './sound-format.ts';

/** `codec` is `null` for a file that contains no sound. */
export interface SoundHeader {
  readonly format: SoundFormat;
  readonly codec: string | null;
  /** `null` if the headers do not say it. */
  readonly seconds: number | null;
}

/** RIFF chunks to visit; an ordinary file has fewer than ten. */
const MAX_CHUNKS = 100;
/** Holds the last page of an Ogg file (RFC 3533 §6). */
const MAX_OGG_PAGE = 65_307;
/** Format tags of RIFF WAVE, by the names that people know. */
const WAVE_TAGS: Readonly<Record<number, string>> = {
  1: 'PCM',
  2: 'ADPCM',
  3: 'PCM',
  6: 'PCM',
  7: 'PCM',
  17: 'ADPCM',
  85: 'MP3',
  // Extensible: nearly always PCM.
  65_534: 'PCM',
};
/** Beginnings of the first packet of an Ogg stream. */
const OGG_CODECS = { OpusHead: 'Opus', '\u0001vorbis': 'Vorbis', '\u007fFLAC': 'FLAC' } as const;
const OPUS_RATE = 48_000;

/** @param size of the file, in bytes. @returns `undefined` for any other file */
export async function readSoundHeader(
  read: ReadAt,
  size: number,
): Promise<SoundHeader | undefined> {
  const format = soundFormatOf(await read(0, 12));
  switch (format) {
    case undefined:
      return undefined;
    case 'mp4':
    case 'webm': {
      const [sound] = (await readClipHeader(read, size))?.sounds ?? [];
      return { format, codec: null, seconds: null, ...sound };
    }
    case 'wav':
      return { format, ...(await waveSound(read, size)) };
    case 'ogg':
      return { format, ...(await oggSound(read, size)) };
    case 'mp3':
      return { format, codec: 'MP3', seconds: await mp3Seconds(read, size) };
    case 'aac':
      return { format, codec: 'AAC', seconds: null };
  }
}

type Sound = ClipSound | { readonly codec: null; readonly seconds: null };

async function waveSound(read: ReadAt, size: number): Promise<Sound> {
  let codec: string | null = null;
  let bytesPerSecond = 0;
  for (let at = 12, left = MAX_CHUNKS; at + 8 <= size && left > 0; left--) {
    const header = await read(at, 24);
    if (header.length < 8) break;
    const name = header.toString('latin1', 0, 4);
    const length = header.readUInt32LE(4);
    if (name === 'fmt ' && header.length >= 20) {
      const tag = header.readUInt16LE(8);
      codec = WAVE_TAGS[tag] ?? `WAVE ${tag}`;
      bytesPerSecond = header.readUInt32LE(16);
    }
    if (name === 'data' && codec !== null) {
      // Recorders that stream write no length, or the largest one.
      const bytes = Math.min(length, size - at - 8);
      const isKnown = codec === 'PCM' && bytesPerSecond > 0;
      return { codec, seconds: isKnown ? bytes / bytesPerSecond : null };
    }
    at += 8 + length + (length % 2);
  }
  return { codec: null, seconds: null };
}

/** RFC 3533 §6, RFC 7845 §5.1. */
async function oggSound(read: ReadAt, size: number): Promise<Sound> {
  const page = await read(0, 320);
  const packet = page.subarray(27 + (page[26] ?? 0));
  const found = Object.entries(OGG_CODECS).find(([start]) =>
    packet.subarray(0, start.length).equals(Buffer.from(start, 'latin1')),
  );
  if (found === undefined) return { codec: null, seconds: null };
  const [, codec] = found;
  const end = await read(Math.max(0, size - MAX_OGG_PAGE), MAX_OGG_PAGE);
  const last = end.lastIndexOf('OggS');
  const hasPosition = codec === 'Opus' && last >= 0 && last + 14 <= end.length;
  const position = hasPosition ? Number(end.readBigInt64LE(last + 6)) : 0;
  return { codec, seconds: position > 0 ? position / OPUS_RATE : null };
}

/** Of layer III, in kbit/s, by the index in a frame's header (ISO 11172-3 §2.4.2.3). */
const MP3_RATES = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const MP3_SAMPLES_A_SECOND = [44_100, 48_000, 32_000];

/** Where frames of a variable bit rate are looked at, evenly in the file. */
const MP3_PLACES = 32;
/** The longest frame, and the beginning of the next one. */
const MP3_WINDOW = 2 * 1441 + 4;

interface Mp3Frame {
  /** Version, layer and protection, which are the same in all frames of a file. */
  readonly kind: number;
  readonly isVersion1: boolean;
  readonly samplesPerSecond: number;
  readonly bytesPerSecond: number;
  readonly bytes: number;
}

/** By the number of frames that its first frame states; without one, by the bit rates of some frames. */
async function mp3Seconds(read: ReadAt, size: number): Promise<number | null> {
  const start = tagLength(await read(0, 10));
  const beginning = await read(start, 200);
  const first = beginning.length < 40 ? null : mp3FrameAt(beginning, 0);
  if (first === null) return null;
  const count = frameCount(beginning);
  const samples = first.isVersion1 ? 1152 : 576;
  if (count !== null) return (count * samples) / first.samplesPerSecond;
  let secondsOfBytes = 0;
  let places = 0;
  for (let place = 0; place < MP3_PLACES; place++) {
    const at = start + Math.floor(((size - start) * place) / MP3_PLACES);
    const frame = firstFrameLike(first, await read(at, MP3_WINDOW));
    if (frame === null) continue;
    secondsOfBytes += 1 / frame.bytesPerSecond;
    places += 1;
  }
  return places === 0 ? null : ((size - start) * secondsOfBytes) / places;
}

function mp3FrameAt(bytes: Buffer, at: number): Mp3Frame | null {
  if (at + 4 > bytes.length || bytes.readUInt16BE(at) < 0xffe0) return null;
  const [kind, rates] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2)];
  const version = (kind >> 3) & 3;
  const isVersion1 = version === 3;
  const divisor = { 3: 1, 2: 2, 0: 4 }[version];
  const fullRate = MP3_SAMPLES_A_SECOND[(rates >> 2) & 3];
  const kilobits = MP3_RATES[isVersion1 ? 'mpeg1' : 'mpeg2'][rates >> 4] ?? 0;
  if (divisor === undefined || fullRate === undefined || kilobits === 0) return null;
  const [samplesPerSecond, bytesPerSecond] = [fullRate / divisor, kilobits * 125];
  const samples = isVersion1 ? 1152 : 576;
  const padding = (rates >> 1) & 1;
  const length = Math.floor((samples * bytesPerSecond) / samplesPerSecond) + padding;
  return { kind, isVersion1, samplesPerSecond, bytesPerSecond, bytes: length };
}

/** The first frame of the same kind that another one follows: sound may contain what looks like one. */
function firstFrameLike({ kind, samplesPerSecond }: Mp3Frame, bytes: Buffer): Mp3Frame | null {
  const likeAt = (at: number): Mp3Frame | null => {
    const frame = mp3FrameAt(bytes, at);
    const isLike = frame?.kind === kind && frame.samplesPerSecond === samplesPerSecond;
    return isLike ? frame : null;
  };
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const frame = likeAt(at);
    if (frame && likeAt(at + frame.bytes)) return frame;
  }
  return null;
}

/** Of an ID3v2 tag with its header; 0 for none. */
function tagLength(header: Buffer): number {
  if (header.length < 10 || header.toString('latin1', 0, 3) !== 'ID3') return 0;
  return 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((header[at] ?? 0) & 127), 0);
}

/** What encoders write into an otherwise silent first frame; `null` if it is not there. */
function frameCount(frame: Buffer): number | null {
  const at = Math.max(frame.indexOf('Xing', 0, 'latin1'), frame.indexOf('Info', 0, 'latin1'));
  if (at < 0 || at + 12 > frame.length || (frame.readUInt32BE(at + 4) & 1) === 0) return null;
  return frame.readUInt32BE(at + 8);
}
