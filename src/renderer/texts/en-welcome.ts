/** What the page says to whoever opens it for the first time. */
export const enWelcome = {
  title: 'Your first video',
  sentence: 'Spool makes videos in batches, one row of a table each. Where shall they be made?',
  here: {
    title: 'On this computer',
    sentence:
      'No account and no key. A few short videos are made from a sample, and the first one plays here as soon as it is saved.',
    button: 'Try it on this computer',
  },
  own: {
    title: 'With your account',
    sentence:
      'At a service that gave you an address and an API key. The key goes into the system’s keychain, and from there to that address alone.',
    button: 'Use my key',
  },
  ready: 'Is your table ready? Drop it anywhere on this window.',
  later: 'Later',
  laterHint: 'An empty queue and the list of commands lead back here.',
  doors: 'Back',
  notNow: 'Nothing was made or spent.',

  starting: 'Getting this computer ready',
  startingSentence: 'Its service starts, and gets an account and a key of its own.',
  making: 'Making your first video',
  makingOthers: 'The sample’s videos',
  firstSaved: 'Your first video is saved',
  readySentence: (folder: string) => `An ordinary file, in ${folder}.`,
  ended: 'The first video was not made',
  endedSentence: 'None of the sample’s videos could be. The first says why.',
  addOwn: 'Add your own videos',
  toQueue: 'Go to the queue',
  noSample: 'The sample is not installed here',
  noSampleSentence: 'Everything else is ready: add videos of your own.',

  keyTitle: 'Your service',
  keySentence: 'Both are in your account there, under Settings, Developer API.',
  address: 'Address',
  plan: 'Plan',
  planHint: 'The service does not tell. Spool counts by it.',
  keyHint: (origin: string | null) =>
    origin === null ? 'It is shown there once.' : `It will only ever be sent to ${origin}.`,
  connect: 'Connect',
  connecting: 'Connecting…',
  connected: 'Connected',
  connectedSentence: (origin: string) => `${origin} accepts the key.`,
  unanswered: 'The key is kept, and not tried yet',
  unansweredSentence: (origin: string) =>
    `${origin} did not answer. Check the address. The key is tried again automatically.`,
  inMemory: 'The keychain does not keep the key',
  untrusted: 'The service’s certificate is not trusted',
  untrustedSentence: (origin: string) =>
    `The key was not sent to ${origin}. If the service has a custom certificate, add it.`,
  addCertificate: 'Add a certificate',
  changeAddress: 'Change the address',
};
