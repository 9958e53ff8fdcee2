/** The user's own media in a storyboard: sounds and captions over all scenes, and clips behind them. */
import { z } from 'zod';
import { captionsSchema } from '../captions/caption-schema.ts';
import { number, oneOf, only } from '../schema-fields.ts';

/** The identifier of an upload. */
const upload = z
  .string('must be the id of an uploaded file')
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be the id of an uploaded file');

/** A clip can begin a day after its file does. */
const MAX_CLIP_FROM = 86_400;

/** The longest part of a clip that is used. */
export const MAX_CLIP_SECONDS = 120;

/** A clip behind a scene. Times are in seconds from the clip's beginning. */
export const backgroundSchema = only({
  asset: upload,
  /** `contain`: all of it, in front of a blurred copy. */
  fit: oneOf(['cover', 'contain']).default('cover'),
  /** The part that stays visible where the clip is cropped, from the left and from the top. */
  focus: z
    .string('must be two percentages such as 50% 30%')
    .regex(/^(?:100|\d{1,2})% (?:100|\d{1,2})%$/, 'must be two percentages such as 50% 30%')
    .default('50% 50%'),
  from: number(0, MAX_CLIP_FROM).default(0),
  /** Default: the clip's end. */
  to: number(0, MAX_CLIP_FROM + MAX_CLIP_SECONDS).optional(),
  /** What follows the clip while its scene lasts: its beginning, its last frame, or a plain ground. */
  end: oneOf(['loop', 'hold', 'cut']).default('loop'),
  /**
   * `on`: music is lower while the clip is heard. A number: beside music, so many decibels quieter
   * than it. Both are lower while a voice speaks.
   */
  sound: z
    .union([oneOf(['off', 'on']), number(-30, 0)], 'must be off, on or a number from -30 to 0')
    .default('off'),
}).superRefine(({ from, to }, context) => {
  const addIssue = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
  if (to === undefined) return;
  if (to <= from) addIssue(`must be later than ${from}, where the clip begins`);
  else if (to - from > MAX_CLIP_SECONDS) {
    addIssue(`must be at most ${MAX_CLIP_SECONDS} s later than ${from}, where the clip begins`);
  }
});

export type Background = z.infer<typeof backgroundSchema>;

export const mediaFields = {
  /** Replaces `soundtrack`; repeated when it is shorter than the video. */
  music: only({ asset: upload, gain: number(-30, 12).default(0) }).optional(),
  /** Over the whole video. Without `duration`, the video is at least as long. */
  voice: only({ asset: upload }).optional(),
  /** Of all texts but captions. Characters that it lacks are drawn in a font of the service. */
  font: only({ asset: upload }).optional(),
  /** In the safe area, below all other text. Without `duration`, the video is at least as long. */
  captions: captionsSchema
    .meta({ title: 'Captions', description: 'What is said, and when' })
    .optional(),
};
