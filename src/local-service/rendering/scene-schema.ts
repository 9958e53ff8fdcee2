import { z } from 'zod';
import { MIN_SCENE_SECONDS } from './durations.ts';
import { backgroundSchema } from './media/media-schema.ts';
import { imageSchema, number, oneOf, only, wholeNumber, words } from './schema-fields.ts';

const shared = {
  /** Default: a share of `duration`, or the scene's natural length. */
  seconds: number(MIN_SCENE_SECONDS, 120).optional(),
  /** From the previous scene. Default: one of its look's. */
  transition: oneOf(['fade', 'slide', 'wipe', 'none']).optional(),
  /** A subtitle at the lower edge. */
  caption: words(160).optional(),
  /** Instead of the video's picture. Scenes in a row that have the same one show it on. */
  background: backgroundSchema.optional(),
};

export const sceneSchema = z.discriminatedUnion(
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
    /** Each picture in turn. Without a `picture`, the first is behind the other scenes. */
    only({
      kind: z.literal('gallery'),
      images: z
        .array(imageSchema, 'must be a list of pictures')
        .min(1, 'must have at least 1 picture')
        .max(12, 'must have at most 12 pictures'),
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
        ? 'must be title, text, quote, list, image, gallery or countdown'
        : 'must be an object',
  },
);

export type Scene = z.infer<typeof sceneSchema>;
/** What one page shows: a gallery is as many pages as it has pictures. */
export type PageScene = Exclude<Scene, { kind: 'gallery' }>;
export type SceneOf<Kind extends PageScene['kind']> = Extract<PageScene, { kind: Kind }>;
