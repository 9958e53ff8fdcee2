import { z } from 'zod';
import { MIN_SCENE_SECONDS, sceneSeconds } from './durations.ts';
import { headerOfDataUrl, imageFault } from './image-limits.ts';
import { countWords } from './line-breaks.ts';

/** The body of `POST /video/generate`, whose fields service-api.md §4.1 leaves open. */

/**
 * Maximum picture area times length, in pixels × seconds: five minutes at 1920×1080. It limits the
 * time of a render and the size of its file.
 */
export const MAX_PIXEL_SECONDS = 1920 * 1080 * 300;

function words(limit: number) {
  return z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(limit, `must be at most ${limit} characters long`);
}

function oneOf<const T extends readonly (string | number)[]>(choices: T) {
  return z.literal(choices, `must be one of ${choices.join(', ')}`);
}

function only<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no field called ${issue.keys.map((key) => `"${key}"`).join(', ')}`
        : 'must be an object',
  });
}

const colour = z
  .string('must be a colour such as #ffb020')
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #ffb020');

const number = (low: number, high: number) =>
  z
    .number(`must be a number from ${low} to ${high}`)
    .min(low, `must be at least ${low}`)
    .max(high, `must be at most ${high}`);

const wholeNumber = (low: number, high: number) =>
  number(low, high).int(`must be a whole number from ${low} to ${high}`);

const DATA_URL = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const IMAGE_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A PNG, JPEG or WebP as a data URL, or the id of an uploaded image. */
const imageSchema = z
  .string('must be a data URL or an image id')
  .refine(
    (value) => DATA_URL.test(value) || IMAGE_ID.test(value),
    'must be a PNG, JPEG or WebP as a base64 data URL, or the id of an uploaded image',
  )
  .superRefine((value, context) => {
    if (!DATA_URL.test(value)) return;
    const message = imageFault(headerOfDataUrl(value));
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const shared = {
  /** Default: a share of `duration`, or the scene's natural length. */
  seconds: number(MIN_SCENE_SECONDS, 120).optional(),
  /** From the previous scene. */
  transition: oneOf(['fade', 'slide', 'wipe', 'none']).default('fade'),
  /** A subtitle at the lower edge. */
  caption: words(160).optional(),
};

const sceneSchema = z.discriminatedUnion(
  'kind',
  [
    only({
      kind: z.literal('title'),
      text: words(200),
      subtitle: words(200).optional(),
      ...shared,
    }),
    only({ kind: z.literal('text'), heading: words(120).optional(), text: words(600), ...shared }),
    only({ kind: z.literal('quote'), text: words(500), by: words(120).optional(), ...shared }),
    only({
      kind: z.literal('list'),
      heading: words(120).optional(),
      items: z
        .array(words(160), 'must be a list of texts')
        .min(1, 'must have at least 1 item')
        .max(8, 'must have at most 8 items'),
      ...shared,
    }),
    only({
      kind: z.literal('image'),
      image: imageSchema,
      ...shared,
    }),
    only({
      kind: z.literal('countdown'),
      from: wholeNumber(1, 10),
      text: words(120).optional(),
      ...shared,
    }),
  ],
  {
    error: (issue) =>
      typeof issue.input === 'object'
        ? 'must be title, text, quote, list, image or countdown'
        : 'must be an object',
  },
);

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
  theme: only({
    accent: colour
      .meta({ title: 'Accent colour', description: 'Bars, numbers and marks' })
      .optional(),
    background: colour
      .meta({ title: 'Background colour', description: 'Behind every scene' })
      .optional(),
    text: colour
      .meta({ title: 'Text colour', description: 'Adjusted where it would be unreadable' })
      .optional(),
  }).default({}),
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
  duration: number(1, 600)
    .meta({
      title: 'Length in seconds',
      description: 'Leave empty to match the reading time',
    })
    .optional(),
  soundtrack: oneOf(['calm', 'bright', 'pulse', 'none'])
    .meta({ title: 'Soundtrack', description: 'Synthesised background music' })
    .default('calm'),
});

/** Parses a request body. Reports all errors, each with its path. */
export const storyboardSchema = fieldsSchema.superRefine((storyboard, context) => {
  const fault = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { scenes, duration } = storyboard;
  if (duration !== undefined) {
    const fixed = scenes.reduce((sum, scene) => sum + (scene.seconds ?? 0), 0);
    const open = scenes.filter((scene) => scene.seconds === undefined).length;
    if (open === 0 && Math.abs(fixed - duration) > 0.01) {
      fault('duration', `is ${duration} s, but the scenes last ${round(fixed)} s together`);
    } else if (open > 0 && Math.min(...secondsOf(storyboard)) < MIN_SCENE_SECONDS) {
      fault(
        'duration',
        `is too short: every scene needs at least ${MIN_SCENE_SECONDS} s, and scenes with their own seconds already take ${round(fixed)} s`,
      );
    }
  }
  const { pixels, seconds } = costOf(storyboard);
  if (pixels * seconds > MAX_PIXEL_SECONDS) {
    const { width, height } = pictureSize(storyboard);
    fault(
      duration === undefined ? 'scenes' : 'duration',
      `make ${round(seconds)} s, but at ${width}×${height} a video may last ${Math.floor(MAX_PIXEL_SECONDS / pixels)} s at most; choose a shorter video or a lower resolution`,
    );
  }
});

export type Storyboard = z.infer<typeof storyboardSchema>;
export type Scene = Storyboard['scenes'][number];
export type SceneOf<Kind extends Scene['kind']> = Extract<Scene, { kind: Kind }>;
export type Theme = Storyboard['theme'];
export type Transition = Scene['transition'];
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

/** The length of every scene in seconds, in order. */
export function secondsOf(storyboard: Pick<Storyboard, 'scenes' | 'duration'>): number[] {
  return sceneSeconds(
    storyboard.scenes.map((scene) => ({
      kind: scene.kind,
      seconds: scene.seconds,
      from: scene.kind === 'countdown' ? scene.from : undefined,
      words: countWords(textOf(scene)),
    })),
    storyboard.duration,
  );
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

function textOf(scene: Scene): string {
  const caption = scene.caption ?? '';
  switch (scene.kind) {
    case 'title':
      return `${scene.text} ${scene.subtitle ?? ''} ${caption}`;
    case 'text':
      return `${scene.heading ?? ''} ${scene.text} ${caption}`;
    case 'quote':
      return `${scene.text} ${scene.by ?? ''} ${caption}`;
    case 'list':
      return `${scene.heading ?? ''} ${scene.items.join(' ')} ${caption}`;
    case 'countdown':
      return `${scene.text ?? ''} ${caption}`;
    case 'image':
      return caption;
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
