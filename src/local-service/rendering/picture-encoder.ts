/**
 * The codec of the videos' pictures. This file alone decides which encoder is used
 * (docs/decisions/0017-the-encoders-licence.md): H.264 High, 4:2:0, BT.709.
 */
import type { EncodedAudioChunk, EncodedVideoChunk } from '@napi-rs/webcodecs';
import { VideoEncoder, VideoFrame } from '@napi-rs/webcodecs';
import { EncodedPacket } from 'mediabunny';
import { videoBitrate } from './bitrate.ts';

/** The codec as the muxer names it. */
export const PICTURE_CODEC = 'avc';

const BT709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

interface PictureOptions {
  /** Even numbers of pixels. */
  width: number;
  height: number;
  fps: number;
}

/** How a player opens the decoder, with the first packet. */
export interface PictureConfig {
  codec: string;
  codedWidth: number;
  codedHeight: number;
  colorSpace: typeof BT709;
  description?: Uint8Array;
}

interface Listeners {
  /** Packets in the order of decoding. Times are in seconds and exact. */
  onPacket: (packet: EncodedPacket, config: PictureConfig) => void;
  onError: (error: Error) => void;
}

/** Encodes pictures of one size at a constant rate. */
export class PictureEncoder {
  readonly #options: PictureOptions;
  readonly #encoder: VideoEncoder;

  constructor(options: PictureOptions, { onPacket, onError }: Listeners) {
    this.#options = options;
    const { width, height, fps } = options;
    const codec = `avc1.6400${level(width, height, fps).toString(16)}`;
    this.#encoder = new VideoEncoder({
      output: (chunk, metadata) => {
        const description = metadata?.decoderConfig?.description;
        const frame = Math.round((chunk.timestamp * fps) / 1e6);
        onPacket(packetOf(chunk, frame / fps, 1 / fps), {
          codec,
          codedWidth: width,
          codedHeight: height,
          colorSpace: BT709,
          ...(description && { description }),
        });
      },
      error: onError,
    });
    this.#encoder.configure({
      codec,
      width,
      height,
      framerate: fps,
      bitrate: videoBitrate(width * height, fps),
      hardwareAcceleration: 'prefer-software',
      latencyMode: 'quality',
      avc: { format: 'avc' },
    });
  }

  /** Pictures that are not encoded yet. */
  get queued(): number {
    return this.#encoder.encodeQueueSize;
  }

  /** @param planes I420, as `YuvPicture` writes them; copied. @param index counts from 0 */
  encode(planes: Uint8Array, index: number, keyFrame: boolean): void {
    const { width, height, fps } = this.#options;
    const frame = new VideoFrame(planes, {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      timestamp: Math.round((index * 1e6) / fps),
      duration: Math.round(1e6 / fps),
      colorSpace: BT709,
    });
    this.#encoder.encode(frame, { keyFrame });
    frame.close();
  }

  /** Resolves when all packets were passed on. */
  async flush(): Promise<void> {
    await this.#encoder.flush();
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }
}

/** A packet for the muxer. Times are in seconds and exact; encoders round theirs. */
export function packetOf(
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
