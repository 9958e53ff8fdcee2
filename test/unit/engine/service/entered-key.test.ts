import { expect, test } from 'vitest';
import { enteredKey } from '../../../../src/engine/service/outcomes.ts';

const response = (status: number) => ({ status, headers: {}, body: '', sentAt: 0, receivedAt: 0 });

test.each([
  [404, 'accepted'],
  [200, 'accepted'],
  // Perhaps a limit of failed authentications.
  [429, 'unchecked'],
] as const)('an entered key answered with %d is %s', (status, entered) => {
  expect(enteredKey({ kind: 'accepted', response: response(status) })).toBe(entered);
});
