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

/** As they are in their files (docs/services.md names the source of each). */
const DOCUMENTS = {
  runway,
  luma,
  creatomate,
  shotstack,
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
