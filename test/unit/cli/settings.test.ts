import { expect, test } from 'vitest';
import { serviceOptions } from '../../../src/cli/settings.ts';

test('counts months from the first where no billing date is given, on whatever day it runs', () => {
  const { service } = serviceOptions({
    dataDir: '/data',
    service: 'https://service.example',
    plan: 'starter',
  });
  if (service?.kind !== 'remote') throw new Error('It is another service.');
  expect(new Date(service.plan.anchor).getUTCDate()).toBe(1);
});
