import { formatIn } from '../../contract/format-in.ts';
import { MESSAGES, type MessageName } from '../../contract/messages.ts';

const say = formatIn('en-GB');
const words: Readonly<Record<MessageName, string>> = MESSAGES;

const videos = (count: number): string => (count === 1 ? '1 video' : say`${count} videos`);
const rows = (count: number): string => (count === 1 ? '1 row' : say`${count} rows`);
const files = (count: number): string => (count === 1 ? '1 file' : say`${count} files`);

/** @param file its name if there are several; else `null` */
const place = (row: number, file: string | null): string =>
  file === null ? `row ${row}` : `row ${row} of ${file}`;

/** Texts of the view that adds videos. */
export const enAdd = {
  drop: 'Drop CSV, TSV or JSON files',
  dropSentence: 'Each row becomes one video. Nothing is sent until you have seen the plan.',
  /** @param service its name; `null` for this computer */
  where: (service: string | null) =>
    service === null ? 'Rendered on this computer' : `Rendered by ${service}`,
  choose: 'Choose files',
  one: 'Describe one video',
  pasteLabel: 'Or paste rows from a spreadsheet, starting with the column names',
  check: 'Check rows',
  checking: (name: string) => `Checking ${name}`,
  back: 'Start over',
  another: 'Another file',
  tooLarge: 'The file is larger than 64 MB',
  tooLargeMeans: 'Split it into smaller files and add them one after another.',
  notText: 'The file is not text',
  notTextMeans: 'Save the spreadsheet as CSV and drop that file.',
  unreadable: 'The file could not be read',
  unreadableMeans: 'It may be a folder, or have been changed or moved. Drop it again.',

  list: {
    label: 'Files',
    shown: (number: number, of: number, name: string) => say`File ${number} of ${of}: ${name}`,
    together: (count: number) => `${files(count)} as one batch`,
    files,
    choice: 'How to add several files',
    choices: { each: 'One batch per file', together: 'One batch' },
    more: 'Add files',
    rows,
    faults: (count: number) => (count === 1 ? '1 error' : say`${count} errors`),
    standing: { waiting: 'not checked yet', added: 'added', 'left-out': 'left out' },
    leaveOut: (name: string) => `Leave out ${name}`,
    takeBackIn: (name: string) => `Include ${name} again`,
    skip: 'Skip this file',
    stop: 'Stop',
    checking: 'Checking files',
    checkAgain: 'Check again',
    refused: (count: number, max: number) =>
      count === 1
        ? say`1 file was left out: at most ${max} are checked at a time`
        : say`${count} files were left out: at most ${max} are checked at a time`,
    replaced: (name: string) => `${name} was opened again and replaces the earlier one`,
    tooLarge: 'Together, the files are larger than 64 MB',
    tooLargeMeans: 'Leave some out, or add one batch per file.',
    outcome: (added: number, of: number) =>
      say`${added} of ${files(of)} ${added === 1 ? 'was' : 'were'} added`,
    outcomeSentence:
      'You can include files that were left out. Correct those that could not be read, then drop them again.',
    toQueue: 'Go to the queue',
  },

  sections: 'Parts of the batch',
  section: { rows: 'Rows', columns: 'Columns', request: 'Request', files: 'File names' },

  columns: {
    row: 'Row',
    from: 'In file',
    title: 'Title',
    file: 'File',
    what: 'What happens',
    when: 'Saved',
  },
  table: 'Rows of the batch',
  outcomes: {
    new: 'new, uses 1 video',
    saved: 'already saved',
    'already-queued': 'already queued',
    'downloaded-again': 'already rendered, downloaded again',
    'in-other-batch': 'in another batch, not added',
    skipped: 'skipped, file already exists',
    'failed-before': 'failed before, not retried',
    'duplicate-skipped': 'skipped',
  },
  /** For a service without a quota of videos. */
  outcomesWithoutQuota: { new: 'new' },
  faults: (count: number) => (count === 1 ? '1 error to fix' : say`${count} errors to fix`),
  faultsSentence: (count: number) =>
    `Fix ${count === 1 ? 'it' : 'them'} in the file, then drop it again. Nothing was added or spent.`,
  showError: (count: number): string => (count === 1 ? 'Show error' : 'Next error'),
  faultsInChoices: 'Nothing was added or spent.',
  unready: 'The plan appears once every error is fixed.',
  matchColumns: 'Match columns',
  unused: (count: number, columns: string) =>
    count === 1
      ? `1 column is not used: ${columns}`
      : say`${count} columns are not used: ${columns}`,
  seeRequest: 'Show the request',

  likeRows: (count: number) =>
    count === 1 ? '1 row is a duplicate' : `${rows(count)} are duplicates`,
  likeInFile: (count: number, of: number) =>
    of === 1 ? 'twice in this file' : say`${count} of them twice in this file`,
  likeCost: (cost: number, of: number) =>
    `${of === 1 ? 'it costs' : 'they cost'} ${cost === 0 ? 'nothing' : cost === 1 ? '1 video' : say`${cost} videos`}`,
  likeRenders: (count: number) => (count === 0 ? 'renders nothing' : `renders ${videos(count)}`),
  likeChoice: 'Duplicate rows',
  duplicates: { reuse: 'Reuse videos', render: 'Render again', skip: 'Skip' },
  likeChosen: (count: number) => `${rows(count)} decided one by one`,
  wayOf: (row: number, file: string | null) => `What happens with ${place(row, file)}`,
  ways: {
    new: 'Render, uses 1 video',
    saved: 'Keep the saved file, free',
    'already-queued': 'Already queued, free',
    'downloaded-again': 'Download again, free',
    'in-other-batch': 'Don’t add yet, free',
    skipped: 'Skip, file already exists',
    'failed-before': 'Don’t retry, free',
    'duplicate-skipped': 'Skip, free',
  },
  waysWithoutQuota: { new: 'Render' },
  likeJob: (batch: string, state: string) => `The same as one in ${batch}: ${state}.`,
  likePending:
    'It would be paid for twice. Once that video is saved, add these rows again to download it.',
  likeRow: (row: number, file: string | null) => `The same as ${place(row, file)}.`,

  match: {
    table: 'Columns of the file',
    column: 'In the file',
    examples: 'For example',
    use: 'Used for',
    useOf: (column: string) => `What ${column} is used for`,
    furtherUseOf: (column: string) => `What else ${column} is used for`,
    useFurther: (column: string) => `Use ${column} for another field too`,
    notUsed: 'Not used',
    needed: (field: string) => `${field} (required)`,
    takenFrom: (field: string, column: string) => `${field} (now ${column})`,
    quoted: (field: string) => `“${field}”`,
    missing: (fields: string) => `No column is used for ${fields}`,
    missingSentence: 'Every video needs it. Select a column for it below.',
    alikeSentence: 'Select below which of them to use.',
    headerSentence:
      'Column names come from the first row. If that row is a video, add a header row above it.',
    recalled: 'Matched as in the last file with these columns.',
    reset: 'Match by name',
    unfilled: (fields: string) => `No column for ${fields}; these keep their defaults.`,
    inRequest: (name: string) => `in the request as ${name}`,
    notInRequest: 'not in the request',
    empty: 'empty',
  },

  request: {
    from: 'Made from',
    kinds: { profile: 'The columns', own: 'Custom template' },
    profileSentence: 'This request is sent for each video, filled in from its row.',
    ownSentence:
      'Write columns in double braces. On its own a column keeps its type; within text it becomes text. Empty cells are omitted.',
    label: 'Request, as JSON',
    insert: 'Insert a column',
    fault: 'This is not a JSON object',
    faultAt: (line: number, column: number) => `Not JSON at line ${line}, column ${column}`,
    recalled: 'Your custom template is used again',
    recalledMeans: 'You wrote it for the last file with these columns.',
    useDefault: 'Use the default',
  },

  files: {
    folder: 'Folder',
    chooseFolder: 'Choose…',
    template: 'File names',
    templateHint:
      'Write columns in braces. {row} is the row number, {index} counts the videos. A slash creates a folder.',
    unknown: (names: string) => `There is no column called ${names}. It is left empty.`,
    insert: 'Insert a column',
    collision: 'If a file already exists',
    collisions: {
      number: words['collision-number'],
      skip: words['collision-skip'],
      replace: words['collision-replace'],
    },
    preview: 'The first files',
    more: (count: number) => say`and ${count} more`,
    none: 'No rows, so no file names.',
  },

  preview: {
    title: (row: number, file: string | null) => `R${place(row, file).slice(1)}`,
    one: 'Preview',
    previous: 'Previous row',
    next: 'Next row',
    request: 'What is sent',
    nothing: 'Nothing would be sent.',
    file: 'Saved as',
    cells: 'In the file',
    reading: 'Reading…',
  },

  frame: {
    title: 'Preview frame',
    alt: (title: string) => `A frame of “${title}”`,
    drawing: 'Drawing a frame…',
    size: (width: number, height: number) => `${width} × ${height}`,
    seconds: (length: string) => `${length} s`,
    note: 'Drawn on this computer, free of charge.',
    refused: 'The service would reject this request:',
    refusedOutcome: 'new, but the service would reject it',
    unavailable: 'The service could not draw a frame.',
  },

  video: {
    batch: 'Single videos',
    title: 'One video',
    form: 'One video',
    needed: 'required',
    chosenByDefault: (value: string) => `${value} if left empty`,
    between: (min: string, max: string) => `from ${min} to ${max}`,
    listHint: (count: number) => say`One per line, at most ${count}`,
    default: (value: string) => `${value} (default)`,
    noChoice: 'None',
    colourExample: 'e.g. #ffb020',
    fill: (fields: string) => `Fill in ${fields} to see the plan.`,
    fix: 'Fix the marked fields to see the plan.',
  },

  forecast: {
    costs: (count: number) =>
      count === 1 ? 'Uses 1 video of your quota' : say`Uses ${count} videos of your quota`,
    costsNothing: 'Uses no quota',
    rejected: 'The service would reject this request',
    renders: (count: number) => (count === 0 ? 'Renders nothing' : `Renders ${videos(count)}`),
    left: {
      month: (left: string) => `${left} left this month`,
      day: (left: string) => `${left} left today`,
    },
    estimate: (amount: string, count: number) => `About ${amount} for ${videos(count)} (estimate)`,
    costUnknown: (count: number) => `Renders ${videos(count)}; see the service’s price list`,
    costMissing: (count: number) => `The cost of ${videos(count)} is not known`,
    balance: (amount: string) => `Your balance was ${amount}`,
    overBalance: (amount: string) => `More than your balance, which was ${amount}`,
    balanceRead: (when: string) => `(${when})`,
    /** On this computer, which costs nothing. */
    videos,
    done: (when: string) => `done ${when}`,
    last: (when: string) => `the last one ${when}`,
    /** @param service its name; `null` for this computer */
    to: (service: string | null) =>
      service === null ? 'rendered on this computer' : `sent to ${service}`,
    today: (count: number) => say`${count} today`,
    later: (count: number) => say`${count} later`,
    afterReset: (count: number, reset: string) => say`${count} after ${reset}`,
    skipped: (count: number) => say`${count} skipped or already there`,
    inOtherBatches: (count: number) => say`${count} in other batches, not added`,
    again: (count: number) => say`${count} downloaded again, free`,
    working: 'Calculating…',
  },
  button: (count: number, service: string | null) =>
    `Add ${videos(count)}${service === null ? '' : ` to ${service}`}`,
  plannedAgain: (service: string) => `Planned again for ${service}`,
  plannedAgainMeans: 'Another service is shown now. Check the request, columns and cost again.',
  nothingNew: 'Nothing to add',
  added: (count: number, batch: string) => `${videos(count)} added to ${batch}`,
  addedNothing: (batch: string) => `${batch} was already there`,
};
