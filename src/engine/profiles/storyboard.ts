import type { Profile } from './profile.ts';
import { usualRules } from '../service/vocabularies.ts';

/**
 * For services that take a storyboard, as the local service does: a title card, then one scene for
 * every other column of a row.
 */
export const storyboardProfile: Profile = {
  name: 'Storyboard',
  // Only a successful generation counts against the quota (service-api.md §4.1).
  answers: {
    ...usualRules,
    contentRefusals: usualRules.contentRefusals?.map((rule) => ({ ...rule, paid: 'no' })),
  },
  request: {
    title: 'title',
    columns: {
      title: {
        label: { en: 'Title', de: 'Titel' },
        description: {
          en: 'Shown first, and the name of the video',
          de: 'Erste Szene und Name des Videos',
        },
        type: 'text',
        required: true,
        maxLength: 200,
        aliases: ['headline', 'name', 'titel', 'überschrift'],
      },
      subtitle: {
        label: { en: 'Subtitle', de: 'Untertitel' },
        description: { en: 'Smaller, below the title', de: 'Kleiner, unter dem Titel' },
        type: 'text',
        maxLength: 200,
        aliases: ['tagline', 'untertitel'],
      },
      heading: {
        label: { en: 'Message heading', de: 'Überschrift der Nachricht' },
        description: { en: 'Above the message', de: 'Über der Nachricht' },
        type: 'text',
        maxLength: 120,
      },
      message: {
        label: { en: 'Message', de: 'Nachricht' },
        description: { en: 'A scene of text', de: 'Eine Szene mit Text' },
        type: 'text',
        maxLength: 600,
        aliases: ['text', 'body', 'nachricht', 'botschaft'],
      },
      'points heading': {
        label: { en: 'Points heading', de: 'Überschrift der Punkte' },
        description: { en: 'Above the points', de: 'Über den Punkten' },
        type: 'text',
        maxLength: 120,
      },
      points: {
        label: { en: 'Points', de: 'Punkte' },
        description: {
          en: 'A scene with a numbered list',
          de: 'Eine Szene mit nummerierter Liste',
        },
        type: 'list',
        maxItems: 8,
        maxLength: 160,
        aliases: ['list', 'items', 'punkte', 'liste'],
      },
      quote: {
        label: { en: 'Quote', de: 'Zitat' },
        description: { en: 'A scene with a quote', de: 'Eine Szene mit einem Zitat' },
        type: 'text',
        maxLength: 500,
        aliases: ['zitat'],
      },
      by: {
        label: { en: 'Quote by', de: 'Zitat von' },
        description: {
          en: 'Name below the quote',
          de: 'Name unter dem Zitat',
        },
        type: 'text',
        maxLength: 120,
        aliases: ['author', 'quote by', 'von', 'autor', 'autorin'],
      },
      countdown: {
        label: { en: 'Countdown from', de: 'Countdown ab' },
        description: {
          en: 'Counts down the seconds before the title',
          de: 'Zählt vor dem Titel die Sekunden herunter',
        },
        type: 'number',
        min: 1,
        max: 10,
        whole: true,
      },
      closing: {
        label: { en: 'Closing title', de: 'Schlusstitel' },
        description: { en: 'The last scene', de: 'Die letzte Szene' },
        type: 'text',
        maxLength: 200,
        aliases: ['call to action', 'cta', 'schluss', 'abschluss'],
      },
      aspect: {
        label: { en: 'Aspect ratio', de: 'Seitenverhältnis' },
        description: { en: 'Width to height', de: 'Breite zu Höhe' },
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
        label: { en: 'Length in seconds', de: 'Länge in Sekunden' },
        description: {
          en: 'Leave empty to match the reading time',
          de: 'Ohne Angabe so lang wie die Lesezeit',
        },
        type: 'number',
        min: 1,
        max: 600,
        aliases: ['duration', 'length', 'sekunden', 'dauer', 'länge'],
      },
      resolution: {
        label: { en: 'Resolution', de: 'Auflösung' },
        description: { en: 'Pixels on the shorter side', de: 'Pixel der kürzeren Seite' },
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
        label: { en: 'Frames per second', de: 'Bilder pro Sekunde' },
        description: {
          en: 'More is smoother but takes longer to render',
          de: 'Mehr wirkt flüssiger, rendert aber länger',
        },
        type: 'number',
        min: 24,
        max: 60,
        whole: true,
        default: 30,
        aliases: ['frame rate', 'bildrate'],
      },
      accent: {
        label: { en: 'Accent colour', de: 'Akzentfarbe' },
        description: { en: 'Bars, numbers and marks', de: 'Balken, Ziffern und Zeichen' },
        type: 'colour',
        aliases: ['accent colour', 'accent color', 'colour', 'color', 'farbe', 'akzentfarbe'],
      },
      background: {
        label: { en: 'Background colour', de: 'Hintergrundfarbe' },
        description: { en: 'Behind every scene', de: 'Hinter jeder Szene' },
        type: 'colour',
        aliases: ['background colour', 'background color', 'hintergrund', 'hintergrundfarbe'],
      },
      ink: {
        label: { en: 'Text colour', de: 'Textfarbe' },
        description: {
          en: 'Adjusted where it would be unreadable',
          de: 'Wird angepasst, wo sie unlesbar wäre',
        },
        type: 'colour',
        aliases: ['text colour', 'text color', 'textfarbe', 'schriftfarbe'],
      },
      soundtrack: {
        label: { en: 'Soundtrack', de: 'Musik' },
        description: { en: 'Synthesised background music', de: 'Synthetische Hintergrundmusik' },
        type: 'choice',
        options: ['calm', 'bright', 'pulse', 'none'],
        optionLabels: {
          calm: { en: 'Calm', de: 'Ruhig' },
          bright: { en: 'Bright', de: 'Heiter' },
          pulse: { en: 'Pulse', de: 'Treibend' },
          none: { en: 'None', de: 'Keine' },
        },
        default: 'calm',
        aliases: ['music', 'musik'],
        spellings: { keine: 'none', ohne: 'none' },
      },
    },
    preset: [
      { column: 'resolution' },
      { column: 'aspect' },
      { column: 'fps' },
      { column: 'seconds', step: 1 },
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
