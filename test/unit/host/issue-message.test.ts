import { expect, it } from 'vitest';
import { answerRulesSchema } from '../../../src/contract/answer-rules.ts';
import { settingsSchema, type Settings } from '../../../src/contract/settings.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { usualRules } from '../../../src/engine/service/vocabularies.ts';
import { issueMessage } from '../../../src/host/settings/issue-message.ts';

const messagesOf = (name: keyof Settings, value: unknown): string[] =>
  settingsSchema.shape[name]
    .safeParse(value, { reportInput: true })
    .error!.issues.map((issue) => issueMessage(issue).message);

it.each<[keyof Settings, unknown, string]>([
  ['updates', 'sometimes', 'This must be one of: stable, preview, off.'],
  ['nameTemplate', '', 'This must not be empty.'],
  ['nameTemplate', 'x'.repeat(501), 'This must have at most 500 characters.'],
  ['transfers', { parallel: 9, bytesPerSecond: null }, 'This must be at most 8.'],
  ['transfers', { parallel: 0, bytesPerSecond: null }, 'This must be at least 1.'],
  ['transfers', { parallel: 2.5, bytesPerSecond: null }, 'This must be a whole number.'],
  ['transfers', { parallel: 2, bytesPerSecond: 0 }, 'This must be more than 0.'],
  ['transfers', { parallel: 2 }, 'This is missing.'],
  ['startAtLogin', 'yes', 'This must be true or false.'],
  ['folder', 7, 'This must be a text.'],
  ['service', { kind: 'local', address: '' }, 'There is no “address” here.'],
  ['service', { kind: 'cloud' }, 'This type is not known.'],
])('of %s as %j', (name, value, sentence) => {
  expect(messagesOf(name, value)).toEqual([sentence]);
});

it.each([
  ['service', { kind: 'remote', baseUrl: 'https://a.example', ca: 'none' }, 'value-not-pem'],
  ['plan', { name: 'custom' }, 'plan-limit-negotiated'],
  ['plan', { name: 'free', billingDate: 'soon' }, 'value-not-date'],
  ['plan', { name: 'free', zone: 'Mars/Base' }, 'zone-unknown'],
] as const)('of %s as %j has a message that can be translated: %s', (name, value, sentence) => {
  const [issue] = settingsSchema.shape[name].safeParse(value, { reportInput: true }).error!.issues;
  expect(issueMessage(issue!)).toEqual(userMessage(sentence));
});

it('keeps the message of a schema', () => {
  expect(messagesOf('service', { kind: 'remote', baseUrl: 'http://a.example' })).toEqual([
    'Enter an https address.',
  ]);
  const rules = { ...usualRules, id: ['two words'] };
  const [issue] = answerRulesSchema.safeParse(rules).error!.issues;
  expect(issueMessage(issue!)).toEqual(userMessage('value-not-path'));
});
