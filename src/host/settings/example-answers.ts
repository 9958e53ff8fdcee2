import type { AnswerRules } from '../../contract/answer-rules.ts';
import {
  readLink,
  readRemoteId,
  readStatus,
  type LinkReading,
} from '../../engine/service/response-reader.ts';
import { endOfStructure } from '../../contract/examples/example-body.ts';
import { parseForeignJson } from '../../contract/json-text.ts';
import type { RemoteStatus } from '../../engine/service/outcomes.ts';
import { proposeRules, type ProposedRules } from './propose-rules.ts';

/** Characters; longer texts are cut. A few responses are enough to learn from. */
const MAX_PASTE = 128 * 1024;

/** More responses than any service has words. */
const MAX_ANSWERS = 50;

/** After this many brackets that begin no JSON, the rest of the text is ignored. */
const MAX_FAILURES = 20;

/**
 * Responses of a service as texts that the user pasted: JSON, with or without headers and remarks
 * around it. The status text may contain several responses, ideally one for each word.
 */
export interface PastedAnswers {
  readonly generate?: string | undefined;
  readonly status?: string | undefined;
  readonly download?: string | undefined;
}

/** What rules read from example responses, for the user to check. */
export interface ExampleReading {
  /** `null`: the rules found no identifier, or there is no example. */
  readonly id: string | null;
  readonly statuses: readonly RemoteStatus[];
  /** `null` without an example. */
  readonly link: LinkReading | null;
  /** Texts that contain no JSON. */
  readonly unreadable: readonly (keyof PastedAnswers)[];
}

export interface RuleProposal extends ProposedRules {
  /** The examples, read by the proposed rules. */
  readonly reading: ExampleReading;
}

/** Derives the rules for a service's responses from pasted ones (`profiles.md`). */
export function proposeRulesFor(pasted: PastedAnswers): RuleProposal {
  const proposed = proposeRules({
    generate: first(pasted.generate),
    statuses: all(pasted.status),
    download: first(pasted.download),
  });
  return { ...proposed, reading: readExamples(pasted, proposed.rules) };
}

/** Reads pasted responses by rules, as they would be read from the service. */
export function readExamples(pasted: PastedAnswers, rules: AnswerRules): ExampleReading {
  const generate = first(pasted.generate);
  const download = first(pasted.download);
  const texts = ['generate', 'status', 'download'] as const;
  return {
    id: generate === undefined ? null : readRemoteId(generate, rules),
    statuses: all(pasted.status).map((answer) => readStatus(answer, rules)),
    link: download === undefined ? null : readLink(download, rules),
    unreadable: texts.filter((text) => isGiven(pasted[text]) && all(pasted[text]).length === 0),
  };
}

function all(text: string | undefined): unknown[] {
  return isGiven(text) ? answersIn(text) : [];
}

function first(text: string | undefined): unknown {
  return all(text)[0];
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/**
 * The JSON responses in a text that the user copied from documentation, a terminal or a log: one or
 * more, with whatever is around them (a request line, headers, remarks).
 */
export function answersIn(text: string): unknown[] {
  const pasted = text.slice(0, MAX_PASTE);
  const whole = parseForeignJson(pasted);
  if (isStructure(whole)) return [whole];
  const answers: unknown[] = [];
  let from = 0;
  let failures = 0;
  while (answers.length < MAX_ANSWERS && failures < MAX_FAILURES) {
    const found = pasted.slice(from).search(/[{[]/);
    if (found === -1) break;
    const start = from + found;
    const end = endOfStructure(pasted, start);
    const answer = end === null ? undefined : parseForeignJson(pasted.slice(start, end));
    if (end !== null && isStructure(answer)) {
      answers.push(answer);
      from = end;
    } else {
      // Text that only looks like JSON may contain some: a remark in brackets, a line of a log.
      failures += 1;
      from = start + 1;
    }
  }
  return answers;
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
