import { expect, it } from 'vitest';
import {
  fieldsWithoutKeys,
  withoutKeys,
} from '../../../src/contract/examples/example-credentials.ts';
import { ServiceChoice } from '../../../src/renderer/state/service-choice.svelte.ts';
import { ServiceByExamples } from '../../../src/renderer/state/service-examples.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { documentedExamples } from '../../rigs/service-examples.ts';

it('offers no profile that was proposed before the last correction', async () => {
  const { client } = fakeEngine({ states: [] }, 0);
  const examples = new ServiceByExamples(client);
  examples.keyRemoval = { withoutKeys, fieldsWithoutKeys };
  const { requests, answers } = documentedExamples[0]!.examples;
  examples.pasteRequest('generate', requests.generate);
  examples.pasteRequest('status', requests.status);
  examples.pasteRequest('file', requests.file);
  examples.pasteAnswer('generate', answers.generate ?? '');
  examples.pasteAnswer('status', answers.status ?? '');
  await expect.poll(() => examples.offer?.origin).toBe('https://api.openai.com');

  examples.correct({ origin: 'https://other.example' });
  expect(examples.offer).toBeNull();
  await expect.poll(() => examples.offer?.origin).toBe('https://other.example');

  client.profile.proposeService = () => Promise.reject(new Error('It does not answer.'));
  examples.correct({ origin: 'https://third.example' });
  await expect.poll(() => examples.unreadable).toBe(true);
  expect(examples.offer).toBeNull();
});

it('offers no profile that was checked before the last edit', async () => {
  const choice = new ServiceChoice(fakeEngine({ states: [] }, 0).client);
  await choice.open();
  choice.startFrom(choice.offers.find(({ id }) => id === 'runway') ?? null);
  await expect.poll(() => choice.offer?.origin).toBe('https://api.dev.runwayml.com');

  const text = choice.own.text.replaceAll('api.dev.runwayml.com', 'other.example');
  choice.edit({ text });
  expect(choice.offer).toBeNull();
  await expect.poll(() => choice.offer?.origin).toBe('https://other.example');
});

// abuse.md 57
it.each([
  ['fails', () => Promise.reject(new Error('It is closed.'))],
  ['never answers', () => new Promise<never>(() => undefined)],
] as const)('removes a pasted key, and keeps the rest, where the engine %s', (_, answer) => {
  const { client } = fakeEngine({ states: [] }, 0);
  client.profile.proposeService = answer;
  const examples = new ServiceByExamples(client);
  examples.keyRemoval = { withoutKeys, fieldsWithoutKeys };
  const key = 'abcde-12';
  const request = (shown: string): string =>
    `curl https://api.example.com/v1/videos -H "X-Api-Key: ${shown}" -d '{"prompt":"A lake"}'`;
  examples.pasteRequest('generate', request(key));
  expect(examples.requests.generate).toBe(request('YOUR_API_KEY'));
  expect(examples.hadKey).toBe(true);
  examples.pasteAnswer('generate', `{"id":"v-1","api_key":"sk-${'a1'.repeat(12)}"}`);
  expect(examples.answers.generate).toBe('{"id":"v-1","api_key":"YOUR_API_KEY"}');
  examples.correct({ origin: 'https://api.example.com', name: 'Lakes' });
  examples.correct({ authScheme: 'aB3dE5fG7hI9jK1lM3nO' });
  expect(examples.corrected).toEqual({ origin: 'https://api.example.com', name: 'Lakes' });
});
