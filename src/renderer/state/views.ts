export const VIEWS = ['queue', 'timeline', 'saved', 'activity', 'limits', 'settings'] as const;

/** Where only this computer limits what is rendered, there are no limits to show. */
export const VIEWS_WITHOUT_LIMITS = VIEWS.filter((view) => view !== 'limits');

/** A view that the navigation lists. */
export type MainView = (typeof VIEWS)[number];

/** The navigation does not list the last three views: others lead to them. */
export type View = MainView | 'add' | 'welcome' | 'profile';
