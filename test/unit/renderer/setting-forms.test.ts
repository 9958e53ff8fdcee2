import { describe, expect, it } from 'vitest';
import { bytesPerSecondIn, megabytesIn } from '../../../src/renderer/views/settings/bandwidth.ts';
import { planLabel, planLimitIn, renamedPlan } from '../../../src/renderer/formatting/plan-form.ts';
import {
  formOfService,
  isAnotherService,
  originIn,
  serviceOfForm,
} from '../../../src/renderer/views/settings/service-form.ts';

describe('bandwidth', () => {
  it.each([
    ['6', 6_000_000],
    [' 2.5 ', 2_500_000],
    ['2,5', 2_500_000],
    ['0', null],
    ['-1', null],
    ['0.0000001', null],
    ['fast', null],
    ['', null],
    ['Infinity', null],
  ])('%j is %j bytes a second', (text, bytes) => {
    expect(bytesPerSecondIn(text)).toBe(bytes);
  });

  it('is shown as it was entered', () => {
    for (const text of ['6', '2.5', '0.000001', '1200']) {
      expect(megabytesIn(bytesPerSecondIn(text) ?? 0, 'en-GB')).toBe(text);
    }
    expect(megabytesIn(2_500_000, 'de-DE')).toBe('2,5');
  });
});

describe('a plan', () => {
  const pro = { name: 'pro', limit: null, billingDate: '2026-03-17', zone: null } as const;

  it('is labelled as the service writes it', () => {
    expect(planLabel('pro', 'Ausgehandelt')).toBe('Pro');
    expect(planLabel('custom', 'Ausgehandelt')).toBe('Ausgehandelt');
    expect(planLabel('gold', 'Ausgehandelt')).toBe('gold');
  });

  it('is not a custom one without a limit', () => {
    expect(renamedPlan(pro, 'custom', null)).toBeNull();
    expect(renamedPlan(pro, 'custom', 1200)).toEqual({ ...pro, name: 'custom', limit: 1200 });
  });

  it('loses its limit with another name, and keeps its billing date', () => {
    const custom = { ...pro, name: 'custom', limit: 1200 } as const;
    expect(renamedPlan(custom, 'free', 1200)).toEqual({ ...pro, name: 'free' });
  });

  it.each([
    ['1200', 1200],
    ['1,200', 1200],
    ['1.200', 1200],
    ['1 000 000', 1_000_000],
    ['12.5', null],
    ['1.20', null],
    ['1e3', null],
    ['0', null],
    ['1000001', null],
    ['12 a', null],
    ['', null],
  ])('%j is %j videos a month', (text, limit) => {
    expect(planLimitIn(text)).toBe(limit);
  });
});

describe('a service', () => {
  const there = { kind: 'remote', baseUrl: 'https://api.example.com', ca: null } as const;

  it('converts to a form and back unchanged', () => {
    expect(serviceOfForm(formOfService(there))).toEqual(there);
    expect(serviceOfForm(formOfService({ kind: 'local', practice: null }))).toEqual({
      kind: 'local',
      practice: null,
    });
  });

  it('differs by its address or certificate authority, not by spaces', () => {
    const form = formOfService(there);
    expect(isAnotherService({ ...form, baseUrl: ' https://api.example.com ' }, form)).toBe(false);
    expect(isAnotherService({ ...form, baseUrl: 'https://api.example.org' }, form)).toBe(true);
    expect(isAnotherService({ ...form, ca: '-----BEGIN CERTIFICATE-----' }, form)).toBe(true);
    expect(isAnotherService({ ...form, kind: 'local' }, form)).toBe(true);
    const here = formOfService({ kind: 'local', practice: null });
    expect(isAnotherService({ ...here, baseUrl: 'https://typed.example' }, here)).toBe(false);
  });

  it.each([
    ['https://api.example.com/v1', 'https://api.example.com'],
    ['http://api.example.com', null],
    ['javascript:alert(1)', null],
    ['https://', null],
    ['api.example.com', null],
    ['', null],
  ])('%j has the origin %j', (text, origin) => {
    expect(originIn(text)).toBe(origin);
  });
});
