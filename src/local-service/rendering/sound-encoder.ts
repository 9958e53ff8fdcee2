/** The codec of the videos' sound: AAC-LC in two channels. */
import { AudioData, AudioEncoder } from '@napi-rs/webcodecs';
import type { EncodedPacket } from 'mediabunny';
import { AUDIO_BITRATE } from './bitrate.ts';
import { packetOf } from './picture-encoder.ts';

/** An audio track, whose samples are generated on demand. */
export interface Sound {
  sampleRate: number;
  /** Length in samples. */
  length: number;
  /** `count` samples from `start` on, in −1…1, as two planes: left, then right. */
  block(start: number, count: number): Float32Array;
}

export interface SoundConfig {
  codec: string;
  sampleRate: number;
  numberOfChannels: number;
  description?: Uint8Array;
}

interface Listeners {
  /** Packets in order. The first one starts before 0, at the encoder's delay. */
  onPacket: (packet: EncodedPacket, config: SoundConfig) => void;
  onError: (error: Error) => void;
}

const CODEC = 'mp4a.40.2';
const CHANNELS = 2;
const BLOCK = 4096;
const FRAME = 1024;
/** What a decoder plays before the first sample, in samples. */
const DELAY = 1024;

/** Encodes a sound, a part at a time. */
export class SoundEncoder {
  readonly #sound: Sound;
  readonly #encoder: AudioEncoder;
  #samples = 0;

  constructor(sound: Sound, { onPacket, onError }: Listeners) {
    this.#sound = sound;
    const { sampleRate, length } = sound;
    const config = { codec: CODEC, sampleRate, numberOfChannels: CHANNELS };
    let packets = 0;
    this.#encoder = new AudioEncoder({
      output: (chunk, metadata) => {
        const description = metadata?.decoderConfig?.description;
        // Times before 0 become an edit list, so that players leave out the delay. So is the
        // silence that fills the last packet.
        const start = packets++ * FRAME - DELAY;
        const samples = Math.min(FRAME, length - start);
        if (samples <= 0) return;
        onPacket(packetOf(chunk, start / sampleRate, samples / sampleRate), {
          ...config,
          ...(description && { description }),
        });
      },
      error: onError,
    });
    this.#encoder.configure({ ...config, bitrate: AUDIO_BITRATE });
  }

  /** Maximum number of packets of a sound. */
  static packetsOf({ length }: Sound): number {
    return Math.ceil((length + DELAY) / FRAME) + 1;
  }

  /** Encodes the sound up to a time in seconds. */
  encodeUntil(seconds: number): void {
    const { length, sampleRate } = this.#sound;
    const until = Math.min(length, seconds * sampleRate);
    while (this.#samples < until) {
      const count = Math.min(BLOCK, length - this.#samples);
      const block = new AudioData({
        format: 'f32-planar',
        sampleRate,
        numberOfChannels: CHANNELS,
        numberOfFrames: count,
        timestamp: Math.round((this.#samples * 1e6) / sampleRate),
        data: this.#sound.block(this.#samples, count),
      });
      this.#encoder.encode(block);
      block.close();
      this.#samples += count;
    }
  }

  /** Resolves when all packets were passed on. */
  async flush(): Promise<void> {
    await this.#encoder.flush();
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }
}
