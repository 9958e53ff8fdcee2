/** The properties of a scene that determine its length. */
export interface TimedScene {
  seconds?: number | undefined;
  kind: string;
  /** The number of words to read while the scene is shown; determines its natural length. */
  words: number;
  /** The number that a countdown starts from; each number takes one second by default. */
  from?: number | undefined;
}

/** Shorter scenes cannot be read. */
export const MIN_SCENE_SECONDS = 0.5;

/** Reading speed of text on a moving picture; subtitles usually allow about three. */
const WORDS_PER_SECOND = 2.8;
const SETTLING_SECONDS = 2.2;
const MAX_NATURAL_SECONDS = 14;

/** The default length of a scene: the time to appear and to be read. */
function naturalSeconds(scene: TimedScene): number {
  if (scene.kind === 'countdown') return scene.from ?? 3;
  const reading = SETTLING_SECONDS + scene.words / WORDS_PER_SECOND;
  return Math.min(MAX_NATURAL_SECONDS, Math.max(3, Math.round(reading * 2) / 2));
}

/**
 * The length of every scene in seconds. A scene with `seconds` has that length. Without a
 * `duration`, the others have their natural lengths; otherwise they share the rest of `duration` in
 * proportion to these. If that is too little, results may be shorter than
 * {@link MIN_SCENE_SECONDS} or negative; the schema refuses such storyboards.
 */
export function sceneSeconds(scenes: readonly TimedScene[], duration?: number): number[] {
  const natural = scenes.map(naturalSeconds);
  if (duration === undefined) return scenes.map((scene, i) => scene.seconds ?? natural[i] ?? 0);
  const open = scenes.map((scene, i) => (scene.seconds === undefined ? (natural[i] ?? 0) : 0));
  const fixed = scenes.reduce((sum, scene) => sum + (scene.seconds ?? 0), 0);
  const shares = open.reduce((sum, share) => sum + share, 0);
  return scenes.map((scene, i) => scene.seconds ?? ((duration - fixed) * (open[i] ?? 0)) / shares);
}
