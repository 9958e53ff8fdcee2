import type { z } from 'zod';
import { answerRulesSchema } from '../../contract/answer-rules.ts';
import type { ProfileTried } from '../../contract/profile.ts';
import type { SettingIssue } from '../../contract/settings.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { issueMessage } from './issue-message.ts';
import { readExamples, type PastedAnswers } from './example-answers.ts';

/** Applies edited answer rules to pasted examples. */
export function tryAnswerRules(answers: unknown, examples: PastedAnswers): ProfileTried {
  const rules = safeParse(answerRulesSchema, answers, { reportInput: true });
  if (!rules.success) return { reading: null, errors: issuesIn(rules.error) };
  return { reading: readExamples(examples, rules.data), errors: [] };
}

/** One error for each issue, with the name of its field. */
export function issuesIn({ issues }: z.ZodError, within = ''): SettingIssue[] {
  return issues.map((issue) => ({
    field: [...(within === '' ? [] : [within]), ...issue.path.map(String)].join('.'),
    ...issueMessage(issue),
  }));
}
