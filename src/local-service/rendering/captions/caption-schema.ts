/** The part of a storyboard that is shown as captions while everything else goes on. */
import { z } from 'zod';
import { number, only, words } from '../schema-fields.ts';

const MAX_CAPTIONS = 2000;
/** Of a text that is spread over the video. */
const MAX_TEXT = 5000;
/** In seconds from the first frame; the video's own limit is lower. */
const MAX_TIME = 24 * 60 * 60;

const caption = only({
  from: number(0, MAX_TIME),
  to: number(0, MAX_TIME),
  text: words(500),
}).refine(({ from, to }) => to > from, { path: ['to'], message: 'must be later than from' });

/** Captions with their times in seconds, or one text that is spread over the voice or the video. */
export const captionsSchema = z.union(
  [
    words(MAX_TEXT),
    z
      .array(caption)
      .min(1, 'must have at least 1 caption')
      .max(MAX_CAPTIONS, `must have at most ${MAX_CAPTIONS} captions`),
  ],
  { error: () => 'must be text, or a list of captions with from, to and text' },
);

export type Caption = z.infer<typeof caption>;
export type Captions = z.infer<typeof captionsSchema>;
