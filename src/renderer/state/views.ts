export const VIEWS = ['queue', 'timeline', 'saved', 'activity', 'limits', 'settings'] as const;

/** The navigation does not list the last three views: others lead to them. */
export type View = (typeof VIEWS)[number] | 'add' | 'welcome' | 'profile';
