import { sayIn } from '../../contract/say-in.ts';
import { SENTENCES, type SentenceName } from '../../contract/sentences.ts';

const say = sayIn('en-GB');

/** Of the settings' names and choices, which hosts say as well. */
const words: Readonly<Record<SentenceName, string>> = SENTENCES;

/** What the page says of settings. */
export const enSettings = {
  parts: 'Parts of the settings',
  sections: {
    service: 'Service',
    key: 'API key',
    plan: 'Plan and billing',
    answers: 'Answers',
    files: 'Folder and names',
    transfers: 'Transfers',
    notifications: 'Notifications',
    start: 'Start and updates',
    appearance: 'Appearance',
    share: 'Import and export',
  },
  saving: 'Saving…',
  saved: 'Saved',
  refused: 'Not saved',
  unreadable: 'The settings could not be read',
  unreadableSentence: 'They are where the engine is. Try again once it is connected.',
  trouble: 'The settings on the disk were damaged',

  services: { local: words['service-here'], remote: 'A service elsewhere' },
  serviceMeans: {
    local: 'Spool renders here, with an account and a key of its own.',
    remote: 'Your own account, at the address that the service gave you.',
  },
  address: 'Address',
  addressHint: 'Without /api/v1, and https only.',
  addressFault: 'An address looks like https://api.example.com',
  certificate: words['setting-certificate'],
  certificateLabel: 'Certificate authority, PEM',
  certificateHint: 'Only for a service that the system does not trust by itself.',
  serviceWaits: 'Not changed yet',
  serviceQueue: (count: string) =>
    `${count} unfinished videos stay with the present service and go on when you choose it again.`,
  serviceKey: 'Each service has a key of its own; none is ever sent to another address.',
  serviceApply: 'Change the service',
  serviceApplying: 'Changing…',
  serviceLeave: 'Leave it as it is',
  serviceChanged: 'The service is changed',
  serviceOverridden: (origin: string) =>
    `Spool was started with ${origin} for this run. Choosing a service here ends that.`,

  plan: words['setting-plan'],
  plans: { custom: 'Negotiated' },
  videosAMonth: (count: string) => `${count} videos a month`,
  planSentence: 'The service reports neither, so Spool counts by what is entered here.',
  planHere: 'The service on this computer reports its plan itself.',
  planOverridden: 'Spool was started with a plan for this run. Choosing one here ends that.',
  planLimit: 'Videos a month',
  planLimitHint: 'The plan is saved once the number is entered.',
  planLimitFault: 'A whole number from 1 to 1,000,000',
  billingDate: words['setting-billing-date'],
  signUpDate: 'The day you signed up',
  billingDateHint: 'Any of them will do. When empty: the first of the month.',
  zone: words['setting-zone'],
  zoneHint: 'The service counts in UTC unless it says otherwise.',
  planNow: (limit: string, date: string) => `As it stands: ${limit} videos, anew on ${date}.`,

  filesSentence: 'For batches added from now on; those in the queue keep what they have.',
  folder: words['setting-folder'],
  folderHint: (folder: string) => `Now ${folder}. When empty: the usual one.`,
  chooseFolder: 'Choose…',
  nameTemplate: words['setting-name-template'],
  nameTemplateHint: 'In braces: batch, index, title, or any column. A / makes a folder.',
  example: 'Such as',
  exampleBatch: 'Launch week',
  exampleTitle: 'Meet the roasters',
  collision: words['setting-collision'],
  collisionHints: {
    number: 'Existing files are left alone.',
    skip: 'The video is not made, and costs nothing.',
    replace: 'The existing file is lost.',
  },

  parallel: words['setting-parallel'],
  parallelHint: 'More help only where each one is slow.',
  limitBandwidth: words['setting-bandwidth'],
  limitBandwidthHint: 'Of all transfers together, at once and while they run.',
  bandwidth: 'Megabytes a second',
  bandwidthFault: 'A number above 0, such as 6 or 2.5',
  allowVpnAddresses: words['setting-vpn'],
  allowVpnAddressesHint:
    'Some VPNs and mobile networks give every server an address from their own network. Off by default, because Spool cannot check where such an address leads.',

  notifySentence: 'Shown by the system, also while the window is closed.',
  notifyInBrowser: {
    granted: 'Told by your browser, as long as this page is open and you look elsewhere.',
    default: 'Your browser can tell you while this page is open and you look elsewhere.',
    denied:
      'Your browser keeps this page from telling you. You can allow it beside the page’s address.',
    missing: 'Told by the desktop app; this browser shows no notifications.',
  },
  allowNotifications: 'Allow notifications',
  notify: {
    batchSaved: words['notify-batch-saved'],
    needsDecision: words['notify-needs-decision'],
    failed: words['notify-failed'],
  },
  notifyHints: {
    batchSaved: 'Once for each batch, not for each video.',
    needsDecision: 'An uncertain video, a refused key, a used-up quota.',
    failed: 'Failures that follow one another are told together.',
  },

  startUp: words['setting-start-up'],
  startUps: {
    'as-last-time': words['start-up-as-last-time'],
    run: words['start-up-run'],
    paused: words['start-up-paused'],
  },
  startUpHints: {
    'as-last-time': 'Paused if it was paused, at work if it was at work.',
    run: 'Even if it was paused when it closed.',
    paused: 'Nothing is sent until you resume the queue.',
  },
  updates: words['setting-updates'],
  updateHints: {
    stable: 'Fetched and installed between batches, never during one.',
    preview: 'New things first, less tried. Between batches, never during one.',
    off: 'Nothing is looked for. You install newer versions yourself.',
  },
  updateKinds: {
    stable: words['updates-stable'],
    preview: words['updates-preview'],
    off: words['updates-off'],
  },
  startAtLogin: words['setting-start-at-login'],
  startAtLoginHint: 'In the tray, without a window. Desktop app only.',
  closeToTray: words['setting-close-to-tray'],
  closeToTrayHint: 'In the tray, while a batch is under way. Desktop app only.',

  appearanceSentence: 'The row height is kept for this window alone and not exported.',
  theme: words['setting-theme'],
  themes: {
    system: words['as-system'],
    light: words['theme-light'],
    dark: words['theme-dark'],
  },
  density: 'Row height',
  densities: { compact: 'Compact', comfortable: 'Comfortable' },
  language: words['setting-language'],

  shareSentence: 'All settings but the API key, and how the answers of your services are read.',
  export: 'Export',
  exported: 'spool-settings.json is exported',
  import: 'Import…',
  importFile: 'A file with settings',
  importTitle: (name: string) => `Import ${name}?`,
  importSentence: 'It changes these settings. All others and your API keys stay as they are.',
  importSensitive:
    'Check the marked ones first: they decide where your data goes, what Spool trusts and what runs by itself.',
  importMarked: 'Check this',
  importColumns: { name: 'Setting', from: 'Now', to: 'After the import' },
  importConfirm: 'Import',
  imported: (name: string) => `${name} is imported`,
  importSame: (name: string) => `${name} changes nothing`,
  importSameMeans: 'Your settings are the same as those in the file.',
  importRefused: (name: string) => `${name} was not imported`,
  importNothing: 'Nothing was changed.',
  importMore: (count: number) => say`and ${count} more`,
};
