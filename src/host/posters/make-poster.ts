import { open } from 'node:fs/promises';
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from '@napi-rs/webcodecs';
import {
  type EncodedPacket,
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputVideoTrack,
  MP4,
  QTFF,
} from 'mediabunny';
import { readerOf } from '../../engine/downloads/mp4-boxes.ts';
import { contentOf } from './frame-content.ts';
import { sampleTablesFit } from '../../engine/downloads/sample-tables.ts';

/** The longer side of a poster, in pixels: sharp in a list and good enough in the details. */
const LONGER_SIDE = 640;
const QUALITY = 82;
/**
 * Positions in the video, as fractions, of which the one that shows most becomes the poster. The
 * first is preferred: most videos have begun by then, and few are fading out.
 */
const POSITIONS = [1 / 3, 1 / 2, 1 / 5, 2 / 3, 5 / 6];
/** A later position must show this many times as much as one before it. */
const MUCH_MORE = 1.2;
/** Pixels that are compared, of all positions: five of 1080p, one of 8K. */
const MAX_COMPARED_PIXELS = 5 * 1920 * 1088;
/** Maximum number of frames decoded between a key frame and a position. */
const MAX_FRAMES = 90;
/** Maximum number of frames queued in the decoder; each may be large. */
const MAX_DECODE_QUEUE = 4;
/** 8K. A container's header and its frames may claim different sizes, so both are checked. */
const MAX_PIXELS = 7680 * 4320;

/** No poster can be made of the video. */
class NoPosterError extends Error {
  override readonly name = 'NoPosterError';
}

/**
 * A JPEG of one frame of a video file, upright and in its own proportions.
 *
 * Loads native code and decodes hostile bytes: only the decoder program may import this module.
 *
 * @throws an error that describes the problem with the file
 */
export async function makePoster(video: string): Promise<Buffer> {
  if (!(await tablesFit(video)))
    throw new NoPosterError('It claims more samples than it contains.');
  using input = new Input({ source: new FilePathSource(video), formats: [MP4, QTFF] });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new NoPosterError('It has no video track.');
  checkSize(await track.getCodedWidth(), await track.getCodedHeight());
  return await (await bestPicture(track)).encode('jpeg', QUALITY);
}

/** The picture that shows most, scaled to a poster. */
async function bestPicture(track: InputVideoTrack): Promise<Canvas> {
  const duration = await track.computeDuration();
  const pixels = (await track.getCodedWidth()) * (await track.getCodedHeight());
  const compared = Math.max(1, Math.floor(MAX_COMPARED_PIXELS / pixels));
  let best: { readonly picture: Canvas; readonly content: number } | undefined;
  for (const position of POSITIONS.slice(0, compared)) {
    try {
      const picture = await pictureAt(track, position * duration);
      const content = contentOf(picture);
      if (best === undefined || content > best.content * MUCH_MORE) best = { picture, content };
    } catch (error) {
      // A video whose end cannot be decoded has a poster of its beginning.
      if (best === undefined) throw error;
    }
  }
  if (best === undefined) throw new NoPosterError('It has no pictures.');
  return best.picture;
}

async function pictureAt(track: InputVideoTrack, seconds: number): Promise<Canvas> {
  const frame = await decode(track, seconds);
  try {
    return await draw(await toCanvas(frame), track);
  } finally {
    frame.close();
  }
}

async function tablesFit(video: string): Promise<boolean> {
  const file = await open(video, 'r');
  try {
    return await sampleTablesFit(readerOf(file), (await file.stat()).size);
  } finally {
    await file.close();
  }
}

function checkSize(width: number, height: number): void {
  if (width * height > MAX_PIXELS) throw new NoPosterError('Its pictures are too large.');
}

/** The frame at `seconds`, or an earlier one closer to its key frame. */
async function decode(track: InputVideoTrack, seconds: number): Promise<VideoFrame> {
  const config = await track.getDecoderConfig();
  if (!config) throw new NoPosterError('Its codec is unknown.');
  let latest: VideoFrame | undefined;
  let failure: Error | undefined;
  let dequeued = Promise.withResolvers<undefined>();
  const decoder = new VideoDecoder({
    output: (frame) => {
      latest?.close();
      latest = frame;
    },
    error: (error) => {
      failure = error;
      dequeued.resolve(undefined);
    },
  });
  decoder.ondequeue = () => dequeued.resolve(undefined);
  try {
    decoder.configure(config as Parameters<typeof decoder.configure>[0]);
    for await (const packet of packetsUntil(track, seconds)) {
      dequeued = Promise.withResolvers<undefined>();
      decoder.decode(
        new EncodedVideoChunk({
          type: packet.type,
          timestamp: packet.microsecondTimestamp,
          data: packet.data,
        }),
      );
      if (decoder.decodeQueueSize >= MAX_DECODE_QUEUE) await dequeued.promise;
      if (latest) checkSize(latest.codedWidth, latest.codedHeight);
      if (failure) break;
    }
    if (!failure) await decoder.flush();
  } finally {
    decoder.close();
  }
  if (!latest) throw failure ?? new NoPosterError('It contains no picture.');
  checkSize(latest.codedWidth, latest.codedHeight);
  return latest;
}

async function* packetsUntil(
  track: InputVideoTrack,
  seconds: number,
): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track);
  let packet = (await sink.getKeyPacket(seconds)) ?? (await sink.getFirstPacket());
  for (let count = 0; packet && count < MAX_FRAMES; count += 1) {
    yield packet;
    if (packet.timestamp >= seconds) return;
    packet = await sink.getNextPacket(packet);
  }
}

async function toCanvas(frame: VideoFrame): Promise<Canvas> {
  const canvas = createCanvas(frame.codedWidth, frame.codedHeight);
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(canvas.width, canvas.height);
  await frame.copyTo(new Uint8Array(pixels.data.buffer), { format: 'RGBA' });
  context.putImageData(pixels, 0, 0);
  return canvas;
}

/** Scales a frame to the poster's size and applies the rotation stored in the file. */
async function draw(picture: Canvas, track: InputVideoTrack): Promise<Canvas> {
  const [displayWidth, displayHeight] = [
    await track.getDisplayWidth(),
    await track.getDisplayHeight(),
  ];
  const rotation = await track.getRotation();
  const scale = Math.min(1, LONGER_SIDE / Math.max(displayWidth, displayHeight));
  const width = Math.max(1, Math.round(displayWidth * scale));
  const height = Math.max(1, Math.round(displayHeight * scale));
  const poster = createCanvas(width, height);
  const context = poster.getContext('2d');
  context.translate(width / 2, height / 2);
  context.rotate((rotation * Math.PI) / 180);
  const isSideways = rotation % 180 !== 0;
  const [w, h] = isSideways ? [height, width] : [width, height];
  context.drawImage(picture, -w / 2, -h / 2, w, h);
  return poster;
}
