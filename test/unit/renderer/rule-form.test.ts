import { describe, expect, it } from 'vitest';
import { answerRulesSchema, type AnswerRules } from '../../../src/contract/answer-rules.ts';
import { startingPoints } from '../../../src/host/settings/starting-points.ts';
import { usualRules } from '../../../src/engine/service/vocabularies.ts';
import {
  formOfRules,
  rulesOfForm,
  withWord,
  ambiguousWords,
} from '../../../src/renderer/state/rule-form.ts';

const usual = formOfRules(usualRules);

describe('rules as lines of text', () => {
  it.each(startingPoints.map(({ name, answers }) => [name, answers] as const))(
    'convert to a form and back unchanged: %s',
    (_name, answers) => {
      expect(answerRulesSchema.parse(rulesOfForm(formOfRules(answers)))).toEqual(answers);
    },
  );

  it('keep what the form has no field for', () => {
    const rules: AnswerRules = {
      ...usualRules,
      withoutWord: 'working',
      failedBy: ['error'],
      keyRefusal: { statuses: [400], phrases: ['invalid API key'] },
    };
    expect(answerRulesSchema.parse(rulesOfForm(formOfRules(rules)))).toEqual(rules);
  });

  it('keep commas, quotes and spaces of words, codes and phrases', () => {
    const entries = ['failed, refunded', '"quoted"', 'a "b", c', ' spaced ', 'plain "inner"'];
    const rules: AnswerRules = {
      ...usualRules,
      id: ['data.a,b'],
      words: { 'failed, refunded': 'failed', '"odd"': 'failed', done: 'done' },
      quotaRefusal: { ...usualRules.quotaRefusal, codes: entries, speaksOf: entries },
    };
    const form = formOfRules(rules);
    expect(form.words.failed).toBe('"failed, refunded", """odd"""');
    expect(answerRulesSchema.parse(rulesOfForm(form))).toEqual(rules);
    const changed = withWord(form, 'waits, paid', 'queued');
    expect(rulesOfForm(changed)).toMatchObject({
      words: { ...rules.words, 'waits, paid': 'queued' },
    });
    expect(ambiguousWords(changed)).toEqual([]);
  });

  it('separate entries at commas where a quote is not closed or not at the start', () => {
    const rules = rulesOfForm({ ...usual, id: '"a, b', errorCode: 'a"b, "c"d, "", "e' });
    expect(rules).toMatchObject({ id: ['"a', 'b'], error: { code: ['a"b', '"c"d', '"e'] } });
  });

  it('show the answer itself as a dot', () => {
    expect(usual.under).toBe('., data, response, video, movie, [0]');
  });

  it('accept commas, new lines and spaces', () => {
    const rules = rulesOfForm({ ...usual, id: ' data.id ,\n,id', statuses: '402, 4xx' });
    expect(rules).toMatchObject({
      id: ['data.id', 'id'],
      quotaRefusal: { statuses: [402, '4xx'] },
    });
  });

  it('have no progress without a path for it', () => {
    expect(rulesOfForm({ ...usual, progress: ' ' })).toMatchObject({ progress: null });
  });

  it('are refused by their schema at the invalid field', () => {
    const refused = answerRulesSchema.safeParse(rulesOfForm({ ...usual, linkUrl: 'a b' }));
    expect(refused.error?.issues.map(({ path }) => path.join('.'))).toEqual(['link.url.0']);
  });
});

describe('status words', () => {
  it('are reported when they have two meanings, whatever their case', () => {
    const words = { ...usual.words, failed: 'failed, DONE' };
    expect(ambiguousWords({ ...usual, words })).toEqual(['done']);
    expect(ambiguousWords(usual)).toEqual([]);
  });

  it('have only the meaning that was defined last', () => {
    const once = withWord(usual, 'Simmering', 'working');
    const twice = withWord(once, 'simmering', 'queued');
    expect(rulesOfForm(twice)).toMatchObject({ words: { simmering: 'queued' } });
    expect(ambiguousWords(twice)).toEqual([]);
    expect(twice.words.working).toBe(usual.words.working);
  });
});
