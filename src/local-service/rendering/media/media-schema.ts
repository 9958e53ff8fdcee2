/** The parts of a storyboard that play over all scenes: the user's own sounds, and captions. */
import { z } from 'zod';
import { captionsSchema } from '../captions/caption-schema.ts';
import { number, only } from '../schema-fields.ts';

/** The identifier of an upload. */
const upload = z
  .string('must be the id of an uploaded file')
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be the id of an uploaded file');

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
