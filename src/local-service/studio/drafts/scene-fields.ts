import type { Scene } from '../../rendering/scene-schema.ts';

/** A draft has one file a scene. */
export type SceneKind = Exclude<Scene['kind'], 'gallery'>;

/** A form field of a scene. `key` is its name in the storyboard. */
export interface SceneField {
  readonly key: string;
  readonly label: string;
  readonly type: 'text' | 'lines' | 'number' | 'picture';
  readonly optional?: boolean;
  /** Number of visible lines. */
  readonly lines?: number;
  readonly hint?: string;
}

/** The fields of each kind of scene, in the order of the form. */
export const sceneFields: Readonly<Record<SceneKind, readonly SceneField[]>> = {
  title: [
    { key: 'text', label: 'Title', type: 'text' },
    { key: 'subtitle', label: 'Subtitle', type: 'text', optional: true },
  ],
  text: [
    { key: 'heading', label: 'Heading', type: 'text', optional: true },
    { key: 'text', label: 'Text', type: 'text', lines: 3 },
  ],
  quote: [
    { key: 'text', label: 'Quote', type: 'text', lines: 2 },
    { key: 'by', label: 'Who said it', type: 'text', optional: true },
  ],
  list: [
    { key: 'heading', label: 'Heading', type: 'text', optional: true },
    { key: 'items', label: 'Items', type: 'lines', lines: 4, hint: 'One a line, up to 8.' },
  ],
  image: [
    { key: 'image', label: 'Picture', type: 'picture', hint: 'PNG, JPEG or WebP, up to 8 MB.' },
  ],
  countdown: [
    { key: 'from', label: 'Count from', type: 'number', hint: '1 to 10' },
    { key: 'text', label: 'Text', type: 'text', optional: true },
  ],
};

/** Further fields of every scene. */
export const timingFields: readonly SceneField[] = [
  { key: 'seconds', label: 'Seconds', type: 'number', optional: true },
  { key: 'caption', label: 'Caption', type: 'text', optional: true },
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
