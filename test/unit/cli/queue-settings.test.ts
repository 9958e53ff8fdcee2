import { expect, test } from 'vitest';
import { resolveQueueSettings } from '../../../src/cli/queue-settings.ts';

test('counts months from the first where no billing date is given, on any day', async () => {
  const options = { dataDir: '/data', service: 'https://service.example', plan: 'starter' };
  const { service } = await resolveQueueSettings(options, '/videos');
  if (service?.kind !== 'remote') throw new Error('It is another service.');
  expect(new Date(service.plan.anchor).getUTCDate()).toBe(1);
});
