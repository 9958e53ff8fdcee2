import { sayIn } from '../../contract/say-in.ts';
import { SENTENCES, type SentenceName } from '../../contract/sentences.ts';

const say = sayIn('en-GB');
const words: Readonly<Record<SentenceName, string>> = SENTENCES;

const videos = (count: number): string => (count === 1 ? '1 video' : say`${count} videos`);
const rows = (count: number): string => (count === 1 ? '1 row' : say`${count} rows`);
const files = (count: number): string => (count === 1 ? '1 file' : say`${count} files`);

/** @param file where there are several */
const place = (row: number, file: string | null): string =>
  file === null ? `row ${row}` : `row ${row} of ${file}`;

/** What the view that adds videos says. */
export const enAdd = {
  drop: 'Drop CSV, TSV or JSON files',
  dropNow: 'Let go to check it',
  dropSentence: 'One row is one video. Nothing is sent before you have seen the plan.',
  choose: 'Choose files',
  one: 'Describe one video',
  pasteLabel: 'Or paste rows from a spreadsheet, with the names of the columns first',
  pasteName: 'Pasted rows',
  check: 'Check rows',
  checking: (name: string) => `Checking ${name}`,
  back: 'Start over',
  another: 'Another file',
  tooLarge: 'The file is larger than 64 MB',
  tooLargeMeans: 'Split it and add the parts one after another.',
  notText: 'The file is not text',
  notTextMeans: 'Save the spreadsheet as CSV and drop that.',
  unreadable: 'The file could not be read',
  unreadableMeans: 'It may be a folder, or have been changed or moved. Drop it again.',

  list: {
    label: 'Files',
    shown: (number: number, of: number, name: string) => say`File ${number} of ${of}: ${name}`,
    together: (count: number) => `${files(count)} as one batch`,
    files,
    choice: 'What several files become',
    choices: { each: 'One batch per file', together: 'One batch' },
    more: 'Add files',
    rows,
    faults: (count: number) => (count === 1 ? '1 error' : say`${count} errors`),
    standing: { waiting: 'not checked yet', added: 'added', 'left-out': 'left out' },
    leaveOut: (name: string) => `Leave out ${name}`,
    takeBackIn: (name: string) => `Take ${name} back in`,
    skip: 'Skip this file',
    stop: 'Stop',
    checking: 'Checking files',
    checkAgain: 'Check again',
    refused: (count: number, max: number) =>
      count === 1
        ? say`1 file was left out: at most ${max} are checked at a time`
        : say`${count} files were left out: at most ${max} are checked at a time`,
    replaced: (name: string) => `${name} was opened again and takes the earlier one’s place`,
    tooLarge: 'Together, the files are larger than 64 MB',
    tooLargeMeans: 'Leave some out, or add one batch per file.',
    outcome: (added: number, of: number) =>
      say`${added} of ${files(of)} ${added === 1 ? 'was' : 'were'} added`,
    outcomeSentence:
      'Files that were left out can be taken back in. Those that could not be read can be corrected and dropped again.',
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
    new: 'new, costs 1',
    saved: 'already saved',
    'under-way': 'already under way',
    'fetched-again': 'made before, fetched again',
    skipped: 'left out, its name is taken',
    'failed-before': 'failed before, not made again',
    'left-out': 'left out',
  },
  faults: (count: number) => (count === 1 ? '1 fault to mend' : say`${count} faults to mend`),
  faultsSentence: (count: number) =>
    `Mend ${count === 1 ? 'it' : 'them'} in the file, then drop it again. Nothing was added or spent.`,
  faultsInChoices: 'Nothing was added or spent.',
  unready: 'The plan is worked out when every fault is mended.',
  matchColumns: 'Match columns',
  unused: (count: number, columns: string) =>
    count === 1
      ? `1 column is not used: ${columns}`
      : say`${count} columns are not used: ${columns}`,
  seeRequest: 'See the request',

  likeRows: (count: number) =>
    count === 1 ? '1 row was asked for before' : `${rows(count)} were asked for before`,
  likeInFile: (count: number, of: number) =>
    of === 1 ? 'twice in this file' : say`${count} of them twice in this file`,
  likeCost: (cost: number, of: number) =>
    `${of === 1 ? 'it costs' : 'they cost'} ${cost === 0 ? 'nothing' : say`${cost} of your quota`}`,
  likeChoice: 'Rows that were asked for before',
  duplicates: { reuse: 'Reuse videos', make: 'Make anew', 'leave-out': 'Leave out' },
  likeChosen: (count: number) => `${rows(count)} chosen one by one`,
  wayOf: (row: number, file: string | null) => `What happens with ${place(row, file)}`,
  ways: {
    new: 'Make it, costs 1',
    saved: 'Keep the saved one, free',
    'under-way': 'It is under way, free',
    'fetched-again': 'Fetch it again, free',
    skipped: 'Leave it out, free',
    'failed-before': 'Leave it failed, free',
    'left-out': 'Leave it out, free',
  },
  likeJob: (batch: string, state: string) => `The same as one in ${batch}: ${state}.`,
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
    needed: (field: string) => `${field} (needed)`,
    takenFrom: (field: string, column: string) => `${field} (now ${column})`,
    missing: (fields: string) => `No column is used for ${fields}`,
    missingSentence: 'Every video needs it. Choose a column for it below.',
    alikeSentence: 'Choose below which of them is used.',
    headerSentence:
      'The names are taken from the first row; if that is a video already, add a row of names.',
    recalled: 'Matched as you did for the last file with these columns.',
    reset: 'Match by name',
    unfilled: (fields: string) => `No column for ${fields}; these keep their defaults.`,
    inRequest: (name: string) => `in the request as ${name}`,
    notInRequest: 'not in the request',
    empty: 'empty',
  },

  request: {
    from: 'Made from',
    kinds: { profile: 'The columns', own: 'A text of my own' },
    profileSentence: 'Each video is asked for with this, filled from its row.',
    ownSentence:
      'Columns stand in double braces. Alone a column keeps its type, within a text it becomes text; what a row leaves empty is left out.',
    label: 'Request, as JSON',
    insert: 'Insert a column',
    fault: 'This is not a JSON object',
    faultAt: (line: number, column: number) => `Not JSON at line ${line}, column ${column}`,
  },

  files: {
    folder: 'Folder',
    chooseFolder: 'Choose…',
    template: 'File names',
    templateHint:
      'Columns stand in braces; {row} is the row of the table, {index} counts the videos. A slash makes a folder.',
    unknown: (names: string) => `No column is called ${names}: nothing stands for it.`,
    insert: 'Insert a column',
    collision: 'When a name is taken',
    collisions: {
      number: words['collision-number'],
      skip: words['collision-skip'],
      replace: words['collision-replace'],
    },
    preview: 'The first files',
    more: (count: number) => say`and ${count} more`,
    none: 'There are no rows to name files for.',
  },

  preview: {
    title: (row: number, file: string | null) => `R${place(row, file).slice(1)}`,
    one: 'What comes of it',
    previous: 'Row before',
    next: 'Row after',
    request: 'What is sent',
    nothing: 'Nothing would be sent.',
    file: 'Saved as',
    cells: 'In the file',
    reading: 'Reading…',
  },

  sketch: {
    title: 'Sketch',
    scenes: 'Scenes',
    kinds: {
      title: 'Title',
      text: 'Text',
      quote: 'Quote',
      list: 'List',
      image: 'Picture',
      countdown: 'Countdown',
    },
    fps: (count: number) => `${count} fps`,
    seconds: (length: string) => `${length} s`,
    openLength: 'as long as it takes to read',
    music: (name: string) => `music: ${name}`,
    note: 'Drawn here from the request, not by the service: sizes, line breaks and movement are its own.',
  },

  video: {
    batch: 'Single videos',
    title: 'One video',
    form: 'One video',
    needed: 'needed',
    chosenByDefault: (value: string) => `${value} when left empty`,
    between: (min: string, max: string) => `from ${min} to ${max}`,
    listHint: (count: number) => say`One a line, at most ${count}`,
    default: (value: string) => `${value} (default)`,
    noChoice: 'None',
    fill: (fields: string) => `Fill in ${fields} to see the plan.`,
    mend: 'Mend what is marked to see the plan.',
  },

  forecast: {
    costs: (count: number) => say`Costs ${count} of your quota`,
    costsNothing: 'Costs nothing',
    left: (left: string) => `${left} left this month`,
    last: (when: string) => `the last one ${when}`,
    today: (count: number) => say`${count} today`,
    later: (count: number) => say`${count} later`,
    notThisCycle: (count: number) =>
      count === 1 ? '1 does not fit this month' : say`${count} do not fit this month`,
    skipped: (count: number) => say`${count} left out or already there`,
    again: (count: number) => say`${count} fetched again without cost`,
    working: 'Working it out…',
  },
  button: (count: number) => `Add ${videos(count)}`,
  nothingNew: 'Nothing to add',
  added: (count: number, batch: string) => `${videos(count)} added to ${batch}`,
  addedNothing: (batch: string) => `${batch} was already there`,
};
