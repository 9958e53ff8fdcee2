import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../../src/contract/settings.ts';
import { FIRST_OF_MONTH } from '../../../../src/engine/pacing/quota.ts';
import type { ServiceChoice } from '../../../../src/host/service-link.ts';
import {
  choiceInForce,
  serviceChoiceOf,
  settingsOfChoice,
} from '../../../../src/host/settings/effective-settings.ts';

type Chosen = Pick<Settings, 'service' | 'plan'>;

const remote = (plan: Partial<Settings['plan']> = {}): Chosen => ({
  service: { kind: 'remote', baseUrl: 'https://api.example.com', ca: null },
  plan: { name: 'pro', limit: null, billingDate: null, zone: null, ...plan },
});

describe('the service that the settings choose', () => {
  it.each<[string, Partial<Settings['plan']>, object]>([
    ['a plan', {}, { name: 'pro', anchor: FIRST_OF_MONTH }],
    [
      'a number of videos, a billing date and a time zone',
      { name: 'custom', limit: 40, billingDate: '2026-01-17', zone: 'Europe/Berlin' },
      { name: 'custom', limit: 40, anchor: Date.UTC(2026, 0, 17), zone: 'Europe/Berlin' },
    ],
  ])('has %s, also after it was passed to another process', (_, plan, expected) => {
    const chosen = remote(plan);
    const choice = serviceChoiceOf(chosen);
    expect(choice).toMatchObject({ kind: 'remote', baseUrl: 'https://api.example.com' });
    expect(choice.plan).toEqual(expected);
    expect(settingsOfChoice(choice, null)).toEqual(chosen);
  });

  it('has its certificate, and an address without a slash at the end', () => {
    const service = { kind: 'remote', baseUrl: 'https://api.example.com/v2//', ca: 'PEM' } as const;
    const choice = serviceChoiceOf({ ...remote(), service });
    expect(choice).toMatchObject({ baseUrl: 'https://api.example.com/v2', ca: { pem: 'PEM' } });
  });

  it('is replaced by that of the run, as is its plan where it has one', () => {
    const settings = remote() as Settings;
    const plan = { name: 'custom', limit: 7, anchor: 0 };
    const other: ServiceChoice = {
      kind: 'remote',
      baseUrl: 'https://other.example',
      plan: { name: 'starter', anchor: 0 },
    };
    expect(choiceInForce(settings, {})).toEqual(serviceChoiceOf(settings));
    expect(choiceInForce(settings, { service: other })).toEqual(other);
    expect(choiceInForce(settings, { service: other, plan })).toEqual({ ...other, plan });
    expect(choiceInForce(settings, { plan })).toMatchObject({
      baseUrl: 'https://api.example.com',
      plan,
    });
    const local = { ...settings, service: { kind: 'local' } } as Settings;
    expect(choiceInForce(local, { plan })).toEqual({ kind: 'local', plan: '7' });
  });
});
