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

/** The longer side of a poster, in pixels: sharp in a list and good enough beside it. */
const LONGER_SIDE = 640;
const QUALITY = 82;
/** Where in the film to look: by then most have begun, and few have come to their end. */
const MOMENT = 1 / 3;
/** Pictures to decode at most on the way from a key frame to that moment. */
const MOST_PICTURES = 90;
/** A header may claim any size; more than an 8K picture is not decoded. */
const MOST_PIXELS = 7680 * 4320;

/** A video of which no poster can be made. */
class NoPosterError extends Error {
  override readonly name = 'NoPosterError';
}

/**
 * A JPEG of one picture of a video file, upright and in its own proportions.
 *
 * Loads native code: import it when a poster is wanted, not before.
 *
 * @throws whatever is wrong with the file
 */
export async function makePoster(video: string): Promise<Buffer> {
  using input = new Input({ source: new FilePathSource(video), formats: [MP4, QTFF] });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new NoPosterError('It has no video track.');
  if ((await track.getCodedWidth()) * (await track.getCodedHeight()) > MOST_PIXELS) {
    throw new NoPosterError('Its pictures are too large.');
  }
  const frame = await decode(track, MOMENT * (await track.computeDuration()));
  try {
    const poster = await draw(await pictureOf(frame), track);
    return await poster.encode('jpeg', QUALITY);
  } finally {
    frame.close();
  }
}

/** The picture at `seconds`, or one before it that is nearer to its key frame. */
async function decode(track: InputVideoTrack, seconds: number): Promise<VideoFrame> {
  const config = await track.getDecoderConfig();
  if (!config) throw new NoPosterError('Its codec is unknown.');
  let latest: VideoFrame | undefined;
  let failure: Error | undefined;
  const decoder = new VideoDecoder({
    output: (frame) => {
      latest?.close();
      latest = frame;
    },
    error: (error) => (failure = error),
  });
  try {
    decoder.configure(config as Parameters<typeof decoder.configure>[0]);
    for await (const packet of packetsUntil(track, seconds)) {
      decoder.decode(
        new EncodedVideoChunk({
          type: packet.type,
          timestamp: packet.microsecondTimestamp,
          data: packet.data,
        }),
      );
    }
    await decoder.flush();
  } finally {
    decoder.close();
  }
  if (!latest) throw failure ?? new NoPosterError('It holds no picture.');
  return latest;
}

async function* packetsUntil(
  track: InputVideoTrack,
  seconds: number,
): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track);
  let packet = (await sink.getKeyPacket(seconds)) ?? (await sink.getFirstPacket());
  for (let count = 0; packet && count < MOST_PICTURES; count += 1) {
    yield packet;
    if (packet.timestamp >= seconds) return;
    packet = await sink.getNextPacket(packet);
  }
}

async function pictureOf(frame: VideoFrame): Promise<Canvas> {
  const canvas = createCanvas(frame.codedWidth, frame.codedHeight);
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(canvas.width, canvas.height);
  const bytes = new Uint8Array(frame.allocationSize({ format: 'RGBA' }));
  await frame.copyTo(bytes, { format: 'RGBA' });
  pixels.data.set(bytes);
  context.putImageData(pixels, 0, 0);
  return canvas;
}

/** Scales a picture to the poster's size, turned as the file says that it is to be shown. */
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
  const isTurned = rotation % 180 !== 0;
  const [w, h] = isTurned ? [height, width] : [width, height];
  context.drawImage(picture, -w / 2, -h / 2, w, h);
  return poster;
}
