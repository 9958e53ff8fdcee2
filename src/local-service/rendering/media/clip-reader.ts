/** Shows the frames of a clip. Decodes one frame ahead, and never holds more of the clip. */
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from '@napi-rs/webcodecs';
import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny';
import type { Box } from '../layout-context.ts';
import { RenderCancelledError } from '../render-errors.ts';
import { decodeTrack, type Pcm } from './decode-sound.ts';
import { FramePixels, HAS_HDR } from './frame-pixels.ts';
import { MediaUnreadableError } from './media-error.ts';
import { MAX_CLIP_SECONDS } from './media-schema.ts';
import { openMedia, type OpenMedia } from './open-media.ts';

/** Pixels of a clip's longer and shorter side. */
export const MAX_CLIP_SIDES = [4096, 2304] as const;

/** A part of a clip, in seconds from its beginning. */
export interface ClipRange {
  readonly from: number;
  /** Default: the end of the clip. */
  readonly to?: number | undefined;
}

/** In seconds: timestamps are rounded, and the frame of exactly this time is meant. */
const TOLERANCE = 0.0005;
/** Packets that wait for the decoder. */
const MAX_QUEUED = 2;
/** From so many seconds on, the next key frame is looked for instead of decoding up to it. */
const FAR = 2;

type DecoderConfig = Parameters<VideoDecoder['configure']>[0];

/** A decoded frame, which its owner closes. */
interface TimedFrame {
  readonly seconds: number;
  readonly frame: VideoFrame;
}

/** The frames of a clip at any time of its range. Disposing of it closes the file. */
export class ClipReader implements Disposable {
  /** Upright, in square pixels. */
  readonly width: number;
  readonly height: number;
  /** The length of the range. */
  readonly seconds: number;
  readonly #media: OpenMedia;
  readonly #track: InputVideoTrack;
  readonly #config: DecoderConfig;
  readonly #rotation: number;
  readonly #isMirrored: boolean;
  /** When the range begins, in the file's time. */
  readonly #start: number;
  readonly #pixels: FramePixels;
  readonly #onDecoded: (() => void) | undefined;
  #frames: AsyncGenerator<TimedFrame> | undefined;
  /** The time of the frame on {@link #canvas}, in the file's time. */
  #shown = -Infinity;
  #ahead: TimedFrame | undefined;
  #canvas: Canvas | undefined;

  private constructor(
    media: OpenMedia,
    track: InputVideoTrack,
    facts: ClipFacts,
    onDecoded: (() => void) | undefined,
  ) {
    this.#onDecoded = onDecoded;
    this.#media = media;
    this.#track = track;
    this.#config = facts.config;
    this.#rotation = facts.rotation;
    this.#isMirrored = facts.isMirrored;
    this.#start = facts.start;
    this.#pixels = new FramePixels(facts.config.colorSpace);
    this.width = facts.width;
    this.height = facts.height;
    this.seconds = facts.seconds;
  }

  /**
   * @param onDecoded called before every frame and for every part of the sound that is decoded, also
   *   where thousands precede the one that is sought; may throw {@link RenderCancelledError}
   * @throws {MediaUnreadableError} for a clip that cannot be shown
   */
  static async open(file: string, range: ClipRange, onDecoded?: () => void): Promise<ClipReader> {
    const media = await openMedia(file);
    try {
      const track = media.pictures;
      if (track === null) throw new MediaUnreadableError('has no pictures');
      return new ClipReader(media, track, await factsOf(track, range), onDecoded);
    } catch (error) {
      media[Symbol.dispose]();
      throw unreadable(error);
    }
  }

  /**
   * Decodes the frame of this time; after the end, the last one.
   *
   * @param seconds since the beginning of the range
   * @returns whether it is another frame than before
   * @throws {MediaUnreadableError}
   */
  async seek(seconds: number): Promise<boolean> {
    try {
      return await this.#seek(this.#start + Math.min(seconds, this.seconds - TOLERANCE));
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** At most `seconds` of the range's sound; `null` for a clip without any. @throws {MediaUnreadableError} */
  async sound(seconds: number): Promise<Pcm | null> {
    const track = this.#media.sound;
    const range = { from: this.#start, seconds: Math.min(seconds, this.seconds) };
    return track && (await decodeTrack(track, range, this.#onDecoded));
  }

  /** Draws the frame, upright, to an area of a canvas. */
  draw(context: SKRSContext2D, { x, y, width, height }: Box): void {
    if (this.#canvas === undefined) return;
    const isSideways = this.#rotation % 180 !== 0;
    const [w, h] = isSideways ? [height, width] : [width, height];
    context.save();
    context.translate(x + width / 2, y + height / 2);
    if (this.#isMirrored) context.scale(-1, 1);
    context.rotate((this.#rotation * Math.PI) / 180);
    context.drawImage(this.#canvas, -w / 2, -h / 2, w, h);
    context.restore();
  }

  [Symbol.dispose](): void {
    // Ends the decoder; nothing of the file is read any more.
    void this.#stop().finally(() => this.#media[Symbol.dispose]());
  }

  async #seek(target: number): Promise<boolean> {
    if (this.#frames === undefined || target < this.#shown || (await this.#isFar(target))) {
      await this.#stop();
      this.#frames = decodedFrames(this.#track, this.#config, target);
      this.#shown = -Infinity;
      this.#ahead = await this.#decode();
      if (this.#ahead === undefined) throw new MediaUnreadableError('has no picture at this time');
    }
    let frame: VideoFrame | undefined;
    // The first frame is also shown before its time.
    while (
      this.#ahead !== undefined &&
      (this.#ahead.seconds <= target + TOLERANCE || this.#shown === -Infinity)
    ) {
      frame?.close();
      ({ frame, seconds: this.#shown } = this.#ahead);
      this.#ahead = await this.#decode();
    }
    if (frame === undefined) return false;
    try {
      const { codedWidth: width, codedHeight: height } = frame;
      // A container and its frames may state different sizes.
      requireSize(width, height);
      if (this.#canvas?.width !== width || this.#canvas.height !== height) {
        this.#canvas = createCanvas(width, height);
      }
      await this.#pixels.put(frame, this.#canvas);
    } finally {
      frame.close();
    }
    return true;
  }

  async #isFar(target: number): Promise<boolean> {
    if (this.#ahead === undefined || target < this.#ahead.seconds + FAR) return false;
    const sink = new EncodedPacketSink(this.#track);
    const key = await sink.getKeyPacket(target, { metadataOnly: true });
    return key !== null && key.timestamp > this.#ahead.seconds;
  }

  async #decode(): Promise<TimedFrame | undefined> {
    this.#onDecoded?.();
    const next = await this.#frames?.next();
    return next?.done === false ? next.value : undefined;
  }

  async #stop(): Promise<void> {
    this.#ahead?.frame.close();
    this.#ahead = undefined;
    await this.#frames?.return(undefined);
    this.#frames = undefined;
  }
}

interface ClipFacts {
  readonly config: DecoderConfig;
  /** Clockwise, in degrees. */
  readonly rotation: number;
  /** Left and right are exchanged after the rotation, as cameras of a phone’s front do. */
  readonly isMirrored: boolean;
  readonly width: number;
  readonly height: number;
  readonly start: number;
  readonly seconds: number;
}

async function factsOf(track: InputVideoTrack, { from, to }: ClipRange): Promise<ClipFacts> {
  requireSize(await track.getCodedWidth(), await track.getCodedHeight());
  if (await track.hasHighDynamicRange()) {
    throw new MediaUnreadableError(HAS_HDR);
  }
  if (await track.canBeTransparent()) {
    throw new MediaUnreadableError('has transparent parts; a clip must be opaque');
  }
  const config = (await track.getDecoderConfig()) as DecoderConfig | null;
  if (config === null || !(await VideoDecoder.isConfigSupported(config)).supported) {
    const codec = (await track.getCodecParameterString()) ?? 'an unknown codec';
    throw new MediaUnreadableError(`has pictures in ${codec}, which cannot be decoded`);
  }
  const beginning = Math.max(0, await track.getFirstTimestamp());
  const length = (await track.computeDuration()) - beginning;
  const seconds = Math.min(to ?? Infinity, length, from + MAX_CLIP_SECONDS) - from;
  if (!(seconds > 0)) {
    throw new MediaUnreadableError(
      `lasts ${length.toFixed(1)} s, and is to be shown from ${from} s on`,
    );
  }
  return {
    config: { ...config, hardwareAcceleration: 'prefer-software' },
    rotation: await track.getRotation(),
    isMirrored: await track.getFlip(),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    start: beginning + from,
    seconds,
  };
}

/** @throws {MediaUnreadableError} */
function requireSize(width: number, height: number): void {
  const [longer, shorter] = MAX_CLIP_SIDES;
  if (Math.max(width, height) <= longer && Math.min(width, height) <= shorter) return;
  throw new MediaUnreadableError(
    `has ${width}×${height} pixels; a clip may have ${longer}×${shorter} at most`,
  );
}

/**
 * The frames of a track in the order in which they are shown, from the key frame before a time on.
 * A decoder gives frames in this order but, where some are coded after later ones, with wrong
 * times. So each frame gets the earliest time of the packets whose frames have not been seen.
 */
async function* decodedFrames(
  track: InputVideoTrack,
  config: DecoderConfig,
  from: number,
): AsyncGenerator<TimedFrame> {
  const decoded: VideoFrame[] = [];
  const times: number[] = [];
  let failure: Error | undefined;
  let dequeued = Promise.withResolvers<undefined>();
  const decoder = new VideoDecoder({
    output: (frame) => decoded.push(frame),
    error: (error) => {
      failure ??= error;
      dequeued.resolve(undefined);
    },
  });
  decoder.ondequeue = () => dequeued.resolve(undefined);
  const timed = function* (): Generator<TimedFrame> {
    for (let frame = decoded.shift(); frame !== undefined; frame = decoded.shift()) {
      const seconds = times.shift();
      if (seconds === undefined) frame.close();
      else yield { seconds, frame };
    }
  };
  try {
    decoder.configure(config);
    for await (const packet of packetsFrom(track, from)) {
      insert(times, packet.timestamp);
      dequeued = Promise.withResolvers<undefined>();
      decoder.decode(
        new EncodedVideoChunk({
          type: packet.type,
          timestamp: packet.microsecondTimestamp,
          data: packet.data,
        }),
      );
      if (decoder.decodeQueueSize >= MAX_QUEUED) await dequeued.promise;
      if (failure) throw failure;
      yield* timed();
    }
    await decoder.flush();
    if (failure) throw failure;
    yield* timed();
  } finally {
    for (const frame of decoded) frame.close();
    if (decoder.state !== 'closed') decoder.close();
  }
}

/** In the order of decoding, from the key frame at or before a time on. */
async function* packetsFrom(track: InputVideoTrack, from: number): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track);
  const key = (await sink.getKeyPacket(from + TOLERANCE)) ?? (await sink.getFirstKeyPacket());
  if (key === null) throw new MediaUnreadableError('has no key frame');
  for await (const packet of sink.packets(key)) {
    // Frames that precede the key frame and are coded after it need others before it.
    if (packet.timestamp >= key.timestamp) yield packet;
  }
}

/** Keeps the numbers in order. */
function insert(numbers: number[], added: number): void {
  const at = numbers.findLastIndex((each) => each <= added);
  numbers.splice(at + 1, 0, added);
}

function unreadable(error: unknown): MediaUnreadableError | RenderCancelledError {
  if (error instanceof MediaUnreadableError || error instanceof RenderCancelledError) return error;
  return new MediaUnreadableError('has damaged pictures', error);
}
