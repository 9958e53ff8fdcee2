/** Groups of actions, in the order in which menus and lists show them. */
export const ACTION_GROUPS = ['go', 'queue', 'rows', 'order', 'page'] as const;

export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** What can be done anywhere. */
export type PageActionName =
  | 'go-queue'
  | 'go-timeline'
  | 'go-saved'
  | 'go-activity'
  | 'go-limits'
  | 'go-settings'
  | 'go-profile'
  | 'add'
  | 'welcome'
  | 'search'
  | 'palette'
  | 'keys'
  | 'pause'
  | 'pauseEverything'
  | 'resumeQueue'
  | 'decide'
  | 'retryFailed'
  | 'selectAll'
  | 'enterKey'
  | 'light'
  | 'dark'
  | 'systemTheme'
  | 'back';

/** What can be done with rows. */
export type RowActionName =
  | 'open'
  | 'show'
  | 'verify'
  | 'rename'
  | 'edit'
  | 'hold'
  | 'resume'
  | 'confirm'
  | 'retry'
  | 'fetch'
  | 'cancel'
  | 'sooner'
  | 'usual'
  | 'later'
  | 'first'
  | 'up'
  | 'down'
  | 'last'
  | 'stopBefore'
  | 'goPast';

export type ActionName = PageActionName | RowActionName;
