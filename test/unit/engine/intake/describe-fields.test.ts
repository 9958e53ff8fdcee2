import { expect, it } from 'vitest';
import { requestLabels } from '../../../../src/engine/intake/describe-fields.ts';
import { requestTemplateSchema } from '../../../../src/engine/intake/request-template.ts';
import { builtInProfile, builtInServices } from '../../../../src/engine/profiles/services.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const template = {
  title: 'title',
  columns: {
    title: { type: 'text', label: { en: 'Title' } },
    hue: { type: 'colour', label: { en: 'Hue' } },
  },
  preset: [],
  body: { name: '{{title}}', look: { tint: '{{hue}}' } },
};

it('labels a property as its column, and a compound one as the profile does', () => {
  const labels = { look: { en: 'Look', de: 'Aussehen' } };
  expect(requestLabels(requestTemplateSchema.parse({ ...template, labels }))).toEqual({
    name: { en: 'Title' },
    look: { en: 'Look', de: 'Aussehen' },
  });
});

it.each(builtInServices)('labels every property of %s in both languages', (service) => {
  const { request } = builtInProfile(service);
  const labels = requestLabels(request);
  const named = Object.keys(request.body).map((name) => [name, Object.keys(labels[name] ?? {})]);
  expect(named).toEqual(named.map(([name]) => [name, ['en', 'de']]));
});

it('labels every property of the storyboard in both languages', () => {
  const labels = requestLabels(storyboardProfile.request);
  const named = Object.keys(storyboardProfile.request.body).map((name) => [
    name,
    Object.keys(labels[name] ?? {}),
  ]);
  expect(named).toEqual(named.map(([name]) => [name, ['en', 'de']]));
});
