import type { RequestTemplate } from '../../engine/intake/request-template.ts';
import type { Profile } from '../../engine/profiles/profile.ts';
import { storyboardProfile } from '../../engine/profiles/storyboard.ts';
import { vocabularies } from './known-services.ts';

/** The least that a service which makes videos from a description needs to know. */
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
 * Profiles to begin with: the one for storyboards, and one for every service whose way of answering
 * is known. What their requests have in them is for their owner to fill in.
 */
export const startingPoints: readonly Profile[] = [
  storyboardProfile,
  ...Object.entries(vocabularies).map(([name, answers]) => ({
    name,
    answers,
    request: promptTemplate,
  })),
];
