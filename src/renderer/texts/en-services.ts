/** What the page says of services that can be chosen. */
export const enServices = {
  title: 'Choose a service',
  sentence: 'Where your videos are rendered. Every service has its own account, key and prices.',
  search: 'Search services',
  list: 'Services',
  none: 'No service of this name',
  noneMeans: 'Any other service can be added with a description of its API.',
  unreadable: 'The services could not be read',
  documented: 'Service with an address',
  documentedMeans:
    'A service that follows the API document. It gave you an address and a key that begins with svc_live_.',
  hereMeans: 'Spool renders storyboards itself. No account, no key, nothing leaves this computer.',
  saved: 'Yours',
  another: 'Add another service…',
  adapt: 'Adapt…',
  use: 'Use this service',
  useHere: 'Render on this computer',
  hereChosen: 'Videos are rendered on this computer',

  cost: 'Cost',
  costUnknown: 'Spool does not know. See the service’s price list.',
  estimate: (cost: string) => `About ${cost}`,
  free: 'Free',
  aVideo: (amount: string) => `${amount} a video`,
  bySeconds: 'by the seconds of video',
  forEach: (amount: string, column: string) => `${amount} × ${column}`,
  forEachBetween: (least: string, most: string, column: string) =>
    `${least} to ${most} × ${column}`,
  units: {
    video: (count: string, amount: number) => `${count} ${amount === 1 ? 'video' : 'videos'}`,
    second: (count: string, amount: number) =>
      `${count} ${amount === 1 ? 'second' : 'seconds'} of video`,
    credit: (count: string, amount: number) => `${count} ${amount === 1 ? 'credit' : 'credits'}`,
  },
  needs: 'Needs',
  needsKey: (name: string) => `An API key from your account at ${name}`,
  needsAddressAndKey: 'Its address and an API key from your account there',
  needsNothing: 'Nothing',
  documentation: 'Documentation',
  file: 'Files',
  files: {
    onRequest: 'A link, asked for when the video is finished',
    link: 'A link, with the finished video',
    linkForHours: (hours: number) =>
      `A link that works for ${hours === 1 ? 'an hour' : `${hours} hours`}. Spool downloads at once.`,
    linkForDays: (days: number) => `A link that works for ${days} days`,
    withKey: 'From the service itself, with your key',
  },
  limitsLabel: 'Limits',
  limits: {
    sent: (count: string, span: string) => `${count} requests ${span}`,
    assumed: (said: string) => `${said} (not documented, so Spool is careful)`,
    atATime: (count: number) =>
      count === 1 ? 'one video rendered at a time' : `${count} videos rendered at a time`,
    cap: (count: string, span: string) => `at most ${count} videos ${span}`,
    spans: { minute: 'a minute', hour: 'an hour', day: 'a day', month: 'a month' },
    seconds: (seconds: number) => `in ${seconds} seconds`,
  },
  tried: 'Tried',
  triedShort: {
    never: 'Not tried',
    'by-examples': 'Tried with examples',
    'by-a-finished-video': 'Tried',
    ended: 'Ended',
    ends: (date: string) => `Ends ${date}`,
  },
  triedMeans: {
    never: (date: string | null) =>
      date === null
        ? 'Not tried with this app yet.'
        : `Described from its documentation as of ${date}, not tried with this app. Begin with one video.`,
    'by-examples': (date: string | null) =>
      date === null
        ? 'Its example responses were read. No video was rendered with this app yet.'
        : `Described from its documentation as of ${date}. Its example responses were read; no video was rendered with this app yet.`,
    'by-a-finished-video': () => 'A video was rendered and saved with this app.',
  },
  ended: (date: string) =>
    `The service says that it ended on ${date}. Other services may still speak its API.`,
  ends: (date: string) =>
    `The service says that it ends on ${date}. Other services may still speak its API.`,

  keySentence: (name: string) => `Create an API key in your account at ${name} and paste it here.`,
  goes: 'Where your data goes',
  addressOf: (name: string) => `Address of ${name}`,
  addressFault: 'Enter the address, such as https://api.example.com',

  ownTitle: 'Describe a service',
  ownSentence:
    'A service profile says where requests go, how the key is sent and how responses are read. It begins with one that works; change what is different.',
  ownText: 'Service profile, JSON',
  ownHint: 'The fields are explained in docs/service-profiles.md.',
  notJson: 'This is not JSON',
  examplesTitle: 'Example responses',
  examplesHint: 'Paste them from the documentation to see what the profile reads.',
  exampleGenerate: 'Response to a request for a video',
  exampleStatus: 'Responses to a status request',
  faults: (count: number) => (count === 1 ? 'One error' : `${count} errors`),
  sound: 'No errors',
  readId: (id: string) => `The video’s identifier is ${id}.`,
  readNoId: 'No identifier is found in the response to a request.',
  readStatus: (word: string, meaning: string) => `“${word}” means ${meaning}.`,
  readUnknown: (word: string) => `“${word}” is no word that the profile knows.`,
  readNoStatus: 'No status is found.',
  continue: 'Continue',
};
