import { type Draft, type DraftScene, MAX_SCENES, sceneFieldName } from './draft.ts';
import { isSceneKind, sceneFields } from './scene-fields.ts';

/** A draft after a button of its form was pressed, and the id of what should have the focus. */
export interface ChangedDraft {
  readonly draft: Draft;
  readonly focus: string;
}

/**
 * Carries out what a button of the form says: `add-quote`, `remove-2`, `up-2`, `down-2`. Answers
 * `undefined` when it says anything else, which means to make the video.
 */
export function changed(draft: Draft, action: string | undefined): ChangedDraft | undefined {
  const [, verb, object = ''] = /^(add|remove|up|down)-(\w+)$/.exec(action ?? '') ?? [];
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
  return { draft: { ...draft, scenes: moved(scenes, scene, at, to) }, focus };
}

function moved(
  scenes: readonly DraftScene[],
  scene: DraftScene,
  from: number,
  to: number,
): readonly DraftScene[] {
  return scenes.toSpliced(from, 1).toSpliced(to, 0, scene);
}
