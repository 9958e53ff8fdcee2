export const VIEWS = ['queue', 'timeline', 'saved', 'activity', 'limits', 'settings'] as const;

/** The first run has a separate view, which no list of views names. */
export type View = (typeof VIEWS)[number] | 'add' | 'welcome' | 'profile';
