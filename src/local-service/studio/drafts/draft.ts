import { storyboardSchema, type Storyboard } from '../../rendering/storyboard.ts';
import {
  isSceneKind,
  type SceneField,
  sceneFields,
  type SceneKind,
  sceneNames,
  timingFields,
} from './scene-fields.ts';

/** The labels of a video's settings, by the names of their form fields. */
export const settingNames = {
  title: 'Name',
  aspect: 'Shape',
  resolution: 'Resolution',
  fps: 'Frames a second',
  duration: 'Length',
  soundtrack: 'Music',
  accent: 'Accent',
  background: 'Background',
  text: 'Text colour',
} as const;

export type SettingName = keyof typeof settingNames;

export interface DraftScene {
  readonly kind: SceneKind;
  /** The typed values by field key; for a picture, the identifier of the uploaded image. */
  readonly values: Readonly<Record<string, string>>;
}

/** The contents of a video's form, as typed, valid or not. */
export interface Draft {
  readonly settings: Readonly<Record<SettingName, string>>;
  readonly scenes: readonly DraftScene[];
}

export const MAX_SCENES = 40;

export const emptyDraft: Draft = {
  settings: {
    title: '',
    aspect: '16:9',
    resolution: '720',
    fps: '30',
    duration: '',
    soundtrack: 'calm',
    accent: '#ffb020',
    background: '#15120e',
    text: '#f6f3ed',
  },
  scenes: [
    { kind: 'title', values: {} },
    { kind: 'text', values: {} },
  ],
};

/** The name of a scene's field in the form; also the id of its input. */
export function sceneFieldName(index: number, key: string): string {
  return `scene-${index}-${key}`;
}

/** Reads a draft from the fields of its form; missing fields are empty. */
export function draftFrom(fields: ReadonlyMap<string, string>): Draft {
  const scenes: DraftScene[] = [];
  while (scenes.length < MAX_SCENES) {
    const at = scenes.length;
    const kind = fields.get(sceneFieldName(at, 'kind'));
    if (!isSceneKind(kind)) break;
    const keys = [...fieldsOf(kind).map(({ key }) => key), 'transition'];
    const values = keys.map((key) => [key, fields.get(sceneFieldName(at, key)) ?? ''] as const);
    scenes.push({ kind, values: Object.fromEntries(values) });
  }
  const setting = (name: SettingName): string => fields.get(name)?.trim() ?? '';
  return {
    settings: {
      title: setting('title'),
      aspect: setting('aspect'),
      resolution: setting('resolution'),
      fps: setting('fps'),
      duration: setting('duration'),
      soundtrack: setting('soundtrack'),
      accent: setting('accent'),
      background: setting('background'),
      text: setting('text'),
    },
    scenes,
  };
}

export type DraftCheck =
  | { readonly kind: 'ready'; readonly storyboard: Storyboard }
  /** A sentence for each field that is wrong, by the field's name. */
  | { readonly kind: 'invalid'; readonly issues: ReadonlyMap<string, string> };

/** Validates a draft with the schema of API requests. */
export function checkDraft(draft: Draft): DraftCheck {
  const parsed = storyboardSchema.safeParse(storyboardInput(draft));
  if (parsed.success) return { kind: 'ready', storyboard: parsed.data };
  const issues = new Map<string, string>();
  for (const { path, message } of parsed.error.issues) {
    const { field, label } = fieldOf(path, draft);
    const isMissing = field.endsWith('-image');
    const sentence = `${label} ${isMissing ? 'must be chosen' : message}.`;
    if (!issues.has(field)) issues.set(field, sentence);
  }
  return { kind: 'invalid', issues };
}

function fieldsOf(kind: SceneKind): readonly SceneField[] {
  return [...sceneFields[kind], ...timingFields];
}

function storyboardInput({ settings, scenes }: Draft): unknown {
  const { title, aspect, resolution, fps, duration, soundtrack, accent, background, text } =
    settings;
  return {
    title,
    aspect,
    resolution: Number(resolution),
    fps: Number(fps),
    ...(duration !== '' && { duration: numberFrom(duration) }),
    soundtrack,
    theme: { accent, background, text },
    scenes: scenes.map(({ kind, values }) => {
      const input: Record<string, unknown> = { kind };
      if (values.transition) input.transition = values.transition;
      for (const { key, type, optional } of fieldsOf(kind)) {
        const value = (values[key] ?? '').trim();
        if (optional && value === '') continue;
        input[key] =
          type === 'number' ? numberFrom(value) : type === 'lines' ? linesOf(value) : value;
      }
      return input;
    }),
  };
}

/** The name and label of the form field for an error's path in the storyboard. */
function fieldOf(
  path: readonly PropertyKey[],
  draft: Draft,
): { readonly field: string; readonly label: string } {
  const [first, second, third] = path;
  if (first === 'scenes' && typeof second === 'number') {
    const scene = draft.scenes[second];
    const fields = scene ? fieldsOf(scene.kind) : [];
    const field = fields.find(({ key }) => key === third);
    const key = field?.key ?? 'transition';
    return {
      field: sceneFieldName(second, key),
      label: `Scene ${second + 1}: ${field?.label ?? sceneNames[scene?.kind ?? 'title']}`,
    };
  }
  const name = first === 'theme' ? second : first;
  return isSetting(name)
    ? { field: name, label: settingNames[name] }
    : { field: 'scenes', label: 'Scenes' };
}

function isSetting(name: unknown): name is SettingName {
  return typeof name === 'string' && Object.hasOwn(settingNames, name);
}

/** Parses a number with a decimal point or comma. */
function numberFrom(text: string): number {
  return text === '' ? Number.NaN : Number(text.replace(',', '.'));
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
