import type { Storyboard } from '../../src/local-service/rendering/storyboard.ts';
import { storyboardSchema } from '../../src/local-service/rendering/storyboard.ts';

/** A small picture as it is embedded in a storyboard: one red PNG pixel. */
export const RED_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

/** One scene of every kind, with every transition and a caption. */
export const EVERY_KIND = [
  { kind: 'title', text: 'Launch week', subtitle: 'Five days' },
  { kind: 'text', heading: 'Why now', text: 'Because it is ready.', transition: 'slide' },
  { kind: 'quote', text: 'Nobody notices the best edit.', by: 'An editor', transition: 'wipe' },
  { kind: 'list', heading: 'In it', items: ['One', 'Two', 'Three'], transition: 'none' },
  { kind: 'image', image: RED_PIXEL, caption: 'A red wall' },
  { kind: 'countdown', from: 3, text: 'until then' },
];

/** A short and small storyboard that is cheap to render, overridden by `fields`. */
export function storyboard(fields: Record<string, unknown> = {}): Storyboard {
  return storyboardSchema.parse({
    title: 'A small film',
    aspect: '1:1',
    resolution: 480,
    fps: 24,
    scenes: [{ kind: 'title', text: 'Hello', seconds: 1 }],
    ...fields,
  });
}
