/** The properties of a scene that determine its natural length. */
export interface ReadScene {
  kind: string;
  /** The number of words to read while the scene is shown. */
  words: number;
  /** The number that a countdown starts from; each number takes one second. */
  from?: number | undefined;
}

/** Shorter scenes cannot be read, and shorter pictures of a gallery would flash. */
export const MIN_SCENE_SECONDS = 0.5;

/** Reading speed of text on a moving picture; subtitles usually allow about three. */
const WORDS_PER_SECOND = 2.8;
const SETTLING_SECONDS = 1.1;
const MIN_NATURAL_SECONDS = 2.4;
/** Of a picture, which is looked at and not read, and of each in a gallery. */
const PICTURE_SECONDS: Readonly<Record<string, number>> = { image: 4, gallery: 3 };

/** The default length of a scene: the time to appear and to be read. */
export function naturalSeconds({ kind, words, from }: ReadScene): number {
  if (kind === 'countdown') return from ?? 3;
  const reading = SETTLING_SECONDS + words / WORDS_PER_SECOND;
  const least = PICTURE_SECONDS[kind] ?? MIN_NATURAL_SECONDS;
  return Math.max(least, Math.round(reading * 10) / 10);
}

/** A scene whose length is to be determined, with lengths in seconds. */
export interface SharedScene {
  /** Its own length. */
  readonly seconds: number | undefined;
  readonly natural: number;
  readonly least: number;
}

/**
 * The length of every scene in seconds. A scene with `seconds` has that length. Without a
 * `duration`, the others have their natural lengths; otherwise they share the rest of `duration` in
 * proportion to these, and each has its `least`. The schema refuses a `duration` that is too short
 * for that.
 */
export function sceneSeconds(scenes: readonly SharedScene[], duration?: number): number[] {
  if (duration === undefined) return scenes.map(({ seconds, natural }) => seconds ?? natural);
  const given = scenes.map(({ seconds }) => seconds);
  for (;;) {
    const rest = duration - given.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
    const open = scenes.filter((_, at) => given[at] === undefined);
    const pace = rest / open.reduce((sum, { natural }) => sum + natural, 0);
    const short = scenes.findIndex(
      ({ natural, least }, at) => given[at] === undefined && natural * pace < least,
    );
    if (short < 0) return scenes.map(({ natural }, at) => given[at] ?? natural * pace);
    given[short] = scenes[short]?.least;
  }
}
