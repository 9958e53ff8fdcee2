import type { EncodedAudioChunk, EncodedVideoChunk } from '@napi-rs/webcodecs';
import { AudioData, AudioEncoder, VideoEncoder, VideoFrame } from '@napi-rs/webcodecs';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
} from 'mediabunny';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { AUDIO_BITRATE, videoBitrate } from './bitrate.ts';
import type { Picture } from './frame-renderer.ts';
import { YuvPicture } from './yuv-picture.ts';

/** An audio track, whose samples are generated on demand. */
export interface Sound {
  sampleRate: number;
  /** Length in samples. */
  length: number;
  /** `count` samples from `start` on, in −1…1, as two planes: left, then right. */
  block(start: number, count: number): Float32Array;
}

interface Mp4Options {
  /** Path of the file. It is complete only after {@link Mp4Writer.finish}. */
  path: string;
  /** Even numbers of pixels. */
  width: number;
  height: number;
  fps: number;
  /** Maximum number of pictures. */
  frames: number;
  sound: Sound | undefined;
}

/** Maximum number of pictures that wait for the encoder; each takes megabytes. */
const MAX_QUEUED_PICTURES = 4;
const SECONDS_BETWEEN_KEY_FRAMES = 2;
const AUDIO_CODEC = 'mp4a.40.2';
const AUDIO_BLOCK = 4096;
const AAC_FRAME = 1024;
const CHANNELS = 2;
const BT709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

/**
 * Encodes canvases and sound into an MP4 (H.264 High, 4:2:0, BT.709, AAC-LC). The index is at the
 * front, so that the file plays while it is being downloaded.
 */
export class Mp4Writer {
  readonly #options: Mp4Options;
  readonly #file: FileHandle;
  readonly #output: Output;
  readonly #videoTrack = new EncodedVideoPacketSource('avc');
  readonly #audioTrack = new EncodedAudioPacketSource('aac');
  readonly #yuv: YuvPicture;
  readonly #video: VideoEncoder;
  readonly #audio: AudioEncoder | undefined;
  /** Settles when all packets so far are written, in order. */
  #written: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #pictures = 0;
  #samples = 0;

  private constructor(options: Mp4Options, file: FileHandle) {
    this.#options = options;
    this.#file = file;
    const { fps, frames, sound } = options;
    this.#output = new Output({
      // Reserves space for the index, which is written at the end, so that no media data stays in
      // memory.
      format: new Mp4OutputFormat({ fastStart: 'reserve' }),
      target: new StreamTarget(
        new WritableStream({ write: ({ data, position }) => writeAll(file, data, position) }),
        { chunked: true },
      ),
    });
    this.#output.addVideoTrack(this.#videoTrack, { frameRate: fps, maximumPacketCount: frames });
    this.#yuv = new YuvPicture(options.width, options.height);
    this.#video = this.#videoEncoder();
    if (!sound) return;
    this.#output.addAudioTrack(this.#audioTrack, {
      maximumPacketCount: Math.ceil(sound.length / AAC_FRAME) + 4,
    });
    this.#audio = this.#audioEncoder(sound);
  }

  static async open(options: Mp4Options): Promise<Mp4Writer> {
    const file = await open(options.path, 'w');
    try {
      const writer = new Mp4Writer(options, file);
      await writer.#output.start();
      return writer;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Adds the next picture. Resolves when the encoder can take another one. */
  async addPicture({ canvas, changed }: Picture): Promise<void> {
    const { width, height, fps } = this.#options;
    if (changed) this.#yuv.update(canvas, changed);
    const frame = new VideoFrame(this.#yuv.planes, {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      timestamp: Math.round((this.#pictures * 1e6) / fps),
      duration: Math.round(1e6 / fps),
      colorSpace: BT709,
    });
    const keyFrame = this.#pictures % (fps * SECONDS_BETWEEN_KEY_FRAMES) === 0;
    this.#video.encode(frame, { keyFrame });
    frame.close();
    this.#pictures++;
    this.#addSoundUntil(this.#pictures / fps);
    // Yields to the event loop, which frees the memory of earlier frames for reuse.
    await setImmediate();
    // A timer, not a busy loop: the encoder's threads need this core.
    while (this.#video.encodeQueueSize > MAX_QUEUED_PICTURES && !this.#failure) await setTimeout(1);
    if (this.#failure) throw this.#failure;
  }

  /** Completes the file. */
  async finish(): Promise<void> {
    this.#addSoundUntil(Infinity);
    await this.#video.flush();
    await this.#audio?.flush();
    await this.#written;
    if (this.#failure) throw this.#failure;
    await this.#output.finalize();
    await this.#file.close();
  }

  /** Frees the encoders and closes the file, whether or not it was finished. */
  async close(): Promise<void> {
    if (this.#video.state !== 'closed') this.#video.close();
    if (this.#audio && this.#audio.state !== 'closed') this.#audio.close();
    // The error of a file that could not be written was already reported.
    if (this.#output.state === 'started') await this.#output.cancel().catch(() => undefined);
    await this.#file.close();
  }

  #videoEncoder(): VideoEncoder {
    const { width, height, fps } = this.#options;
    const codec = `avc1.6400${level(width, height, fps).toString(16)}`;
    const encoder = new VideoEncoder({
      output: (chunk, metadata) => {
        const description = metadata?.decoderConfig?.description;
        this.#write(() =>
          this.#videoTrack.add(
            packetOf(chunk, Math.round((chunk.timestamp * fps) / 1e6) / fps, 1 / fps),
            {
              decoderConfig: {
                codec,
                codedWidth: width,
                codedHeight: height,
                colorSpace: BT709,
                ...(description && { description }),
              },
            },
          ),
        );
      },
      error: (failure) => (this.#failure ??= failure),
    });
    encoder.configure({
      codec,
      width,
      height,
      framerate: fps,
      bitrate: videoBitrate(width * height, fps),
      hardwareAcceleration: 'prefer-software',
      latencyMode: 'quality',
      avc: { format: 'avc' },
    });
    return encoder;
  }

  #audioEncoder({ sampleRate }: Sound): AudioEncoder {
    const seconds = AAC_FRAME / sampleRate;
    let packets = 0;
    const config = { codec: AUDIO_CODEC, sampleRate, numberOfChannels: CHANNELS };
    const encoder = new AudioEncoder({
      output: (chunk, metadata) => {
        const description = metadata?.decoderConfig?.description;
        this.#write(() =>
          this.#audioTrack.add(packetOf(chunk, packets++ * seconds, seconds), {
            decoderConfig: { ...config, ...(description && { description }) },
          }),
        );
      },
      error: (failure) => (this.#failure ??= failure),
    });
    encoder.configure({ ...config, bitrate: AUDIO_BITRATE });
    return encoder;
  }

  #write(add: () => Promise<void>): void {
    const addUnlessFailed = (): Promise<void> => (this.#failure ? Promise.resolve() : add());
    this.#written = this.#written.then(addUnlessFailed).catch((failure: unknown) => {
      this.#failure ??= failure instanceof Error ? failure : new Error(String(failure));
    });
  }

  /** Encodes sound up to a time, so that packets of sound and pictures are interleaved. */
  #addSoundUntil(seconds: number): void {
    const { sound } = this.#options;
    if (!sound || !this.#audio) return;
    const until = Math.min(sound.length, seconds * sound.sampleRate);
    while (this.#samples < until) {
      const count = Math.min(AUDIO_BLOCK, sound.length - this.#samples);
      const block = new AudioData({
        format: 'f32-planar',
        sampleRate: sound.sampleRate,
        numberOfChannels: CHANNELS,
        numberOfFrames: count,
        timestamp: Math.round((this.#samples * 1e6) / sound.sampleRate),
        data: sound.block(this.#samples, count),
      });
      this.#audio.encode(block);
      block.close();
      this.#samples += count;
    }
  }
}

/**
 * Writes all of `data`. On a nearly full disk, one write may write only a part without an error.
 */
async function writeAll(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < data.length;) {
    at += (await file.write(data, at, data.length - at, position + at)).bytesWritten;
  }
}

/** A packet for the muxer. Times are in seconds and exact; the encoder rounds them. */
function packetOf(
  chunk: EncodedVideoChunk | EncodedAudioChunk,
  timestamp: number,
  duration: number,
): EncodedPacket {
  const data = new Uint8Array(chunk.byteLength);
  chunk.copyTo(data);
  return new EncodedPacket(data, chunk.type, timestamp, duration);
}

/** The lowest H.264 level (times ten) that allows the picture size and rate. */
function level(width: number, height: number, fps: number): number {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  const levels = [
    { level: 31, blocks: 3600, rate: 108_000 },
    { level: 32, blocks: 5120, rate: 216_000 },
    { level: 40, blocks: 8192, rate: 245_760 },
    { level: 42, blocks: 8704, rate: 522_240 },
    { level: 51, blocks: 36_864, rate: 983_040 },
  ];
  const fit = levels.find((l) => blocks <= l.blocks && blocks * fps <= l.rate);
  return fit?.level ?? 52;
}
