import { rm, writeFile } from 'node:fs/promises';
import { spread } from './captions/caption-times.ts';
import { FrameRenderer } from './frame-renderer.ts';
import { clipOf, imagesOf } from './image-limits.ts';
import { type DecodeImage, imageDecoder } from './image-source.ts';
import { clipSounds } from './media/clip-sounds.ts';
import { clipOpener, type OpenClip } from './media/clip-source.ts';
import type { Pcm } from './media/decode-sound.ts';
import { type OwnSounds, ownSounds, readable } from './media/own-sounds.ts';
import { useOwnFont } from './own-font.ts';
import { LOUDNESS_RATE } from './loudness.ts';
import { Mp4Writer } from './mp4-writer.ts';
import { completePart, partPath } from '../durable-file.ts';
import { ImageUnreadableError, RenderCancelledError } from './render-errors.ts';
import { costOf, MAX_SECONDS, type Storyboard, storyboardSchema } from './storyboard.ts';
import { soundtrackOf, speechIn } from './soundtrack.ts';
import type { DrawOrder, RenderOrder, RenderResult } from './worker-messages.ts';

/** Number of frames between two progress reports. */
const REPORT_EVERY = 10;
/** The same while a clip is decoded up to the frame that it begins with. */
const REPORT_EVERY_DECODED = 100;
const POSTER_QUALITY = 88;
/** The last picture stays a moment after the voice. */
const AFTER_VOICE_SECONDS = 0.8;

/**
 * Draws, encodes and writes one video and its poster. Leaves no unfinished files when it fails or
 * is cancelled.
 */
export async function renderToFiles(
  order: RenderOrder,
  onProgress: (framesDone: number, framesTotal: number) => void,
  signal: AbortSignal,
): Promise<RenderResult> {
  const { videoPath, posterPath } = order;
  const decodeImage = imageDecoder(order.imageFiles);
  using _font = await useOwnFont(order.storyboard, order.imageFiles);
  const { storyboard, sounds } = await withSounds(order.storyboard, order.imageFiles);
  let framesDone = 0;
  let framesDecoded = 0;
  const onStep = () => {
    if (signal.aborted) throw new RenderCancelledError();
    onProgress(framesDone, renderer.frames);
  };
  const openClip = clipOpener(order.imageFiles, () => {
    framesDecoded += 1;
    if (framesDecoded % REPORT_EVERY_DECODED === 0) onStep();
  });
  const renderer = new FrameRenderer(storyboard, decodeImage, openClip);
  await checkImages(storyboard, decodeImage, onStep);
  await checkClips(storyboard, openClip, onStep);
  const clips = await clipSounds(storyboard, openClip);
  const { width, height } = renderer.size;
  const seconds = renderer.frames / storyboard.fps;
  const writer = await Mp4Writer.open({
    path: partPath(videoPath),
    width,
    height,
    fps: storyboard.fps,
    frames: renderer.frames,
    sound: soundtrackOf(storyboard, seconds, { ...sounds, clips }),
  });
  try {
    for (; framesDone < renderer.frames; framesDone++) {
      if (signal.aborted) throw new RenderCancelledError();
      await writer.addPicture(await renderer.draw(framesDone));
      if (framesDone % REPORT_EVERY === 0) onProgress(framesDone, renderer.frames);
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
    await renderer.close();
  }
}

/**
 * A storyboard as long as its voice, and its sounds: of music, no more than is heard.
 *
 * @param files of uploads, by their identifiers
 * @throws {ImageUnreadableError}
 */
export async function withSounds(
  given: Storyboard,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly storyboard: Storyboard; readonly sounds: OwnSounds }> {
  const voice = await ownSounds({ voice: given.voice }, files, MAX_SECONDS);
  const storyboard = asSpoken(asLongAs(given, voice.voice), voice.voice);
  // The last frame may end after the last scene.
  const seconds = costOf(storyboard).seconds + 1;
  const music = await ownSounds({ music: storyboard.music }, files, seconds);
  return { storyboard, sounds: { ...voice, ...music } };
}

/**
 * A storyboard whose scenes last as long as its voice, if nothing says how long they last.
 *
 * @throws {ImageUnreadableError} for a voice that is longer than such a video may be
 */
export function asLongAs(storyboard: Storyboard, voice: Pcm | undefined): Storyboard {
  const { duration, scenes } = storyboard;
  if (voice === undefined || duration !== undefined) return storyboard;
  const needed = Math.min(MAX_SECONDS, voice.left.length / LOUDNESS_RATE + AFTER_VOICE_SECONDS);
  const isFixed = scenes.every(({ seconds }) => seconds !== undefined);
  if (isFixed || costOf(storyboard).seconds >= needed) return storyboard;
  const stretched = storyboardSchema.safeParse({ ...storyboard, duration: needed });
  if (stretched.success) return stretched.data;
  const reason = `is too long: ${stretched.error.issues[0]?.message ?? 'the video'}`;
  throw new ImageUnreadableError('the voice', stretched.error, reason);
}

/** A storyboard whose captions, if they are one text, have the times of the voice. */
function asSpoken(storyboard: Storyboard, voice: Pcm | undefined): Storyboard {
  const { captions } = storyboard;
  if (typeof captions !== 'string' || voice === undefined) return storyboard;
  const { seconds } = costOf(storyboard);
  return { ...storyboard, captions: spread(captions, seconds, speechIn(voice)) };
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

/**
 * Decodes the first frame of every clip, for the same reason.
 *
 * @throws {ImageUnreadableError}
 */
async function checkClips(
  { scenes }: Storyboard,
  openClip: OpenClip,
  onClip: () => void,
): Promise<void> {
  const checked = new Set<string>();
  for (const [index, { background }] of scenes.entries()) {
    if (background === undefined || checked.has(background.asset)) continue;
    onClip();
    await readable(clipOf(index), async () => {
      using clip = await openClip(background, clipOf(index));
      await clip.seek(0);
    });
    checked.add(background.asset);
  }
}

/** Draws the poster of a storyboard's video, without rendering the video. */
export async function drawPoster({ storyboard, imageFiles }: DrawOrder): Promise<Buffer> {
  // The voice decides what captions say at a time, and nothing else that is seen.
  const isSpoken = typeof storyboard.captions === 'string' && storyboard.voice !== undefined;
  const { voice } = isSpoken
    ? await ownSounds({ voice: storyboard.voice }, imageFiles, MAX_SECONDS)
    : {};
  using _font = await useOwnFont(storyboard, imageFiles);
  const shown = asSpoken(asLongAs(storyboard, voice), voice);
  const renderer = new FrameRenderer(shown, imageDecoder(imageFiles), clipOpener(imageFiles));
  try {
    return await posterOf(renderer);
  } finally {
    await renderer.close();
  }
}

async function posterOf(renderer: FrameRenderer): Promise<Buffer> {
  const poster = await renderer.draw(renderer.posterFrame);
  return poster.canvas.encodeSync('jpeg', POSTER_QUALITY);
}
