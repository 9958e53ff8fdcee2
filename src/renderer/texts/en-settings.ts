import { formatIn } from '../../contract/format-in.ts';
import { MESSAGES, type MessageName } from '../../contract/messages.ts';

const say = formatIn('en-GB');

/** Names and choices of settings, which hosts show as well. */
const words: Readonly<Record<MessageName, string>> = MESSAGES;

/** Texts of the settings. */
export const enSettings = {
  parts: 'Settings sections',
  sections: {
    service: 'Service',
    key: 'API key',
    plan: 'Plan and billing',
    answers: 'Response mapping',
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
  unreadableSentence: 'Try again once Spool is connected.',
  trouble: 'The saved settings were damaged',

  serviceHere: words['service-here'],
  address: 'Address',
  addressHint: 'https only, without /api/v1.',
  addressFault: 'Enter an address such as https://api.example.com',
  certificate: words['setting-certificate'],
  certificateLabel: 'Certificate authority, PEM',
  certificateHint: 'Only for a service whose certificate the system does not trust.',
  chooseService: 'Choose from all services…',
  serviceNow: (name: string) => `In use: ${name}`,
  serviceWaits: 'Not changed yet',
  serviceQueue: (count: string) =>
    `${count} unfinished videos stay with the current service, which continues to render them.`,
  serviceKey: 'Each service has its own key, which is never sent to another address.',
  serviceApply: 'Change the service',
  serviceApplying: 'Changing…',
  serviceLeave: 'Keep the current one',
  serviceChanged: 'Service changed',
  serviceOverridden: (origin: string) =>
    `Spool was started with ${origin} for this run. Selecting a service here overrides that.`,

  practice: 'Practise with limits',
  practiceHint:
    'To rehearse a batch for a paid service: the documented limits and the monthly quota of a plan apply here too. Videos already rendered here this month count.',
  practiceOff: 'Off',

  plan: words['setting-plan'],
  plans: { custom: 'Negotiated' },
  videosAMonth: (count: string) => `${count} videos a month`,
  planSentence: 'The service reports neither, so enter them here.',
  planHere: 'You choose the plan of the practice account under “Service”.',
  planNone: 'No plan applies to this service. Its service profile says what it allows.',
  planOverridden: 'Spool was started with a plan for this run. Selecting one here overrides that.',
  planLimit: 'Videos a month',
  planLimitHint: 'The plan is saved once the number is entered.',
  planLimitFault: 'A whole number from 1 to 1,000,000',
  billingDate: words['setting-billing-date'],
  signUpDate: 'The day you signed up',
  billingDateHint: 'Any past one works. When empty: the first of the month.',
  zone: words['setting-zone'],
  zoneHint: 'Usually UTC.',
  planNow: (limit: string, date: string) => `Currently ${limit} videos; resets on ${date}.`,

  filesSentence: 'For new batches. Those in the queue keep their settings.',
  folder: words['setting-folder'],
  folderHint: (folder: string) => `Currently ${folder}. Leave empty for the default.`,
  chooseFolder: 'Choose…',
  nameTemplate: words['setting-name-template'],
  nameTemplateHint: 'In braces: batch, index, title or any column. A slash creates a folder.',
  example: 'Example',
  exampleBatch: 'Launch week',
  exampleTitle: 'Meet the roasters',
  collision: words['setting-collision'],
  collisionHints: {
    number: 'Existing files are kept.',
    skip: 'The video is not rendered and costs nothing.',
    replace: 'The existing file is lost.',
  },

  parallel: words['setting-parallel'],
  parallelHint: 'More only helps when each download is slow.',
  limitBandwidth: words['setting-bandwidth'],
  limitBandwidthHint: 'For all transfers together. Applies immediately.',
  bandwidth: 'Megabytes a second',
  bandwidthFault: 'A number above 0, such as 6 or 2.5',
  allowVpnAddresses: words['setting-vpn'],
  allowVpnAddressesHint:
    'Some VPNs and mobile networks give every server an address from their own network. Off by default, because Spool cannot check where such an address leads.',

  notifySentence: 'Shown by the system, even while the window is closed.',
  notifyInBrowser: {
    granted: 'Shown by your browser while this page is open in the background.',
    default: 'Your browser can notify you while this page is open in the background.',
    denied: 'Notifications are blocked. You can allow them in the address bar of your browser.',
    missing: 'This browser does not support notifications. The desktop app does.',
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
    failed: 'Failures in quick succession are grouped.',
  },

  startUp: words['setting-start-up'],
  startUps: {
    'as-last-time': words['start-up-as-last-time'],
    run: words['start-up-run'],
    paused: words['start-up-paused'],
  },
  startUpHints: {
    'as-last-time': 'Paused if it was paused when it closed.',
    run: 'Even if it was paused when it closed.',
    paused: 'Nothing is sent until you resume the queue.',
  },
  updates: words['setting-updates'],
  updateHints: {
    stable: 'Downloaded and installed between batches, never during one.',
    preview: 'New features first, less tested. Between batches, never during one.',
    off: 'Spool does not check. You install new versions yourself.',
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

  appearanceSentence: 'The row height applies to this window only and is not exported.',
  theme: words['setting-theme'],
  themes: {
    system: words['as-system'],
    light: words['theme-light'],
    dark: words['theme-dark'],
  },
  density: 'Row height',
  densities: { compact: 'Compact', comfortable: 'Comfortable' },
  language: words['setting-language'],

  shareSentence: 'All settings except the API key, with the response mapping of your services.',
  export: 'Export',
  exported: 'spool-settings.json exported',
  import: 'Import…',
  importFile: 'Settings file',
  importTitle: (name: string) => `Import ${name}?`,
  importSentence: 'These settings change. All others and your API keys stay as they are.',
  importSensitive:
    'Check the marked ones first: they decide where your data goes, what Spool trusts and what runs automatically.',
  importMarked: 'Check this',
  importColumns: { name: 'Setting', from: 'Now', to: 'After the import' },
  importConfirm: 'Import',
  imported: (name: string) => `${name} imported`,
  importSame: (name: string) => `${name} changes nothing`,
  importSameMeans: 'Your settings are the same as those in the file.',
  importRefused: (name: string) => `${name} was not imported`,
  importNothing: 'Nothing was changed.',
  importMore: (count: number) => say`and ${count} more`,
};
