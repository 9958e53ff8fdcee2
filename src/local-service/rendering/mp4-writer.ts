import { EncodedAudioPacketSource, EncodedVideoPacketSource, Mp4OutputFormat } from 'mediabunny';
import { Output, StreamTarget } from 'mediabunny';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Picture } from './frame-renderer.ts';
import { PICTURE_CODEC, PictureEncoder } from './picture-encoder.ts';
import { type Sound, SoundEncoder } from './sound-encoder.ts';
import { YuvPicture } from './yuv-picture.ts';

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
/**
 * Encodes canvases and sound into an MP4. The index is at the
 * front, so that the file plays while it is being downloaded.
 */
export class Mp4Writer {
  readonly #options: Mp4Options;
  readonly #file: FileHandle;
  readonly #output: Output;
  readonly #videoTrack = new EncodedVideoPacketSource(PICTURE_CODEC);
  readonly #audioTrack = new EncodedAudioPacketSource('aac');
  readonly #yuv: YuvPicture;
  readonly #video: PictureEncoder;
  readonly #audio: SoundEncoder | undefined;
  /** Settles when all packets so far are written, in order. */
  #written: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #pictures = 0;

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
    const onError = (error: Error) => {
      this.#failure ??= error;
    };
    this.#video = new PictureEncoder(options, {
      onPacket: (packet, decoderConfig) =>
        this.#write(() => this.#videoTrack.add(packet, { decoderConfig })),
      onError,
    });
    if (!sound) return;
    this.#output.addAudioTrack(this.#audioTrack, {
      maximumPacketCount: SoundEncoder.packetsOf(sound),
    });
    this.#audio = new SoundEncoder(sound, {
      onPacket: (packet, decoderConfig) =>
        this.#write(() => this.#audioTrack.add(packet, { decoderConfig })),
      onError,
    });
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
    const { fps } = this.#options;
    if (changed) this.#yuv.update(canvas, changed);
    const keyFrame = this.#pictures % (fps * SECONDS_BETWEEN_KEY_FRAMES) === 0;
    this.#video.encode(this.#yuv.planes, this.#pictures, keyFrame);
    this.#pictures++;
    // Together, so that packets of sound and pictures are interleaved.
    this.#audio?.encodeUntil(this.#pictures / fps);
    // Yields to the event loop, which frees the memory of earlier frames for reuse.
    await setImmediate();
    // A timer, not a busy loop: the encoder's threads need this core.
    while (this.#video.queued > MAX_QUEUED_PICTURES && !this.#failure) await setTimeout(1);
    if (this.#failure) throw this.#failure;
  }

  /** Completes the file. */
  async finish(): Promise<void> {
    this.#audio?.encodeUntil(Infinity);
    await this.#video.flush();
    await this.#audio?.flush();
    await this.#written;
    if (this.#failure) throw this.#failure;
    await this.#output.finalize();
    await this.#file.close();
  }

  /** Frees the encoders and closes the file, whether or not it was finished. */
  async close(): Promise<void> {
    this.#video.close();
    this.#audio?.close();
    // The error of a file that could not be written was already reported.
    if (this.#output.state === 'started') await this.#output.cancel().catch(() => undefined);
    await this.#file.close();
  }

  #write(add: () => Promise<void>): void {
    const addUnlessFailed = (): Promise<void> => (this.#failure ? Promise.resolve() : add());
    this.#written = this.#written.then(addUnlessFailed).catch((failure: unknown) => {
      this.#failure ??= failure instanceof Error ? failure : new Error(String(failure));
    });
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
