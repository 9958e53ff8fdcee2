import { newsInEnglish } from '../../contract/news-words.ts';
import { sayIn } from '../../contract/say-in.ts';
import { SENTENCES, type SentenceName } from '../../contract/sentences.ts';
import { enActions } from './en-actions.ts';
import { enAdd } from './en-add.ts';
import { enActivity } from './en-activity.ts';
import { enFailures } from './en-failures.ts';
import { enJobs } from './en-jobs.ts';
import { enLimits } from './en-limits.ts';
import { enProfile } from './en-profile.ts';
import { enSaved } from './en-saved.ts';
import { enSettings } from './en-settings.ts';
import { enWelcome } from './en-welcome.ts';

const say = sayIn('en-GB');

/** Every word the page says, in English. `Texts` is the shape that every other language fills. */
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
    welcome: 'First steps',
  },

  frame: {
    navigation: 'Views',
    limits: 'Limits',
    details: 'Details',
    close: 'Close',
    cancel: 'Cancel',
    starting: 'Starting',
    startingSentence: 'Looking for the engine that does the work.',
  },

  ...enJobs,
  ...enActions,
  failures: enFailures,
  // Where a page says it, its notice has said already that there is no video.
  sentences: { ...SENTENCES, 'not-made': 'The service says “{word}”.' } as Record<
    SentenceName,
    string
  >,
  saved: enSaved,
  welcome: enWelcome,
  activity: enActivity,
  add: enAdd,

  /** The table's column "when". */
  when: {
    saved: (when: string) => `saved ${when}`,
    needsYou: 'needs you',
    onHold: 'on hold',
    estimateReason: 'Estimated from how long earlier videos took.',
    sendReason: 'When the service’s hourly limit lets it through.',
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
    chooseBatch: 'Choose a batch',
    savedOf: (saved: string, total: string) => `${saved} of ${total} saved`,
    doneBy: (when: string) => `done ${when}`,
    allDone: 'all done',
    filters: { all: 'All', open: 'Open', attention: 'Needs you', saved: 'Saved' },
    show: 'Show',
    noMatch: (search: string) => `No title contains “${search}”`,
    noMatchSentence: 'Search looks at titles only, in the rows shown here.',
    clearSearch: 'Clear the search',
    nothingHere: {
      all: 'Nothing here',
      open: 'Everything is finished',
      attention: 'Nothing needs you',
      saved: 'Nothing saved yet',
    },
    nothingHereSentence: 'Other rows of this batch are under another filter.',
    showAll: 'Show all',
    unreadable: 'The rows could not be read',
    unreadableSentence: 'The list fills again as soon as the engine answers.',
    tryAgain: 'Try again',
    table: 'Videos in the queue',
    reading: 'Reading…',
    selected: (count: string) => `${count} selected`,
    clearSelection: 'Clear the selection',
    anyState: 'Any state',
    chooseState: 'Choose a state',
    undecided: (count: number) =>
      count === 1 ? '1 video is uncertain' : say`${count} videos are uncertain`,
    undecidedSentence: 'Nothing is sent again until you decide.',
    decide: 'Decide',
    progress: (saved: string, total: string) => `${saved} of ${total} videos are saved`,
    attention: (count: number) => say`${count} need you`,
    stopsHere: 'pauses here',
    sooner: 'goes sooner',
    later: 'goes later',
  },

  uncertain: {
    title: 'Was it accepted?',
    sentence:
      'The connection ended before the service answered. It counts as spent until you decide, so that nothing is paid for twice.',
    made: 'It was made',
    madeSentence: 'Give the identifier from the service’s own list, and it is fetched from there.',
    remoteId: 'Video identifier',
    sendAgain: 'Send again',
    sendAgainSentence: 'Only when the service has no such video: otherwise you pay twice.',
    letGo: 'Let go',
    letGoSentence: 'Stop here. Its unit of quota stays counted as spent.',
    confirm: 'Confirm',
  },

  details: {
    request: 'Request',
    history: 'History',
    file: 'File',
    service: 'Service',
    row: (row: number) => `row ${row}`,
    identifier: 'Identifier',
    word: 'Its word',
    unknownWord: 'Not a word we know. The service is asked again until it is clear.',
    teach: 'What does it mean?',
    meanings: {
      queued: 'Still waiting',
      working: 'At work on it',
      done: 'Finished',
      failed: 'Failed',
      rejected: 'Refused',
      cancelled: 'Cancelled',
    },
    lastAnswer: 'Last answer',
    path: 'Path',
    size: 'Size',
    length: 'Length',
    hash: 'SHA-256',
    copied: 'Copied',
    copyPath: 'Copy path',
    play: (title: string) => `Play ${title}`,
    unreadable: 'The details could not be read',
  },

  problems: {
    lost: 'That did not reach the engine',
    lostMeans: 'Nothing was changed. Try again once it is connected.',
    recovered: 'Spool ended unexpectedly last time',
    recoveredMeans:
      'Nothing is lost: the queue goes on where it was. Help, Show logs has what happened.',
    dismiss: 'Dismiss',
    viewUnavailable: 'This view could not be loaded',
    viewUnavailableMeans: 'Spool may have been updated. Reload the page to go on.',
    reload: 'Reload',
  },

  limits: enLimits,

  status: {
    pause: 'Pause',
    resume: 'Resume',
    paused: 'Paused',
    pausedSentence: {
      sending: 'Nothing more is sent; what was sent is still fetched.',
      everything: 'Nothing is sent, watched or fetched.',
    },
    pauseWhat: 'What to pause',
    pauseSending: 'Pause sending',
    pauseEverything: 'Pause everything',
    blocked: 'Blocked',
    idle: 'Nothing to do',
    submitting: (count: string) => `submitting ${count}`,
    rendering: (count: string) => `rendering ${count}`,
    downloading: (count: string) => `downloading ${count}`,
    waiting: (count: string) => `waiting ${count}`,
    nextSend: (when: string) => `next send ${when}`,
  },

  offline: {
    unknown: {
      happened: 'Not connected to the engine',
      means:
        'What you see may be old. Rendering goes on without this window; it reconnects by itself.',
    },
    'not-running': {
      happened: 'Spool is not running',
      means:
        'What you see may be old. Start Spool again and open the link that it prints: this page then reconnects too, and keeps what you have entered.',
    },
    'link-needed': {
      happened: 'Spool was started again',
      means:
        'Open the link that it printed in this browser: this page then reconnects too, and keeps what you have entered.',
    },
    tryNow: 'Try now',
  },

  worker: {
    elsewhere: (pid: number) => `Another Spool works this queue (process ${pid})`,
    elsewhereMeans:
      'Most likely a command in a terminal. You see it live and can lead it from here; when it ends, this one goes on.',
    silent: (pid: number) => `The Spool that works this queue does not answer (process ${pid})`,
    silentMeans:
      'What you see may be old. If it was stopped in a terminal with Ctrl-Z, “fg” there lets it go on; if it hangs, end it. Either way, this one goes on by itself and nothing is lost.',
    ended: 'The Spool that worked this queue has ended',
    endedMeans: 'This one goes on in a moment, from where it was.',
    triesAgain: 'This one opens the queue as soon as it can.',
  },

  blocked: {
    keyNotKept: 'A key is kept only until Spool closes; the settings say why.',
    goesOn: (when: string) => `Goes on by itself ${when}.`,
    tryNow: 'Try now',
  },

  empty: {
    title: 'Drop a spreadsheet here',
    sentence:
      'One row is one video. Spool checks every row and shows when each will be saved before anything is sent or spent.',
    button: 'Add videos',
    savedTitle: 'Finished videos land here',
    savedSentence: 'As soon as the first one is saved, it can be played on this page.',
    savedButton: 'Go to the queue',
    timelineTitle: 'Nothing is planned',
    timelineSentence: 'Add videos, and their way from request to file is drawn here.',
  },

  timeline: {
    table: 'The plan, one line a video',
    title: 'Title',
    plan: 'Plan',
    now: 'now',
    renders: 'render',
    fetches: 'download',
    line: (sends: string, saved: string) => `request ${sends}, saved about ${saved}`,
    resets: { generate: 'generate limit resets', quota: 'quota resets' },
    span: 'Span',
    spans: { hours: '3 hours', day: '1 day', week: '1 week' },
  },

  updates: {
    downloading: (version: string) => `Version ${version} is being fetched.`,
    ready: (version: string) => `Version ${version} is ready.`,
    readyMeans: 'It is installed when you quit.',
    waits: 'It waits for the batch that is under way.',
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
    show: 'Show what I type',
    save: 'Use this key',
    accepted: 'The service accepts the key',
    kept: 'The key is kept and tried with the next request',
    untilClosed: 'The key is kept until Spool closes',
    refused: 'The service refuses this key',
    ownLabel: 'Label (optional)',
    labelIsKey: 'That is a key. A label is shown, a key never is.',
  },

  settings: enSettings,
  profile: enProfile,
};

/** What a language says. A language that leaves something out does not compile. */
export type Texts = typeof en;
