import type { z } from 'zod';
import { answerRulesSchema } from '../../contract/answer-rules.ts';
import type { ProfileTried } from '../../contract/profile.ts';
import type { SettingFault } from '../../contract/settings.ts';
import { plainWords } from './plain-words.ts';
import { readExamples, type PastedAnswers } from '../../engine/profiles/example-answers.ts';

/** What answers that somebody edited would make of examples. */
export function tryAnswers(answers: unknown, examples: PastedAnswers): ProfileTried {
  const rules = answerRulesSchema.safeParse(answers, { reportInput: true });
  if (!rules.success) return { reading: null, faults: faultsIn(rules.error) };
  return { reading: readExamples(examples, rules.data), faults: [] };
}

/** One fault an issue, by the name of its field. */
export function faultsIn({ issues }: z.ZodError, within = ''): SettingFault[] {
  return issues.map((issue) => ({
    field: [...(within === '' ? [] : [within]), ...issue.path.map(String)].join('.'),
    ...plainWords(issue),
  }));
}
