/** Texts of the first start. */
export const enWelcome = {
  title: 'Your first video',
  sentence: 'Turn each row of a spreadsheet into a video. Where should they be rendered?',
  here: {
    title: 'On this computer',
    sentence:
      'No account and no key. Spool renders a few short videos from a sample, and the first one plays here as soon as it is saved.',
    button: 'Try it on this computer',
  },
  own: {
    title: 'With your account',
    sentence:
      'At a service that gave you an address and an API key. The key is kept in the system’s keychain and sent only to that address.',
    button: 'Use my key',
  },
  /** @param service its name; `null` for this computer */
  ready: (service: string | null) =>
    `Spreadsheet ready? Drop it on this window to render it ${service === null ? 'on this computer' : `with ${service}`}.`,
  later: 'Later',
  laterHint: 'You can come back from the empty queue or the command palette.',
  back: 'Back',
  notNow: 'Nothing was rendered or spent.',

  starting: 'Getting this computer ready',
  startingSentence: 'The renderer on this computer starts.',
  making: 'Rendering your first video',
  makingOthers: 'Sample videos',
  firstSaved: 'Your first video is saved',
  readySentence: (folder: string) => `It is in ${folder}.`,
  ended: 'The first video could not be rendered',
  endedSentence: 'None of the sample videos could. The first one shows why.',
  addOwn: 'Add your own videos',
  toQueue: 'Go to the queue',
  noSample: 'The sample is not installed here',
  noSampleSentence: 'Everything else is ready: add your own videos.',

  keyTitle: 'Your service',
  keySentence: 'Both are in your account there, under Settings, Developer API.',
  address: 'Address',
  plan: 'Plan',
  planHint: 'The service doesn’t report your plan, so choose it here.',
  keyHint: (origin: string | null) =>
    origin === null ? 'It is shown there once.' : `It is only ever sent to ${origin}.`,
  connect: 'Connect',
  connecting: 'Connecting…',
  connected: 'Connected',
  connectedSentence: (origin: string) => `${origin} accepts the key.`,
  nothingSaved: 'Nothing has been saved.',
  saveAnyway: 'Save anyway',
  unanswered: 'The key is not tested yet',
  unansweredSentence: (origin: string, isFixed: boolean) =>
    `${origin} did not answer. ${isFixed ? '' : 'Check the address. '}Spool tests the key again automatically.`,
  inMemory: 'The keychain could not save the key',
  untrustedSentence: (origin: string) =>
    `The key was not sent to ${origin}. If the service has a custom certificate, add it.`,
  changeAddress: 'Change the address',
  changeKey: 'Change key',
  anotherService: 'Choose another service',
};
