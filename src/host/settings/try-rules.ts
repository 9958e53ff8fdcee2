import type { z } from 'zod';
import { answerRulesSchema } from '../../contract/answer-rules.ts';
import type { ProfileTried } from '../../contract/profile.ts';
import type { SettingFault } from '../../contract/settings.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { issueMessage } from './issue-message.ts';
import { readExamples, type PastedAnswers } from './example-answers.ts';

/** Applies edited answer rules to pasted examples. */
export function tryAnswerRules(answers: unknown, examples: PastedAnswers): ProfileTried {
  const rules = safeParse(answerRulesSchema, answers, { reportInput: true });
  if (!rules.success) return { reading: null, faults: faultsIn(rules.error) };
  return { reading: readExamples(examples, rules.data), faults: [] };
}

/** One error for each issue, with the name of its field. */
export function faultsIn({ issues }: z.ZodError, within = ''): SettingFault[] {
  return issues.map((issue) => ({
    field: [...(within === '' ? [] : [within]), ...issue.path.map(String)].join('.'),
    ...issueMessage(issue),
  }));
}
