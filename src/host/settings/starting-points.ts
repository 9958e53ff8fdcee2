import type { RequestTemplate } from '../../engine/intake/request-template.ts';
import type { Profile } from '../../engine/profiles/profile.ts';
import { storyboardProfile } from '../../engine/profiles/storyboard.ts';
import { vocabularies } from './known-services.ts';

/** The minimum for a service that makes videos from a description. */
const promptTemplate: RequestTemplate = {
  title: 'title',
  columns: {
    title: { type: 'text', required: true, maxLength: 200, aliases: ['name'] },
    prompt: { type: 'text', required: true, aliases: ['description', 'text'] },
    aspect: { type: 'text', aliases: ['aspect ratio', 'format', 'ratio'] },
    seconds: { type: 'number', min: 1, aliases: ['duration', 'length'] },
  },
  preset: [{ column: 'aspect' }, { column: 'seconds', step: 5 }],
  body: { prompt: '{{prompt}}', aspect: '{{aspect}}', duration: '{{seconds}}' },
};

/**
 * Profiles to start from: the one for storyboards, and one for every service whose responses are
 * known. The user fills in the content of the requests.
 */
export const startingPoints: readonly Profile[] = [
  storyboardProfile,
  ...Object.entries(vocabularies).map(([name, answers]) => ({
    name,
    answers,
    request: promptTemplate,
  })),
];
