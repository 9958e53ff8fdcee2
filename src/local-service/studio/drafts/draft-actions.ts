import { type Draft, MAX_SCENES, sceneFieldName } from './draft.ts';
import { isSceneKind, sceneFields } from './scene-fields.ts';

/** A draft after one of its form's buttons was pressed, and the id of the element to focus. */
export interface ChangedDraft {
  readonly draft: Draft;
  readonly focus: string;
}

const CHANGE = /^(add|remove|up|down)-(\w+)$/;

/** Whether a form has a button with this action: one that changes the draft, or `make`. */
export function isAction(action: string | undefined): boolean {
  return action === 'make' || CHANGE.test(action ?? '');
}

/**
 * Applies the action of a form's button: `add-quote`, `remove-2`, `up-2` or `down-2`. Returns
 * `undefined` for any other action, such as creating the video.
 */
export function applyAction(draft: Draft, action: string | undefined): ChangedDraft | undefined {
  const [, verb, object = ''] = CHANGE.exec(action ?? '') ?? [];
  const { scenes } = draft;
  if (verb === undefined) return undefined;
  if (verb === 'add') {
    if (!isSceneKind(object) || scenes.length >= MAX_SCENES) return { draft, focus: 'scenes' };
    const key = sceneFields[object][0]?.key ?? 'transition';
    const focus = sceneFieldName(scenes.length, key === 'image' ? 'file' : key);
    return { draft: { ...draft, scenes: [...scenes, { kind: object, values: {} }] }, focus };
  }
  const at = Number(object);
  const scene = scenes[at];
  if (!scene) return { draft, focus: 'scenes' };
  if (verb === 'remove') {
    return { draft: { ...draft, scenes: scenes.toSpliced(at, 1) }, focus: 'scenes' };
  }
  const to = Math.min(scenes.length - 1, Math.max(0, verb === 'up' ? at - 1 : at + 1));
  const focus = `scene-${to}`;
  return { draft: { ...draft, scenes: scenes.toSpliced(at, 1).toSpliced(to, 0, scene) }, focus };
}
