import type { AnswerRules } from '../../contract/answer-rules.ts';
import type { RequestExamples } from '../../contract/service-examples.ts';
import { readStatus, stateOf } from '../../engine/service/response-reader.ts';
import type { RemoteState } from '../../contract/job.ts';
import { defineStatusWord } from '../../engine/service/vocabularies.ts';
import { pathWithId, readAddress, type ExampleAddress } from './example-addresses.ts';
import { answersIn, readExamples, type ExampleReading } from './example-answers.ts';
import type { ExampleRequest } from '../../contract/examples/example-body.ts';
import { readExampleRequest, unreadKind } from '../../contract/examples/example-request.ts';
import type { UnreadKind } from '../../contract/examples/unread-notation.ts';
import { proposeUpload, type ProposedUpload } from './propose-upload.ts';
import { leavesOf, proposeRules, type ProposedRules } from './propose-rules.ts';

export type AnswerTexts = Readonly<Record<'generate' | 'status' | 'download' | 'upload', string>>;

type RequestName = keyof RequestExamples;

/** Where a video's status is requested. */
export type StatusPlace =
  | { readonly path: string }
  | { readonly addressAt: string; readonly under: string };

/** What the examples of a service show. */
export interface ReadService {
  readonly requests: Readonly<Record<RequestName, ExampleRequest | null>>;
  /** Texts that contain no request, with the notation that is not read. */
  readonly unreadable: Partial<Record<RequestName, UnreadKind>>;
  /** Whether the file is requested by another identifier than the video's, which is not possible. */
  readonly hasForeignFileId: boolean;
  /** Address of the request for a video. */
  readonly address: ExampleAddress;
  readonly status: StatusPlace | null;
  /** With the identifier's placeholder, or as written if no identifier was found. */
  readonly filePath: string | null;
  readonly cancelPath: string | null;
  readonly rules: AnswerRules;
  readonly words: ProposedRules['words'];
  /** The examples, read by the rules; the link may be in a status response. */
  readonly reading: ExampleReading;
  /** Whether the user pasted a response to the request for the file or its link. */
  readonly hasFileAnswer: boolean;
  readonly upload: ProposedUpload | null;
}

/**
 * Reads examples that contain no key.
 * @param defined status words with the meanings that the user selected
 */
export function readService(
  texts: RequestExamples,
  answers: AnswerTexts,
  defined: Readonly<Record<string, RemoteState>>,
): ReadService {
  const requests = {
    generate: readExampleRequest(texts.generate),
    status: readExampleRequest(texts.status),
    file: readExampleRequest(texts.file),
    cancel: readExampleRequest(texts.cancel),
    list: readExampleRequest(texts.list),
    upload: readExampleRequest(texts.upload),
  };
  const accepted = answersIn(answers.generate)[0];
  const statuses = answersIn(answers.status);
  const link = answersIn(answers.download)[0];
  const known = {
    generate: accepted,
    statuses,
    inAddresses: [requests.status, requests.file, requests.cancel].flatMap(partsOf),
  };
  const withDefined = (rules: AnswerRules): AnswerRules =>
    Object.entries(defined).reduce(
      (known, [word, means]) => defineStatusWord(known, word, means),
      rules,
    );
  // The link is in the status of a finished video, unless there is a separate request for the file.
  const hasFileRequest = requests.file !== null;
  const done = hasFileRequest
    ? undefined
    : doneIn(statuses, withDefined(proposeRules(known).rules));
  const proposed = proposeRules({ ...known, download: link ?? done });
  const rules = withDefined(proposed.rules);
  const words = proposed.words.map(({ word }) => ({ word, means: stateOf(word, rules) }));
  const download =
    answers.download.trim() === '' && done !== undefined ? JSON.stringify(done) : answers.download;
  const reading = readExamples({ ...answers, download }, rules);
  const address = readAddress(requests.generate?.url ?? '');
  const pathOf = (request: ExampleRequest | null): string | null => {
    if (request === null) return null;
    const { path } = readAddress(request.url);
    return pathWithId(path, reading.id) ?? path;
  };
  return {
    requests,
    address,
    rules,
    words,
    reading,
    unreadable: Object.fromEntries(
      (Object.keys(requests) as RequestName[])
        .filter((name) => requests[name] === null && texts[name].trim() !== '')
        .map((name) => [name, unreadKind(texts[name])]),
    ),
    hasForeignFileId: isForeignId(requests.file, statuses, reading.id),
    status: statusIn(pathOf(requests.status), accepted, address, reading.id),
    filePath: pathOf(requests.file),
    cancelPath: pathOf(requests.cancel),
    hasFileAnswer: link !== undefined,
    upload: proposeUpload(requests.upload, answersIn(answers.upload)[0], requests.generate),
  };
}

/** Parts by which an identifier in a response is recognised. */
function partsOf(request: ExampleRequest | null): string[] {
  return request === null ? [] : request.url.split(/[/?&=#]/).filter((part) => part.length > 3);
}

/**
 * Whether the address of a file contains an identifier that only a status names, such as `file_id`:
 * a profile knows the identifier of the video alone.
 */
function isForeignId(
  file: ExampleRequest | null,
  statuses: readonly unknown[],
  id: string | null,
): boolean {
  const parts = partsOf(file);
  if (id !== null && parts.includes(id)) return false;
  return statuses.some((answer) =>
    leavesOf(answer).some(
      ({ name, value }) =>
        name.endsWith('id') &&
        value !== null &&
        String(value) !== id &&
        parts.some(
          (part) => part === String(value) || part.toLowerCase().replace(/[\W_]/g, '') === name,
        ),
    ),
  );
}

/** The response that says that a video is finished; otherwise the last one. */
function doneIn(statuses: readonly unknown[], rules: AnswerRules): unknown {
  return statuses.find((answer) => readStatus(answer, rules).state === 'done') ?? statuses.at(-1);
}

/** Names of a field with the address of the status, the most certain first. */
const STATUS_NAMES = ['statusurl', 'pollingurl', 'pollurl', 'get', 'self', 'status', 'href', 'url'];

function statusIn(
  path: string | null,
  accepted: unknown,
  { origin }: ExampleAddress,
  id: string | null,
): StatusPlace | null {
  const leaves = leavesOf(accepted).filter(({ value }) => typeof value === 'string');
  if (path !== null) {
    if (path.includes('{id}')) return { path };
    // An identifier with a slash, such as the name of an operation, ends the address.
    const end = leaves.find(({ value }) => isEndOf(path, String(value)));
    if (end === undefined) return { path };
    const under = path.slice(0, path.length - String(end.value).length);
    return { addressAt: end.path, under: under.endsWith('/') ? under : '/' };
  }
  for (const name of STATUS_NAMES) {
    const leaf = leaves.find((each) => each.name === name);
    const found = leaf === undefined ? null : readAddress(String(leaf.value));
    if (found?.origin !== origin || origin === null || id === null) continue;
    const withId = pathWithId(found.path, id, 'exactly');
    if (withId !== null) return { path: withId };
  }
  return null;
}

function isEndOf(path: string, value: string): boolean {
  return (
    value.includes('/') && !/^https?:/i.test(value) && path.endsWith(`/${value.replace(/^\//, '')}`)
  );
}
