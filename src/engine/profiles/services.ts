import creatomate from './services/creatomate.json' with { type: 'json' };
import fal from './services/fal.json' with { type: 'json' };
import heygen from './services/heygen.json' with { type: 'json' };
import json2video from './services/json2video.json' with { type: 'json' };
import luma from './services/luma.json' with { type: 'json' };
import replicate from './services/replicate.json' with { type: 'json' };
import runway from './services/runway.json' with { type: 'json' };
import shotstack from './services/shotstack.json' with { type: 'json' };
import { profileSchema, type Profile } from './profile.ts';
import { storyboardProfile } from './storyboard.ts';

/** The environment of Shotstack for tests: its renders have a watermark and are free. */
const shotstackSandbox = {
  ...shotstack,
  name: 'Shotstack sandbox',
  api: {
    ...shotstack.api,
    origin: `${shotstack.api.origin}#stage`,
    generate: {
      path: '/edit/stage/render',
      pathBy: [{ property: 'id', path: '/edit/stage/templates/render' }],
    },
    status: { path: '/edit/stage/render/{id}?data=false' },
    limits: {
      ...shotstack.api.limits,
      windows: [{ endpoint: 'all', count: 150, perMs: 60_000, known: 'documented' }],
    },
    cost: { unit: 'second', rule: { fixed: 0 } },
    keyCheck: { path: '/edit/stage/templates' },
  },
} as const;

/** The documents of the services; docs/services.md names their sources. */
const DOCUMENTS = {
  runway,
  luma,
  creatomate,
  shotstack,
  'shotstack-sandbox': shotstackSandbox,
  json2video,
  heygen,
  replicate,
  fal,
} as const;

export type BuiltInService = keyof typeof DOCUMENTS | 'documented' | 'this-computer';

/** In the order in which they are offered. */
export const builtInServices: readonly BuiltInService[] = [
  'documented',
  'this-computer',
  ...(Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[]),
];

/** The profile of a service that Spool knows. Tests validate every one of them. */
export function builtInProfile(service: BuiltInService): Profile {
  return service === 'documented' || service === 'this-computer'
    ? storyboardProfile
    : profileSchema.parse(DOCUMENTS[service]);
}
