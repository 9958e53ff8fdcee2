import type { Profile } from './profile.ts';
import { usualRules } from '../service/vocabularies.ts';

/**
 * For services that take a storyboard, as the local service does: a title card, then one scene for
 * every other thing that a row says.
 */
export const storyboardProfile: Profile = {
  name: 'Storyboard',
  answers: usualRules,
  request: {
    title: 'title',
    columns: {
      title: {
        type: 'text',
        required: true,
        maxLength: 200,
        aliases: ['headline', 'name', 'titel', 'überschrift'],
      },
      subtitle: { type: 'text', maxLength: 200, aliases: ['tagline', 'untertitel'] },
      heading: { type: 'text', maxLength: 120 },
      message: {
        type: 'text',
        maxLength: 600,
        aliases: ['text', 'body', 'nachricht', 'botschaft'],
      },
      'points heading': { type: 'text', maxLength: 120 },
      points: {
        type: 'list',
        maxItems: 8,
        maxLength: 160,
        aliases: ['list', 'items', 'punkte', 'liste'],
      },
      quote: { type: 'text', maxLength: 500, aliases: ['zitat'] },
      by: {
        type: 'text',
        maxLength: 120,
        aliases: ['author', 'quote by', 'von', 'autor', 'autorin'],
      },
      countdown: { type: 'number', min: 1, max: 10, whole: true },
      closing: {
        type: 'text',
        maxLength: 200,
        aliases: ['call to action', 'cta', 'schluss', 'abschluss'],
      },
      aspect: {
        type: 'choice',
        options: ['16:9', '9:16', '1:1', '4:5'],
        default: '16:9',
        aliases: ['format', 'aspect ratio', 'seitenverhältnis', 'bildformat'],
        // A spreadsheet takes an aspect ratio for a time of day and rewrites it.
        spellings: {
          '16:09': '16:9',
          '09:16': '9:16',
          '01:01': '1:1',
          '04:05': '4:5',
          '16:09:00': '16:9',
          '09:16:00': '9:16',
          '01:01:00': '1:1',
          '04:05:00': '4:5',
          landscape: '16:9',
          wide: '16:9',
          portrait: '9:16',
          vertical: '9:16',
          square: '1:1',
          querformat: '16:9',
          hochformat: '9:16',
          quadratisch: '1:1',
        },
      },
      seconds: {
        type: 'number',
        min: 1,
        max: 600,
        aliases: ['duration', 'length', 'sekunden', 'dauer', 'länge'],
      },
      resolution: {
        type: 'choice',
        options: [480, 720, 1080, 1440, 2160],
        default: 720,
        aliases: ['auflösung'],
        spellings: {
          '480p': 480,
          '720p': 720,
          '1080p': 1080,
          '1440p': 1440,
          '2160p': 2160,
          '4k': 2160,
        },
      },
      fps: {
        type: 'number',
        min: 24,
        max: 60,
        whole: true,
        default: 30,
        aliases: ['frame rate', 'bildrate'],
      },
      accent: {
        type: 'colour',
        aliases: ['accent colour', 'accent color', 'colour', 'color', 'farbe', 'akzentfarbe'],
      },
      background: {
        type: 'colour',
        aliases: ['background colour', 'background color', 'hintergrund', 'hintergrundfarbe'],
      },
      ink: { type: 'colour', aliases: ['text colour', 'text color', 'textfarbe', 'schriftfarbe'] },
      soundtrack: {
        type: 'choice',
        options: ['calm', 'bright', 'pulse', 'none'],
        default: 'calm',
        aliases: ['music', 'musik'],
        spellings: { keine: 'none', ohne: 'none' },
      },
    },
    preset: [
      { column: 'resolution' },
      { column: 'aspect' },
      { column: 'fps' },
      { column: 'seconds', step: 5 },
    ],
    body: {
      title: '{{title}}',
      aspect: '{{aspect}}',
      resolution: '{{resolution}}',
      fps: '{{fps}}',
      theme: { accent: '{{accent}}', background: '{{background}}', text: '{{ink}}' },
      duration: '{{seconds}}',
      soundtrack: '{{soundtrack}}',
      scenes: [
        { $if: 'countdown', kind: 'countdown', from: '{{countdown}}', seconds: '{{countdown}}' },
        { kind: 'title', text: '{{title}}', subtitle: '{{subtitle}}' },
        { $if: 'message', kind: 'text', heading: '{{heading}}', text: '{{message}}' },
        { $if: 'points', kind: 'list', heading: '{{points heading}}', items: '{{points}}' },
        { $if: 'quote', kind: 'quote', text: '{{quote}}', by: '{{by}}' },
        { $if: 'closing', kind: 'title', text: '{{closing}}' },
      ],
    },
  },
};
