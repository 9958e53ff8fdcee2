import { z } from 'zod';
import { secondsFor } from './captions/caption-times.ts';
import { MIN_SCENE_SECONDS } from './durations.ts';
import { leastSecondsOf, secondsOf } from './pages.ts';
import { LOOK_NAMES } from './looks/look-names.ts';
import { mediaFields } from './media/media-schema.ts';
import { sceneSchema } from './scene-schema.ts';
import { imageSchema, number, oneOf, only, wholeNumber, words } from './schema-fields.ts';
import { themeSchema } from './theme.ts';

/** The body of `POST /video/generate`, whose fields service-api.md §4.1 leaves open. */

/**
 * Maximum picture area times length, in pixels × seconds: five minutes at 1920×1080. It limits the
 * time of a render and the size of its file.
 */
export const MAX_PIXEL_SECONDS = 1920 * 1080 * 300;

/** Of a video. */
export const MAX_SECONDS = 600;

const fieldsSchema = only({
  title: words(200).meta({
    title: 'Title',
    description: 'Shown first, and the name of the video',
  }),
  aspect: oneOf(['16:9', '9:16', '1:1', '4:5'])
    .meta({ title: 'Aspect ratio', description: 'Width to height' })
    .default('16:9'),
  /** 720 with 16:9 is 1280×720. */
  resolution: oneOf([480, 720, 1080, 1440, 2160])
    .meta({ title: 'Resolution', description: 'Pixels on the shorter side' })
    .default(720),
  fps: wholeNumber(24, 60)
    .meta({
      title: 'Frames per second',
      description: 'More is smoother but takes longer to render',
    })
    .default(30),
  /** How the video is laid out, set and moved. */
  look: oneOf(LOOK_NAMES)
    .meta({ title: 'Look', description: 'Layout, type, colours and movement' })
    .default('picture'),
  /** `reduced`: pages fade, and nothing else moves. */
  motion: oneOf(['full', 'reduced'])
    .meta({ title: 'Motion', description: 'Reduced: scenes fade, and nothing else moves' })
    .default('full'),
  theme: themeSchema,
  /** Fills the frame behind every scene and moves slowly. */
  picture: imageSchema
    .meta({ title: 'Picture', description: 'Behind every scene: PNG, JPEG or WebP' })
    .optional(),
  /** Stays in the upper right corner of the safe area. */
  logo: imageSchema
    .meta({ title: 'Logo', description: 'In the upper right corner: PNG, JPEG or WebP' })
    .optional(),
  scenes: z
    .array(sceneSchema, 'must be a list of scenes')
    .min(1, 'must have at least 1 scene')
    .max(40, 'must have at most 40 scenes'),
  /** Scenes without `seconds` share the rest of it. */
  duration: number(1, MAX_SECONDS)
    .meta({
      title: 'Length in seconds',
      description: 'Leave empty to match the reading time',
    })
    .optional(),
  soundtrack: oneOf(['calm', 'bright', 'pulse', 'none'])
    .meta({ title: 'Soundtrack', description: 'Synthesised background music' })
    .default('calm'),
  ...mediaFields,
  /** Of the texts, for hyphens. Default: guessed from them. */
  language: oneOf(['de', 'en'])
    .meta({ title: 'Language', description: 'Of the texts, to hyphenate long words' })
    .optional(),
  /** Whether the end leads over into the first frame, for players that repeat a video. */
  loop: z.boolean('must be true or false').default(false).meta({
    title: 'Loop',
    description: 'Ends with its beginning',
  }),
});

/** Parses a request body. Reports all errors, each with its path. */
export const storyboardSchema = fieldsSchema.superRefine((storyboard, context) => {
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { scenes, duration, captions } = storyboard;
  const captionSeconds = captions === undefined ? 0 : secondsFor(captions);
  if (duration === undefined && captionSeconds > MAX_SECONDS) {
    issue('captions', `take ${round(captionSeconds)} s; a video may last ${MAX_SECONDS} s at most`);
    return;
  }
  if (duration !== undefined) {
    const fixed = scenes.reduce((sum, scene) => sum + (scene.seconds ?? 0), 0);
    const open = scenes.filter((scene) => scene.seconds === undefined);
    const least = open.reduce((sum, scene) => sum + leastSecondsOf(scene), fixed);
    if (open.length === 0 && Math.abs(fixed - duration) > 0.01) {
      issue('duration', `is ${duration} s, but the scenes last ${round(fixed)} s together`);
    } else if (open.length > 0 && least - duration > 0.001) {
      issue(
        'duration',
        `is too short: every scene and picture needs at least ${MIN_SCENE_SECONDS} s, and scenes with their own seconds already take ${round(fixed)} s`,
      );
    }
  }
  for (const [at, scene] of scenes.entries()) {
    const least = leastSecondsOf(scene);
    if (scene.seconds === undefined || scene.seconds >= least) continue;
    const message = `must be at least ${least} for so many pictures`;
    context.addIssue({ code: 'custom', path: ['scenes', at, 'seconds'], message });
  }
  const { pixels, seconds } = costOf(storyboard);
  if (pixels * seconds > MAX_PIXEL_SECONDS) {
    const { width, height } = pictureSize(storyboard);
    issue(
      duration === undefined ? 'scenes' : 'duration',
      `make ${round(seconds)} s, but at ${width}×${height} a video may last ${Math.floor(MAX_PIXEL_SECONDS / pixels)} s at most; choose a shorter video or a lower resolution`,
    );
  }
});

export type Storyboard = z.infer<typeof storyboardSchema>;
export type Soundtrack = Storyboard['soundtrack'];

const ASPECTS = { '16:9': 16 / 9, '9:16': 9 / 16, '1:1': 1, '4:5': 4 / 5 };

/** Width and height in pixels; both even, as H.264 with 4:2:0 chroma needs. */
export function pictureSize(of: Pick<Storyboard, 'aspect' | 'resolution'>): {
  width: number;
  height: number;
} {
  const ratio = ASPECTS[of.aspect];
  const longer = Math.round((of.resolution * Math.max(ratio, 1 / ratio)) / 2) * 2;
  return ratio >= 1
    ? { width: longer, height: of.resolution }
    : { width: of.resolution, height: longer };
}

/** The number of frames, the pixels of each, and the length in seconds. */
export function costOf(storyboard: Storyboard): {
  frames: number;
  pixels: number;
  seconds: number;
} {
  const { width, height } = pictureSize(storyboard);
  const seconds = secondsOf(storyboard).reduce((sum, length) => sum + length, 0);
  return { frames: Math.round(seconds * storyboard.fps), pixels: width * height, seconds };
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
