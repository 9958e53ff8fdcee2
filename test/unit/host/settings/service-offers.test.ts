import { expect, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import type { Profile } from '../../../../src/engine/profiles/profile.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { checkProfile, serviceOffers } from '../../../../src/host/settings/service-offers.ts';

const RUNWAY = 'https://api.dev.runwayml.com';

test('built-in services are offered under their names, with their addresses', () => {
  const offers = serviceOffers();
  expect(offers.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['this-computer', 'documented', 'runway', 'fal']),
  );
  expect(offers.find(({ id }) => id === 'runway')).toMatchObject({
    origin: RUNWAY,
    isSaved: false,
    profile: { name: 'Runway', api: { about: { tried: 'never' } } },
  });
});

test('an offer has the endpoints of its service, and whether its cost is known', () => {
  const offers = serviceOffers();
  const of = (name: string) => offers.find(({ id }) => id === name);
  expect(of('documented')).toMatchObject({ api: DOCUMENTED_API, isCostKnown: true });
  expect(of('runway')).toMatchObject({ api: builtInProfile('runway').api, isCostKnown: true });
  expect(of('creatomate')).toMatchObject({ isCostKnown: false });
});

test('the user’s changes of a built-in service replace it', () => {
  const own = { ...builtInProfile('runway'), name: 'Runway, our account' };
  const offers = serviceOffers({ [RUNWAY]: own });
  expect(offers.filter(({ origin }) => origin === RUNWAY)).toEqual([
    {
      id: 'runway',
      origin: RUNWAY,
      isSaved: true,
      profile: own,
      api: own.api,
      isCostKnown: true,
    },
  ]);
});

test('saved services with endpoints are offered by their address; mappings alone are not', () => {
  const own = { ...builtInProfile('runway'), name: 'Gateway' };
  const offers = serviceOffers({
    'https://video.example': own,
    'https://documented.example': storyboardProfile,
  });
  expect(offers.filter(({ isSaved }) => isSaved)).toEqual([
    {
      id: 'https://video.example',
      origin: 'https://video.example',
      isSaved: true,
      profile: own,
      api: own.api,
      isCostKnown: true,
    },
  ]);
});

test('an invalid profile has every error under its field, and no preview', () => {
  const runway = builtInProfile('runway');
  const profile = {
    ...runway,
    api: { ...runway.api, auth: { header: 'host' }, generate: { path: 'https://evil.example/v1' } },
  };
  const { errors, destinations, reading } = checkProfile({ profile, baseUrl: null, examples: {} });
  expect(errors.map(({ field }) => field)).toEqual(['api.auth.header', 'api.generate.path']);
  expect({ destinations, reading }).toEqual({ destinations: [], reading: null });
});

test('a profile for one origin is refused for another address', () => {
  const { errors } = checkProfile({
    profile: builtInProfile('runway'),
    baseUrl: 'https://evil.example',
    examples: {},
  });
  expect(errors).toMatchObject([{ field: 'api.origin' }]);
});

test('a valid profile shows where key and rows go, and reads examples', () => {
  const { errors, origin, destinations, reading } = checkProfile({
    profile: builtInProfile('runway'),
    baseUrl: null,
    examples: { generate: '{"id":"t1"}', status: '{"id":"t1","status":"RUNNING"}' },
  });
  expect({ errors, origin }).toEqual({ errors: [], origin: RUNWAY });
  expect(destinations.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      `Rows go to ${RUNWAY}/v1/text_to_video.`,
      `Rows go to ${RUNWAY}/v1/image_to_video.`,
      expect.stringMatching(/authorization: Bearer/),
    ]),
  );
  expect(reading).toMatchObject({ id: 't1', statuses: [{ word: 'RUNNING', state: 'working' }] });
});

// abuse.md 54
test('the preview shows every constant that is sent, also a nested or built one', () => {
  const runway = builtInProfile('runway');
  const { body } = runway.request;
  const options = {
    callbacks: ['https://evil.example/in', { retries: 3, all: true, none: null }],
    template: 'https://evil.example/{{title}}',
    prompt: '{{ prompt }}',
  };
  const profile = {
    ...runway,
    request: { ...runway.request, body: { ...body, options } },
  };
  const { destinations } = checkProfile({ profile, baseUrl: null, examples: {} });
  expect(destinations.at(-1)?.message).toBe(
    'Sent with every row: options.callbacks[0]: "https://evil.example/in", ' +
      'options.callbacks[1].all: true, options.callbacks[1].retries: 3, ' +
      'options.template: "https://evil.example/{{title}}".',
  );
});

// abuse.md 54
// abuse.md 71
test.each([
  [null, 'Pictures go to https://api.example.com/v1/files.'],
  [
    'https://upload.example.com',
    'Pictures and the API key go to https://upload.example.com/v1/files.',
  ],
])('a profile says that its uploads go to %j', (origin, sentence) => {
  const upload = { origin, path: '/v1/files', at: 'id' };
  const profile = { ...storyboardProfile, api: { origin: 'https://api.example.com', upload } };
  const { errors, destinations } = checkProfile({ profile, baseUrl: null, examples: {} });
  expect(errors).toEqual([]);
  expect(destinations.map(({ message }) => message)).toContain(sentence);
});

test('the preview says that every column of a file is sent', () => {
  const said = (['creatomate', 'shotstack', 'runway'] as const).map((service) =>
    checkProfile({ profile: builtInProfile(service), baseUrl: null, examples: {} })
      .destinations.map(({ message }) => message)
      .includes('Every column of a file is sent, under its own name.'),
  );
  expect(said).toEqual([true, true, false]);
});

test('constants of the documented request are not repeated, and many are counted', () => {
  const request = storyboardProfile.request;
  const sentWith = (body: Profile['request']['body']): string | undefined =>
    checkProfile({
      profile: { ...storyboardProfile, request: { ...request, body } },
      baseUrl: 'https://api.example.com',
      examples: {},
    }).destinations.find(({ says }) => says[0]?.sentence.startsWith('constants-sent'))?.message;
  expect(sentWith(request.body)).toBeUndefined();
  expect(sentWith({ ...request.body, webhook_url: 'https://evil.example' })).toBe(
    'Sent with every row: webhook_url: "https://evil.example".',
  );
  const many = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`x${100 + at}`, at]));
  expect(sentWith({ ...request.body, ...many })).toMatch(/x139: 39, and 5 more\.$/);
});

test('without an address there is no preview of where the key goes', () => {
  const { api, ...profile } = builtInProfile('runway');
  const withoutAddress = { ...profile, api: { ...api, origin: null } };
  const checked = checkProfile({ profile: withoutAddress, baseUrl: null, examples: {} });
  expect(checked).toMatchObject({ errors: [], origin: null, destinations: [] });
});
