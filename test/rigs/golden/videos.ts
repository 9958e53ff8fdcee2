import { createCanvas } from '@napi-rs/canvas';
import type { Storyboard } from '../../../src/local-service/rendering/storyboard.ts';
import {
  LOOK_NAMES,
  type LookName,
} from '../../../src/local-service/rendering/looks/look-names.ts';
import { dataUrl } from '../pictures.ts';
import { storyboard } from '../storyboards.ts';

/** A short video, and which of its frames are compared as pictures. */
export interface GoldenVideo {
  readonly name: string;
  readonly storyboard: Storyboard;
  /** Seconds, by the name of what each frame shows. */
  readonly frames: Readonly<Record<string, number>>;
}

const FPS = 24;
/** Seconds from the beginning of a transition to its middle. */
const MIDDLE = 0.125;

/**
 * Every kind of scene, every transition, captions, other scripts, emoji and every aspect, with the
 * bundled fonts only. Short and small, since their frames are drawn in every `npm test`.
 */
export const GOLDEN_VIDEOS: readonly GoldenVideo[] = [
  still('title', { kind: 'title', text: 'Launch week', subtitle: 'Five days, five releases' }),
  still(
    'title-portrait',
    { kind: 'title', text: 'The long way home', subtitle: 'Part two' },
    '9:16',
  ),
  still(
    'text',
    {
      kind: 'text',
      heading: 'Why now',
      text: 'Because the tools are ready, and so are the people who use them.',
      caption: 'Spoken by the narrator',
    },
    '1:1',
  ),
  still(
    'quote',
    { kind: 'quote', text: 'Nobody notices the best edit.', by: 'Élodie Šimůnek' },
    '4:5',
  ),
  still('list', {
    kind: 'list',
    heading: 'In the box',
    items: ['A camera', 'Two lenses', 'A strap of leather'],
    caption: 'Batteries are sold separately',
  }),
  still('list-portrait', { kind: 'list', items: ['Open the lid', 'Wait for the light'] }, '9:16'),
  video(
    'list-arriving',
    {
      scenes: [
        { kind: 'title', text: 'Before', seconds: 1 },
        {
          kind: 'list',
          heading: 'One by one',
          items: ['First', 'Second', 'Third', 'Fourth'],
          seconds: 2,
        },
      ],
    },
    { all: 1.55 },
  ),
  still('image', { kind: 'image', image: testCard(320, 180), caption: 'A test card' }),
  still('image-upright', { kind: 'image', image: testCard(180, 320) }),
  video(
    'gallery',
    {
      aspect: '1:1',
      scenes: [
        { kind: 'title', text: 'Four views', seconds: 1 },
        { kind: 'gallery', images: [testCard(400, 300), testCard(180, 320)], seconds: 3 },
      ],
    },
    { cover: 0.5, first: 1.8, second: 3.9 },
  ),
  video(
    'picture',
    {
      picture: testCard(400, 300),
      logo: testCard(80, 40),
      scenes: [
        { kind: 'title', text: 'Over a picture', subtitle: 'From the first frame', seconds: 2 },
      ],
    },
    { first: 0, last: 1.95 },
  ),
  video(
    'picture-portrait',
    {
      aspect: '9:16',
      picture: testCard(400, 300),
      scenes: [{ kind: 'list', heading: 'Over a picture', items: ['One', 'Two'], seconds: 2 }],
    },
    { first: 0 },
  ),
  video(
    'countdown',
    {
      scenes: [{ kind: 'countdown', from: 3, text: 'until the doors open', seconds: 2.4 }],
    },
    { three: 0.4, two: 1.2, one: 2.1 },
  ),
  still(
    'countdown-portrait',
    { kind: 'countdown', from: 1, caption: 'Any moment now' },
    '9:16',
    0.6,
  ),
  transition('slide'),
  transition('wipe'),
  transition('fade', { early: 1 / FPS, middle: MIDDLE }),
  transition('none', { before: -1 / FPS, after: 0 }),
  still('arabic', {
    kind: 'title',
    text: 'مرحبا بالعالم',
    subtitle: 'أسبوع الإطلاق',
    caption: 'ترجمة باللغة العربية',
  }),
  still(
    'hebrew-list',
    { kind: 'list', heading: 'בתוך הקופסה', items: ['מצלמה', 'שתי עדשות'] },
    '4:5',
  ),
  still('arabic-quote', { kind: 'quote', text: 'أفضل مونتاج لا يلاحظه أحد', by: 'محررة' }, '1:1'),
  still('emoji', {
    kind: 'title',
    text: 'Ready 🚀 set 🎉 go',
    subtitle: '👩‍👩‍👧 🏳️‍🌈 🇩🇪 ❤️‍🔥',
    caption: '🎬 Take one',
  }),
  still('greek-and-cyrillic', {
    kind: 'text',
    heading: 'Ελληνικά',
    text: 'Съешь ещё этих мягких булок',
  }),
  video(
    'light-theme',
    {
      theme: { background: '#f4efe6', accent: '#0a7d5a', text: '#1c1a17' },
      scenes: [{ kind: 'list', heading: 'Daylight', items: ['Paper', 'Ink'], seconds: 1.2 }],
    },
    { all: 0.75 },
  ),
  video(
    'strong-theme',
    {
      theme: { background: '#b00020', accent: '#00e5ff' },
      scenes: [{ kind: 'title', text: 'Loud', subtitle: 'and clear', seconds: 1.2 }],
    },
    { all: 0.75 },
  ),
  video(
    'repeating',
    {
      loop: true,
      scenes: [
        { kind: 'title', text: 'Opening', seconds: 1 },
        { kind: 'title', text: 'Closing', seconds: 1 },
      ],
    },
    { leading: 1.8 },
  ),
  video(
    'captions',
    {
      look: 'market',
      captions: [{ from: 0.5, to: 1.5, text: '– Where is the soup?\n– On the table, as always.' }],
      scenes: [{ kind: 'list', heading: 'Tonight', items: ['Soup', 'Pie', 'Tea'], seconds: 2 }],
    },
    { before: 0.5 - 1 / FPS, first: 0.5, last: 1.5 - 1 / FPS, after: 1.5 },
  ),
  still('hyphenated', { kind: 'title', text: 'Geschwindigkeitsbegrenzungsaufhebung' }, '9:16'),
  ...LOOK_NAMES.flatMap((look) => [lookAlone(look), lookWithPicture(look)]),
  video(
    'ending',
    {
      scenes: [{ kind: 'quote', text: 'That is all.', by: 'The end', seconds: 1.5 }],
    },
    { last: 1.5 - 1 / FPS },
  ),
];

/**
 * Those of which the file is looked at as well, and not only the frames as drawn: what moves, comes
 * and goes in parts of the frame, has strong colours, or repeats.
 */
export const ENCODED_VIDEOS: readonly GoldenVideo[] = GOLDEN_VIDEOS.filter(({ name }) =>
  [
    'countdown',
    'transition-slide',
    'transition-fade',
    'picture',
    'gallery',
    'strong-theme',
    'light-theme',
    'captions',
    'repeating',
    'look-stage',
    'look-market-picture',
  ].includes(name),
);

/** A look with each kind of text, and two of its transitions. */
function lookAlone(look: LookName): GoldenVideo {
  const scenes = [
    { kind: 'title', text: 'Open late', subtitle: 'from 4,50 €', seconds: 1 },
    {
      kind: 'list',
      heading: 'Tonight',
      items: ['Soup 6,50 €', 'Pie with pears 8,00 €'],
      seconds: 2.4,
    },
    { kind: 'quote', text: 'Worth the walk.', by: 'Ada', seconds: 1.2 },
  ];
  const moments = { first: 0, over: 1 + MIDDLE, list: 2, next: 3.4 + MIDDLE };
  return video(`look-${look}`, { look, scenes }, moments);
}

function lookWithPicture(look: LookName): GoldenVideo {
  const scenes = [
    { kind: 'title', text: 'Open late', subtitle: 'Until two', seconds: 1 },
    { kind: 'text', text: 'There is soup, and there are pears.', seconds: 1.2 },
  ];
  const fields = { look, scenes, aspect: '4:5', picture: testCard(400, 300) };
  return video(`look-${look}-picture`, fields, { first: 0, last: 2.1 });
}

/** One scene, some time after all its elements have appeared. */
function still(
  name: string,
  scene: Readonly<Record<string, unknown>>,
  aspect = '16:9',
  at = 1.55,
): GoldenVideo {
  const fields = { aspect, scenes: [{ ...scene, seconds: 2 }] };
  return video(name, fields, { all: at });
}

/** One scene taking over from another. */
function transition(
  kind: string,
  moments: Readonly<Record<string, number>> = { middle: MIDDLE },
): GoldenVideo {
  const first = 1.2;
  const scenes = [
    // Wide enough that half of it is visible when the other half is gone.
    { kind: 'title', text: 'Here is what came before', seconds: first },
    { kind: 'title', text: 'And what comes after', transition: kind, seconds: 1.6 },
  ];
  const frames = Object.entries(moments).map(([name, at]) => [name, first + at] as const);
  return video(`transition-${kind}`, { scenes }, Object.fromEntries(frames));
}

/** @param moments in seconds */
function video(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  moments: Readonly<Record<string, number>>,
): GoldenVideo {
  const frames = Object.entries(moments).map(([of, at]) => [of, Math.round(at * FPS)] as const);
  const board = storyboard({
    title: name,
    aspect: '16:9',
    fps: FPS,
    soundtrack: 'none',
    ...fields,
  });
  return { name, storyboard: board, frames: Object.fromEntries(frames) };
}

/** A picture in which rotating, mirroring, stretching, cropping and swapped colours are visible. */
export function testCard(width: number, height: number): string {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const [w, h] = [width / 2, height / 2];
  for (const [index, colour] of ['#d93030', '#2f9e44', '#1c5fd0', '#f2c230'].entries()) {
    context.fillStyle = colour;
    context.fillRect((index % 2) * w, Math.floor(index / 2) * h, w, h);
  }
  context.lineWidth = 10;
  context.strokeStyle = '#ffffff';
  context.strokeRect(5, 5, width - 10, height - 10);
  context.beginPath();
  context.arc(w, h, Math.min(w, h) * 0.6, 0, 2 * Math.PI);
  context.stroke();
  return dataUrl(canvas.encodeSync('png'));
}
