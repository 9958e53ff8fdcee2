/** Texts about the choice of a service. */
export const enServices = {
  title: 'Choose a service',
  sentence: 'Where your videos are rendered. Every service has its own account, key and prices.',
  search: 'Search services',
  list: 'Services',
  none: 'No service of this name',
  noneMeans: 'Any other service can be added with examples from its documentation.',
  unreadable: 'The services could not be read',
  documented: 'Service with an address',
  documentedMeans:
    'A service with the Video Generation Service API. It gave you an address and a key that begins with svc_live_.',
  hereMeans: 'Spool renders storyboards itself. No account, no key, nothing leaves this computer.',
  practice: 'Practice account',
  practiceMeans:
    'Try out a batch before you pay for it: this computer applies the limits and the monthly quota of a plan that you choose. Rendering stays free.',
  saved: 'Yours',
  another: 'Add another service…',
  adapt: 'Adapt…',
  use: 'Use this service',
  useHere: 'Render on this computer',
  usePractice: 'Practise on this computer',
  hereChosen: 'Videos are rendered on this computer',
  practiceChosen: 'The practice account is in use',

  cost: 'Cost',
  costUnknown: 'Spool does not know. See the service’s price list.',
  oneOfPlan: 'One of the videos in your plan',
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
    linkForMinutes: (minutes: number) =>
      `A link that works for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. Spool downloads at once.`,
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
  triedShort: {
    never: 'Untested',
    'by-examples': 'Tested with examples',
    'by-a-finished-video': 'Tested',
  },
  triedMeans: {
    never: (date: string | null) =>
      date === null
        ? 'Spool has not been tested with this service yet. Render one video before a batch.'
        : `Spool follows its documentation as of ${date} and has not been tested with the real service yet. Render one video before a batch.`,
    'by-examples': (date: string | null) =>
      date === null
        ? 'Spool reads its example responses and has not been tested with the real service yet. Render one video before a batch.'
        : `Spool follows its documentation as of ${date} and reads its example responses. It has not been tested with the real service yet. Render one video before a batch.`,
    'by-a-finished-video': () => 'Spool has rendered and saved a video with this service.',
  },

  keySentence: (name: string) => `Create an API key in your account at ${name} and paste it here.`,
  goes: 'Where your data goes',
  addressOf: (name: string) => `Address of ${name}`,
  replaced: {
    title: (name: string) => `${name} already uses this address`,
    sentence: (videos: number, origin: string) =>
      `Its profile and its key at ${origin} would be replaced.${
        videos === 0
          ? ''
          : ` ${videos === 1 ? 'One unfinished video there uses' : `${videos} unfinished videos there use`} the new profile from then on.`
      }`,
    cannot: (videos: number, origin: string) =>
      `${videos === 1 ? 'One video' : `${videos} videos`} at ${origin} ${videos === 1 ? 'is' : 'are'} not finished and cannot continue with a profile that makes other requests. Nothing was changed. Replace the profile once ${videos === 1 ? 'it is' : 'they are'} saved or cancelled.`,
    replace: 'Replace',
  },
  addressFault: 'Enter the address, such as https://api.example.com',

  examples: {
    title: 'Add a service',
    sentence:
      'Copy examples from its documentation. Spool works out the rest, and you check it before anything is used.',
    make: 'Rendering a video',
    status: 'Asking for its status',
    more: 'More examples',
    moreHint: 'Only where the documentation has them.',
    request: 'Request',
    requestHint:
      'The curl command, Python with requests, an HTTP request, or the address with its JSON.',
    response: 'Response',
    statusRequest: 'Status request or its address',
    statusResponses: 'Status responses',
    statusResponsesHint: 'As many as there are, one of them of a finished video.',
    file: 'Request for the file or its link',
    fileResponse: 'Response with the link',
    cancel: 'Request to cancel a video',
    list: 'Request for a list of videos',
    listHint: 'Costs nothing, and shows whether the key is good.',
    noRequest: 'No request found. Paste the example for curl or Python.',

    understood: 'What Spool understood',
    empty: 'Paste the request for a video to begin.',
    unreadable: 'Spool could not read the examples. Change one to try again.',
    keyRemoved: 'Key removed',
    keyRemovedMeans:
      'An example contained a key. It is not saved. Spool asks for your key in the next step and stores it in the keychain only.',
    needsMore: 'The examples do not show all that is needed to continue.',
    correctFields: 'Correct the marked fields to continue.',
    missingTitle: 'Not found in the examples',
    missing: {
      body: 'A body that Spool can send: JSON, or a form with parts (curl -F)',
      text: 'A text that differs from video to video',
      id: 'The video’s identifier in the response',
      'status-path': 'Where the status is asked for',
      status: 'What each status means',
      done: 'The status of a finished video',
      link: 'The link to the file',
    },
    tried: {
      never:
        'The examples do not show all that Spool needs. If you continue, begin with one video.',
      'by-examples':
        'Spool reads the examples from the request to the file. No video was rendered yet, so begin with one.',
    },

    service: 'Service',
    name: 'Service name',
    address: 'Address',
    addressHint: 'Empty: entered with the key.',
    keyHeader: 'Header with the key',
    keyScheme: 'Word before the key',
    keySchemeHint: 'Often Bearer, or none.',
    paths: 'Paths',
    makePath: 'Render a video (POST)',
    statusPath: 'Status (GET)',
    statusPathHint: 'Paste the status request, or enter its path.',
    filePath: 'File (GET)',
    filePathHint: 'Empty: the status has the link.',
    statusAt: 'The response to the request has the address of the status.',
    columns: 'Columns',
    columnsHint: 'What differs from video to video comes from your table.',
    required: 'Required',
    noColumns: 'None. Every video would be the same.',
    leftOut: (names: string) => `Not sent: ${names}`,
    responses: 'Responses',
    fileItself: 'The file itself, with the key',
    limits: 'Limits and cost',
    requests: 'Requests',
    span: 'Per',
    spans: { minute: 'Minute', hour: 'Hour', day: 'Day' },
    concurrent: 'Videos at a time',
    concurrentHint: 'Empty: no limit.',
    assumed: 'Assumed, because examples do not say.',
    cost: 'Cost per video',
    costHint: 'Empty: not known.',
    costUnit: 'Unit',
    credits: 'Credits',
    editJson: 'Edit as JSON',
  },

  ownTitle: 'Describe a service',
  ownSentence: {
    services:
      'A service profile says where requests go, how the key is sent and how responses are read. It begins with one that works; change what is different.',
    examples:
      'A service profile says where requests go, how the key is sent and how responses are read. It begins with what your examples show.',
  },
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
  readUnknown: (word: string) => `The profile does not know the status “${word}”.`,
  readNoStatus: 'No status is found.',
  continue: 'Continue',
};
