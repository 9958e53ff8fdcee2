import { rm, writeFile } from 'node:fs/promises';
import { FrameRenderer } from './frame-renderer.ts';
import { imagesOf } from './image-limits.ts';
import { type DecodeImage, imageDecoder } from './image-source.ts';
import { Mp4Writer } from './mp4-writer.ts';
import { completePart, partPath } from '../durable-file.ts';
import { RenderCancelledError } from './render-errors.ts';
import type { Storyboard } from './storyboard.ts';
import { soundtrackOf } from './soundtrack.ts';
import type { DrawOrder, RenderOrder, RenderResult } from './worker-messages.ts';

/** Number of frames between two progress reports. */
const REPORT_EVERY = 10;
const POSTER_QUALITY = 88;

/**
 * Draws, encodes and writes one video and its poster. Leaves no unfinished files when it fails or
 * is cancelled.
 */
export async function renderToFiles(
  order: RenderOrder,
  onProgress: (framesDone: number, framesTotal: number) => void,
  signal: AbortSignal,
): Promise<RenderResult> {
  const { storyboard, videoPath, posterPath } = order;
  const decodeImage = imageDecoder(order.imageFiles);
  const renderer = new FrameRenderer(storyboard, decodeImage);
  await checkImages(storyboard, decodeImage, () => {
    if (signal.aborted) throw new RenderCancelledError();
    onProgress(0, renderer.frames);
  });
  const { width, height } = renderer.size;
  const seconds = renderer.frames / storyboard.fps;
  const writer = await Mp4Writer.open({
    path: partPath(videoPath),
    width,
    height,
    fps: storyboard.fps,
    frames: renderer.frames,
    sound: soundtrackOf(storyboard, seconds),
  });
  try {
    for (let frame = 0; frame < renderer.frames; frame++) {
      if (signal.aborted) throw new RenderCancelledError();
      await writer.addPicture(await renderer.draw(frame));
      if (frame % REPORT_EVERY === 0) onProgress(frame, renderer.frames);
    }
    await writer.finish();
    await writeFile(partPath(posterPath), await posterOf(renderer));
    await completePart(posterPath);
    const bytes = await completePart(videoPath);
    onProgress(renderer.frames, renderer.frames);
    return { durationSeconds: seconds, bytes, width, height };
  } catch (error) {
    await writer.close();
    await rm(partPath(posterPath), { force: true });
    await rm(partPath(videoPath), { force: true });
    throw error;
  } finally {
    await writer.close();
  }
}

/**
 * Decodes every image once: otherwise one that cannot be decoded would cost all frames before it.
 *
 * @throws {ImageUnreadableError}
 */
async function checkImages(
  storyboard: Storyboard,
  decodeImage: DecodeImage,
  onImage: () => void,
): Promise<void> {
  const decoded = new Set<string>();
  for (const each of imagesOf(storyboard)) {
    if (decoded.has(each.image)) continue;
    onImage();
    using _image = await decodeImage(each);
    decoded.add(each.image);
  }
}

/** Draws the poster of a storyboard's video, without rendering the video. */
export function drawPoster({ storyboard, imageFiles }: DrawOrder): Promise<Buffer> {
  return posterOf(new FrameRenderer(storyboard, imageDecoder(imageFiles)));
}

async function posterOf(renderer: FrameRenderer): Promise<Buffer> {
  const poster = await renderer.draw(renderer.posterFrame);
  return poster.canvas.encodeSync('jpeg', POSTER_QUALITY);
}
