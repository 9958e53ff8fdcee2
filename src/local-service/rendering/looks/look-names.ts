/** The names of the looks, as a storyboard has them. */
export const LOOK_NAMES = ['picture', 'market', 'lesson', 'stage', 'voice', 'gallery'] as const;
export type LookName = (typeof LOOK_NAMES)[number];
