import type { Scene } from '../../rendering/storyboard.ts';

export type SceneKind = Scene['kind'];

/** One field of a scene in the form. `key` is what the storyboard calls it. */
export interface SceneField {
  readonly key: string;
  readonly label: string;
  readonly is: 'text' | 'lines' | 'number' | 'picture';
  readonly optional?: boolean;
  /** Lines to show; more than one for longer texts. */
  readonly lines?: number;
  readonly hint?: string;
}

/** What a scene of each kind is made of, in the order of the form. */
export const sceneFields: Readonly<Record<SceneKind, readonly SceneField[]>> = {
  title: [
    { key: 'text', label: 'Title', is: 'text' },
    { key: 'subtitle', label: 'Subtitle', is: 'text', optional: true },
  ],
  text: [
    { key: 'heading', label: 'Heading', is: 'text', optional: true },
    { key: 'text', label: 'Text', is: 'text', lines: 3 },
  ],
  quote: [
    { key: 'text', label: 'Quote', is: 'text', lines: 2 },
    { key: 'by', label: 'Who said it', is: 'text', optional: true },
  ],
  list: [
    { key: 'heading', label: 'Heading', is: 'text', optional: true },
    { key: 'items', label: 'Items', is: 'lines', lines: 4, hint: 'One a line, up to 8.' },
  ],
  image: [
    { key: 'image', label: 'Picture', is: 'picture', hint: 'PNG, JPEG or WebP, up to 8 MB.' },
  ],
  countdown: [
    { key: 'from', label: 'Count from', is: 'number', hint: '1 to 10' },
    { key: 'text', label: 'Text', is: 'text', optional: true },
  ],
};

/** What every scene has besides. */
export const timingFields: readonly SceneField[] = [
  { key: 'seconds', label: 'Seconds', is: 'number', optional: true },
  { key: 'caption', label: 'Caption', is: 'text', optional: true },
];

export const sceneNames: Readonly<Record<SceneKind, string>> = {
  title: 'Title',
  text: 'Text',
  quote: 'Quote',
  list: 'List',
  image: 'Picture',
  countdown: 'Countdown',
};

export const sceneKinds = Object.keys(sceneFields) as readonly SceneKind[];

export function isSceneKind(value: string | undefined): value is SceneKind {
  return value !== undefined && Object.hasOwn(sceneFields, value);
}
