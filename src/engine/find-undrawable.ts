/** How the engine learns which characters the fonts of this computer lack. */

/**
 * Those of these characters that no font of this computer can draw; `null` if that is not known.
 * Each character has its marks and joiners. Never rejects.
 */
export type FindUndrawable = (
  characters: ReadonlySet<string>,
) => Promise<ReadonlySet<string> | null>;
