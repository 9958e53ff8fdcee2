import { formatIn } from '../../contract/format-in.ts';

const say = formatIn('en-GB');

const videos = (count: number): string => (count === 1 ? '1 video' : say`${count} videos`);

/** Texts about actions. The keys of `does` are the names of all actions. */
export const enActions = {
  does: {
    'go-queue': 'Go to the queue',
    'go-timeline': 'Go to the timeline',
    'go-saved': 'Go to saved videos',
    'go-activity': 'Go to the activity',
    'go-limits': 'Go to the limits',
    'go-settings': 'Go to the settings',
    'go-profile': 'Go to response mapping',
    add: 'Add videos',
    welcome: 'Welcome',
    search: 'Search titles',
    palette: 'Find a command or a video',
    keys: 'Keyboard shortcuts',
    pause: 'Pause sending',
    pauseEverything: 'Pause everything',
    resumeQueue: 'Resume the queue',
    pauseAllServices: 'Pause all services',
    resumeAllServices: 'Resume all services',
    decide: 'Decide about uncertain videos',
    retryFailed: 'Retry all that failed',
    selectAll: 'Select all',
    enterKey: 'Enter an API key',
    light: 'Light colours',
    dark: 'Dark colours',
    systemTheme: 'Match system',
    back: 'Close, or clear the selection',
    open: 'Open',
    show: 'Show in folder',
    verify: 'Verify',
    rename: 'Rename',
    edit: 'Edit',
    hold: 'Hold',
    release: 'Release',
    retry: 'Retry',
    downloadAgain: 'Download again',
    cancel: 'Cancel',
    sooner: 'High priority',
    usual: 'Normal priority',
    later: 'Low priority',
    first: 'Move to the top',
    up: 'Move up',
    down: 'Move down',
    last: 'Move to the end',
    stopBefore: 'Pause before this video',
    dontStopBefore: 'Don’t pause before this video',
  },

  actionGroups: {
    go: 'Views',
    queue: 'Queue',
    rows: 'Selected videos',
    order: 'Order',
    page: 'Page',
  },

  actions: {
    abandon: 'Abandon',
    menu: 'Actions',
    more: 'More',
    order: 'Order',
    did: {
      hold: (count: number) => `${videos(count)} held`,
      release: (count: number) => `${videos(count)} released`,
      cancel: (count: number) => `${videos(count)} cancelled`,
      retry: (count: number) => `${videos(count)} queued again`,
      downloadAgain: (count: number) => `${videos(count)} queued to download again`,
    },
    refused: (count: number) => `${videos(count)} could not be changed`,
    noneApply: (action: string) => `“${action}” applies to none of the selected videos`,
    cancelTitle: (count: number) =>
      count === 1 ? 'Cancel this video?' : `Cancel ${videos(count)}?`,
    cancelHere: 'They are not saved. Those already rendering are abandoned.',
    cancelSentence:
      'Videos that were not sent cost nothing. Those already sent count as spent and are abandoned; the service cancels them if it can.',
    cancelConfirm: (count: number): string => (count === 1 ? 'Cancel video' : 'Cancel videos'),
    keep: 'Keep',
    retryFailed: (count: number) => `Retry ${videos(count)}`,
    retryTitle: (count: number) => `Retry ${videos(count)}?`,
    /**
     * @param cost in videos
     * @param hasQuota whether the service counts them
     */
    retrySentence: (downloads: number, cost: number, hasQuota: boolean) => {
      const are = downloads === 1 ? 'is' : 'are';
      const free =
        downloads === 0 ? '' : `${videos(downloads)} ${are} downloaded again, which is free. `;
      if (cost === 0) return `${free}This costs nothing.`;
      if (!hasQuota) {
        return cost === 1
          ? `${free}The service charges for 1 video, if it accepts.`
          : say`${free}The service charges for up to ${cost} videos.`;
      }
      return cost === 1
        ? `${free}This costs 1 video, if the service accepts.`
        : say`${free}This costs up to ${cost} videos.`;
    },
    refusedAgain:
      'The content was refused before. It may be refused again, and the service may charge for that too.',
    refusedLeftOut: (count: number): string =>
      count === 1
        ? '1 video that was refused because of its content is left out: change it first.'
        : `${videos(count)} that were refused because of their content are left out: change them first.`,
    payAgain: (count: number) =>
      count === 1
        ? 'Render 1 video again that the service does not deliver'
        : `Render ${videos(count)} again that the service does not deliver`,
    payAgainHint: (count: number): string =>
      count === 1
        ? 'You pay for it a second time. Otherwise Spool only asks the service about it again, which is free.'
        : 'You pay for them a second time. Otherwise Spool only asks the service about them again, which is free.',
    renderAgain: 'Render again',
    checkAgain: 'Check again',
  },

  palette: {
    title: 'Find a command or a video',
    placeholder: 'What do you want to do?',
    results: 'Results',
    videos: 'Videos',
    batches: 'Batches',
    showBatch: (name: string) => `Show ${name}`,
    showService: (service: string) => `Show ${service}`,
    nothing: (search: string) => `Nothing found for “${search}”`,
  },

  keys: {
    title: 'Keyboard shortcuts',
    list: 'In a list',
    move: 'Move',
    extend: 'Select more',
    toggle: 'Select one more',
    open: 'Open details',
    menu: 'Actions',
    byPage: 'Move by page',
    ends: 'First, last',
  },

  /** As printed on keyboards. */
  keyNames: {
    mod: 'Ctrl',
    alt: 'Alt',
    shift: 'Shift',
    enter: 'Enter',
    escape: 'Esc',
    delete: 'Del',
    home: 'Home',
    end: 'End',
    pageup: 'Page Up',
    pagedown: 'Page Down',
  },

  edit: {
    title: 'Edit before it is sent',
    sentence: 'The request is sent exactly as shown here.',
    name: 'Title in the list',
    nameFault: 'Up to 200 characters',
    numberFault: 'A number',
    jsonFault: 'This is not JSON',
    refusedTitle: 'Edit and send',
    send: 'Send',
    sendSame: 'Send the same again…',
    everything: 'Edit everything…',
    save: 'Save',
    saved: 'Request changed',
  },
};

export type ActionName = keyof typeof enActions.does;
