import { newsInEnglish } from '../../contract/news-words.ts';
import { formatIn } from '../../contract/format-in.ts';
import type { MessageName } from '../../contract/messages.ts';
import { enActions } from './en-actions.ts';
import { enFailures } from './en-failures.ts';
import { enJobs } from './en-jobs.ts';
import { enLimits } from './en-limits.ts';
import { enSaved } from './en-saved.ts';

const say = formatIn('en-GB');

/** Messages that the page words differently from the engine. */
export const messagesOfPage = {
  // It appears below a notice that already says that there is no video.
  'not-made': 'The service says “{word}”.',
} satisfies Partial<Record<MessageName, string>>;

/**
 * The texts that the page shows first, and around every view, in English. `en-views.ts` has the texts
 * of the views, which the page loads later.
 */
export const en = {
  locale: 'en-GB',
  language: 'en',
  news: newsInEnglish,

  times: {
    locale: 'en-GB',
    now: 'just now',
    soon: 'in a moment',
    inMinutes: (minutes: number) => `in ${minutes} min`,
    inAboutMinutes: (minutes: number) => `in about ${minutes} min`,
    about: (moment: string) => `about ${moment}`,
    minutesAgo: (minutes: number) => `${minutes} min ago`,
    minutes: (minutes: number) => `${minutes} min`,
    seconds: (seconds: number) => `${seconds} s`,
    at: {
      clock: (clock: string) => `at ${clock}`,
      weekday: (weekday: string, clock: string) => `on ${weekday} at ${clock}`,
      date: (date: string) => `on ${date}`,
    },
    atAbout: {
      clock: (clock: string) => `at about ${clock}`,
      weekday: (weekday: string, clock: string) => `on ${weekday} at about ${clock}`,
      date: (date: string) => `about ${date}`,
    },
  },

  views: {
    queue: 'Queue',
    timeline: 'Timeline',
    saved: 'Saved',
    activity: 'Activity',
    limits: 'Limits',
    settings: 'Settings',
    add: 'Add videos',
    welcome: 'Welcome',
  },

  frame: {
    navigation: 'Views',
    services: 'Services',
    thisComputer: 'This computer',
    /** For services with the same name. */
    serviceAt: (name: string, host: string) => `${name} (${host})`,
    waitingCount: (count: string) => `${count} waiting`,
    inProgress: (count: string) => `${count} in progress`,
    savedCount: (count: string) => `${count} saved`,
    noVideos: 'No videos',
    limits: 'Limits',
    details: 'Details',
    close: 'Close',
    cancel: 'Cancel',
    starting: 'Starting',
    startingSentence: 'Connecting to the queue.',
    dropNow: 'Drop to check',
    pasteName: 'Pasted rows',
  },

  ...enJobs,
  ...enActions,
  failures: enFailures,
  /** Other messages are shown as they come, in English (`translated`), until the rest is loaded. */
  sentences: messagesOfPage as Readonly<Partial<Record<MessageName, string>>>,
  saved: enSaved,

  /** The table's column "when". */
  when: {
    saved: (when: string) => `saved ${when}`,
    needsYou: 'needs attention',
    onHold: 'on hold',
    estimateReason: 'Estimated from how long earlier videos took.',
    sendReason: 'As soon as the service takes another video.',
    reservedNow: 'now',
  },

  queue: {
    columns: {
      title: 'Title',
      batch: 'Batch',
      state: 'State',
      when: 'When',
      file: 'File',
      length: 'Length',
      size: 'Size',
    },
    search: 'Search titles',
    allBatches: 'All videos',
    chooseBatch: 'Select a batch',
    savedOf: (saved: string, total: string) => `${saved} of ${total} saved`,
    doneBy: (when: string) => `done ${when}`,
    allDone: 'all done',
    filters: { all: 'All', open: 'Open', attention: 'Needs attention', saved: 'Saved' },
    show: 'Show',
    noMatch: (search: string) => `No title contains “${search}”`,
    noMatchSentence: 'Search covers the titles of the rows shown here.',
    clearSearch: 'Clear search',
    nothingHere: {
      all: 'Nothing here',
      open: 'Everything is finished',
      attention: 'Nothing needs attention',
      saved: 'Nothing saved yet',
    },
    nothingHereSentence: 'Other rows of this batch are under a different filter.',
    showAll: 'Show all',
    unreadable: 'The rows could not be read',
    unreadableSentence: 'They appear again once Spool is connected.',
    tryAgain: 'Try again',
    table: 'Videos in the queue',
    reading: 'Reading…',
    selected: (count: string) => `${count} selected`,
    clearSelection: 'Clear selection',
    anyState: 'Any state',
    chooseState: 'Select a state',
    undecided: (count: number) =>
      count === 1 ? '1 video is uncertain' : say`${count} videos are uncertain`,
    undecidedSentence: 'Spool won’t resend anything until you decide.',
    decide: 'Decide',
    progress: (saved: string, total: string) => `${saved} of ${total} videos are saved`,
    attention: (count: number) =>
      count === 1 ? '1 needs attention' : say`${count} need attention`,
    stopsHere: 'pauses here',
    sooner: 'high priority',
    later: 'low priority',
  },

  uncertain: {
    title: 'Was it accepted?',
    sentence:
      'The connection was lost before the service answered. It counts as spent until you decide, so that you never pay twice.',
    accepted: 'It was accepted',
    acceptedSentence:
      'Enter its identifier from the service’s list of videos. Spool then downloads it.',
    remoteId: 'Video identifier',
    resend: 'Resend',
    resendSentence: 'Only if the service has no such video. Otherwise you pay twice.',
    abandon: 'Abandon',
    abandonSentence: 'Stop here. It stays counted as spent.',
    confirm: 'Confirm',
  },

  details: {
    request: 'Request',
    history: 'History',
    file: 'File',
    service: 'Service',
    row: (row: number) => `row ${row}`,
    identifier: 'Identifier',
    word: 'Service status',
    check: 'Check this video',
    costs: 'Cost',
    cost: (actual: string | null, estimated: string | null): string | null =>
      estimated === null
        ? actual
        : actual === null
          ? `${estimated} (estimated)`
          : `${actual} (estimated: ${estimated})`,
    unknownWord: 'Spool doesn’t know this status.',
    teach: 'What does it mean?',
    meanings: {
      queued: 'Still waiting',
      working: 'Rendering',
      done: 'Finished',
      failed: 'Failed',
      rejected: 'Refused',
      cancelled: 'Cancelled',
    },
    lastAnswer: 'Last response',
    path: 'Path',
    size: 'Size',
    length: 'Length',
    hash: 'SHA-256',
    copied: 'Copied',
    notCopied: 'The path could not be copied',
    notCopiedMeans: 'The clipboard refused it. Select the path and copy it with the keyboard.',
    copyPath: 'Copy path',
    play: (title: string) => `Play ${title}`,
    unreadable: 'The details could not be read',
  },

  problems: {
    lost: 'Spool could not be reached',
    lostMeans:
      'Spool may not have received this. Check once it is connected, then try again if necessary.',
    recovered: 'Spool ended unexpectedly last time',
    recoveredMeans:
      'Nothing is lost. The queue continues where it was. See Help, Show logs for details.',
    dismiss: 'Dismiss',
    viewUnavailable: 'This view could not be loaded',
    viewUnavailableMeans: 'Spool may have been updated. Reload the page to continue.',
    reload: 'Reload',
  },

  limits: enLimits,

  status: {
    /** @param service its name where other services are active too */
    pause: (service: string | null) => (service === null ? 'Pause' : `Pause ${service}`),
    resume: (service: string | null) => (service === null ? 'Resume' : `Resume ${service}`),
    paused: 'Paused',
    pausedSentence: {
      sending: 'Nothing more is sent. Videos already sent are still downloaded.',
      everything: 'Nothing is sent, checked or downloaded.',
    },
    pauseWhat: 'What to pause',
    resumeWhat: 'What to resume',
    pauses: {
      sending: (service: string | null) =>
        service === null ? 'Pause sending' : `Pause ${service}`,
      everything: (service: string | null) =>
        service === null ? 'Pause everything' : `Pause everything at ${service}`,
    },
    blocked: 'Blocked',
    idle: 'Nothing to do',
    submitting: (count: string) => `submitting ${count}`,
    rendering: (count: string) => `rendering ${count}`,
    downloading: (count: string) => `downloading ${count}`,
    waiting: (count: string) => `waiting ${count}`,
    held: (count: string) => `on hold ${count}`,
    done: (when: string) => `done ${when}`,
    nextSend: (when: string) => `next send ${when}`,
  },

  offline: {
    unknown: {
      happened: 'Not connected to Spool',
      means:
        'What you see may be out of date. Rendering continues without this window, which reconnects automatically.',
    },
    'not-running': {
      happened: 'Spool is not running',
      means:
        'What you see may be out of date. Start Spool again, and this page continues there; if it does not, open the link that Spool prints.',
    },
    moved: {
      happened: 'Spool was restarted',
      means: 'Continue in the new Spool when you no longer need what you have entered here.',
    },
    unverified: {
      happened: 'Another program answers at Spool’s address',
      means:
        'This page sends nothing to it. Close the page, start Spool again and open the link that it prints. If Spool comes back at this address, the page continues.',
    },
    tryNow: 'Try now',
    continueThere: 'Continue',
  },

  worker: {
    elsewhere: (pid: number) => `Another Spool is running this queue (process ${pid})`,
    elsewhereMeans:
      'Most likely a command in a terminal. You can watch and control it from here. When it ends, this window takes over.',
    silent: (pid: number) => `The Spool running this queue does not respond (process ${pid})`,
    silentMeans:
      'What you see may be out of date. If it was stopped in a terminal with Ctrl-Z, enter “fg” there to continue it; if it hangs, end it. Either way, this window recovers automatically and nothing is lost.',
    ended: 'The Spool running this queue has ended',
    endedMeans: 'This window takes over in a moment, from the same point.',
    triesAgain: 'This window opens the queue as soon as it can.',
  },

  blocked: {
    untrusted: 'The service’s certificate is not trusted',
    addCertificate: 'Add a certificate',
    keyNotKept: 'A key is kept only until Spool closes. See the settings for the reason.',
    goesOn: (when: string) => `Resumes automatically ${when}.`,
    tryNow: 'Try now',
  },

  empty: {
    title: 'Drop a spreadsheet here',
    sentence:
      'Each row becomes one video. Spool checks every row and shows when each will be saved, before anything is sent or spent.',
    button: 'Add videos',
    savedTitle: 'Finished videos appear here',
    savedSentence: 'Once the first one is saved, you can play it on this page.',
    savedButton: 'Go to the queue',
    timelineTitle: 'Nothing is planned',
    timelineSentence: 'Add videos to see each one from its request to its file.',
  },

  timeline: {
    table: 'Plan, one line per video',
    title: 'Title',
    plan: 'Plan',
    now: 'now',
    renders: 'render',
    fetches: 'download',
    line: (sends: string, saved: string) => `request ${sends}, saved about ${saved}`,
    resets: { generate: 'requests available again', quota: 'quota resets' },
    span: 'Span',
    spans: { hours: '3 hours', day: '1 day', week: '1 week' },
  },

  updates: {
    downloading: (version: string) => `Version ${version} is being downloaded.`,
    ready: (version: string) => `Version ${version} is ready.`,
    readyMeans: 'It is installed when you quit.',
    waits: 'It waits for the current batch to finish.',
    restart: 'Restart now',
    later: 'Later',
  },

  key: {
    title: 'API key',
    /** @param service its name; `null` for the one on this computer */
    sentence: (service: string | null) =>
      `From ${service ?? 'the studio of this computer'}: Settings, Developer API, Generate API key. It is shown there once.`,
    label: 'Key',
    placeholder: 'svc_live_…',
    show: 'Show key',
    save: 'Use this key',
    accepted: 'The service accepts the key',
    untested: 'The service did not answer',
    untestedMeans: 'The next request tests the key.',
    unchanged: 'The service did not answer. The present key stays in use. Try again later.',
    untilClosed: 'The key is kept until Spool closes',
    refused: 'The service refuses this key',
    ownLabel: 'Label (optional)',
    labelIsKey: 'That is a key. A label is shown on screen; a key never is.',
  },
};

/** The texts in any language. A language with a missing text does not compile. */
export type Texts = typeof en;
