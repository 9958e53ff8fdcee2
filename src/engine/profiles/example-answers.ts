import { readLink, readRemoteId, readStatus, type LinkReading } from '../service/answer-reader.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import type { RemoteStatus } from '../service/outcomes.ts';
import { answersIn } from '../service/pasted-answers.ts';
import { proposeRules, type ProposedRules } from '../service/propose-rules.ts';

/**
 * Answers of a service as texts that its owner pasted: JSON, with or without headers and remarks
 * around it. The status text may hold several answers, ideally one for each word.
 */
export interface PastedAnswers {
  readonly generate?: string | undefined;
  readonly status?: string | undefined;
  readonly download?: string | undefined;
}

/** What rules make of example answers, to be looked at before they are relied on. */
export interface ExampleReading {
  /** `null`: there is no identifier where the rules look, or no example. */
  readonly id: string | null;
  readonly statuses: readonly RemoteStatus[];
  /** `null` without an example. */
  readonly link: LinkReading | null;
  /** Texts in which there is no JSON. */
  readonly unreadable: readonly (keyof PastedAnswers)[];
}

export interface RuleProposal extends ProposedRules {
  /** The examples, read by the proposed rules. */
  readonly reading: ExampleReading;
}

/** Works out from pasted answers how a service's answers are to be read (`profiles.md`). */
export function proposeRulesFor(pasted: PastedAnswers): RuleProposal {
  const proposed = proposeRules({
    generate: first(pasted.generate),
    statuses: all(pasted.status),
    download: first(pasted.download),
  });
  return { ...proposed, reading: readExamples(pasted, proposed.rules) };
}

/** Tries rules out on pasted answers, as they would be read from the service. */
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
