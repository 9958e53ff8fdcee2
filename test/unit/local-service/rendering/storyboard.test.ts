import { describe, expect, it } from 'vitest';
import {
  MAX_PIXEL_SECONDS,
  costOf,
  pictureSize,
  storyboardSchema,
} from '../../../../src/local-service/rendering/storyboard.ts';
import { pagesOf, secondsOf } from '../../../../src/local-service/rendering/pages.ts';
import { EVERY_KIND, RED_PIXEL, storyboard } from '../../../rigs/storyboards.ts';

function faultsOf(fields: Record<string, unknown>): Record<string, string> {
  const result = storyboardSchema.safeParse({
    title: 'A film',
    scenes: [{ kind: 'title', text: 'Hello' }],
    ...fields,
  });
  const issues = result.success ? [] : result.error.issues;
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

describe('a storyboard', () => {
  it('needs a title and a scene, and has defaults for the rest', () => {
    const parsed = storyboardSchema.parse({
      title: ' A film ',
      scenes: [{ kind: 'title', text: 'Hello' }],
    });
    expect(parsed).toEqual({
      title: 'A film',
      aspect: '16:9',
      resolution: 720,
      fps: 30,
      look: 'picture',
      motion: 'full',
      theme: {},
      soundtrack: 'calm',
      loop: false,
      scenes: [{ kind: 'title', text: 'Hello' }],
    });
  });

  it('accepts every kind of scene', () => {
    expect(storyboard({ scenes: EVERY_KIND }).scenes).toHaveLength(6);
  });

  it('reports every fault at once, each with its path', () => {
    expect(
      faultsOf({
        title: '',
        aspect: '4:3',
        resolution: 700,
        fps: 12,
        theme: { accent: 'red', shine: 1 },
        scenes: [
          { kind: 'title' },
          { kind: 'list', items: [] },
          { kind: 'countdown', from: 2.5 },
          { kind: 'image', image: 'data:image/gif;base64,AAAA' },
          { kind: 'title', text: 'x', seconds: 0.1, transition: 'spin' },
          { kind: 'dance' },
          'title',
        ],
        soundtrack: 'loud',
      }),
    ).toEqual({
      title: 'must not be empty',
      aspect: 'must be one of 16:9, 9:16, 1:1, 4:5',
      resolution: 'must be one of 480, 720, 1080, 1440, 2160',
      fps: 'must be at least 24',
      theme: 'has no field called "shine"',
      'theme.accent': 'must be a colour such as #ffb020',
      'scenes.0.text': 'must be text',
      'scenes.1.items': 'must have at least 1 item',
      'scenes.2.from': 'must be a whole number from 1 to 10',
      'scenes.3.image':
        'must be a PNG, JPEG or WebP as a base64 data URL, or the id of an uploaded image',
      'scenes.4.seconds': 'must be at least 0.5',
      'scenes.4.transition': 'must be one of fade, slide, wipe, none',
      'scenes.5.kind': 'must be title, text, quote, list, image, gallery or countdown',
      'scenes.6': 'must be an object',
      soundtrack: 'must be one of calm, bright, pulse, none',
    });
  });

  it('refuses parts of clips that cannot be', () => {
    const scenes = [
      { asset: 'c', from: 3, to: 3 },
      { asset: 'c', from: 1, to: 121.5 },
      { asset: '../c', focus: '110% 0%', end: 'stop', fit: 'fill' },
    ].map((background) => ({ kind: 'title', text: 'Hello', background }));
    expect(faultsOf({ scenes })).toEqual({
      'scenes.0.background.to': 'must be later than 3, where the clip begins',
      'scenes.1.background.to': 'must be at most 120 s later than 1, where the clip begins',
      'scenes.2.background.asset': 'must be the id of an uploaded file',
      'scenes.2.background.focus': 'must be two percentages such as 50% 30%',
      'scenes.2.background.end': 'must be one of loop, hold, cut',
      'scenes.2.background.fit': 'must be one of cover, contain',
    });
  });

  it('refuses a body that is not an object', () => {
    for (const body of [null, 7, 'text', []]) {
      expect(storyboardSchema.safeParse(body).success).toBe(false);
    }
  });

  it('refuses a duration that the scenes contradict', () => {
    const scenes = [
      { kind: 'title', text: 'One', seconds: 4 },
      { kind: 'title', text: 'Two', seconds: 3 },
    ];
    expect(faultsOf({ scenes, duration: 10 })).toEqual({
      duration: 'is 10 s, but the scenes last 7 s together',
    });
    expect(faultsOf({ scenes: [...scenes, { kind: 'title', text: '3' }], duration: 7.2 })).toEqual({
      duration:
        'is too short: every scene and picture needs at least 0.5 s, and scenes with their own seconds already take 7 s',
    });
  });

  it('refuses more pixels and seconds than one video may use', () => {
    const scenes = Array.from({ length: 5 }, () => ({ kind: 'title', text: 'x' }));
    expect(faultsOf({ scenes, duration: 300, resolution: 1080 })).toEqual({});
    const faults = faultsOf({ scenes, duration: 300, resolution: 2160 });
    expect(faults.duration).toBe(
      'make 300 s, but at 3840×2160 a video may last 75 s at most; choose a shorter video or a lower resolution',
    );
    expect(MAX_PIXEL_SECONDS).toBe(3840 * 2160 * 75);
  });
});

describe('the length of scenes', () => {
  it('is their own, and the others share the rest of the duration', () => {
    const board = storyboard({
      duration: 10,
      scenes: [
        { kind: 'title', text: 'One', seconds: 4 },
        { kind: 'title', text: 'Two' },
        { kind: 'title', text: 'Two' },
        { kind: 'title', text: 'End', seconds: 2 },
      ],
    });
    expect(secondsOf(board)).toEqual([4, 2, 2, 2]);
  });

  it('is half a second, and that of each picture, where their share of the duration is less', () => {
    const images = Array.from({ length: 6 }, () => RED_PIXEL);
    const scenes = [
      { kind: 'title', text: 'One' },
      { kind: 'text', text: 'a long text that takes its time '.repeat(4) },
      { kind: 'gallery', images },
      { kind: 'countdown', from: 2, seconds: 2 },
    ];
    expect(secondsOf(storyboard({ scenes, duration: 6 }))).toEqual([0.5, 0.5, 3, 2]);
    const [title, text, gallery] = secondsOf(storyboard({ scenes, duration: 6.5 }));
    expect([title, gallery]).toEqual([0.5, 3]);
    expect(text).toBeCloseTo(1);
    expect(faultsOf({ scenes, duration: 5.9 })).toHaveProperty('duration');
  });

  it('grows with the length of the text, and a countdown takes a second a number', () => {
    const [short, long, countdown] = secondsOf(
      storyboard({
        scenes: [
          { kind: 'text', text: 'Short' },
          { kind: 'text', text: 'a fairly long passage of words '.repeat(4) },
          { kind: 'countdown', from: 7 },
        ],
      }),
    );
    expect(short).toBe(2.4);
    expect(long).toBeGreaterThan(8);
    expect(countdown).toBe(7);
  });

  it.each([
    ['Chinese', '我们的新咖啡馆今天在市中心开业了，欢迎大家带着朋友和家人一起来品尝。'],
    ['Japanese', '今日は駅前に新しいカフェが開店しました。ご家族やお友達とぜひお越しください。'],
    ['Thai', 'วันนี้ร้านกาแฟใหม่ของเราเปิดให้บริการแล้วขอเชิญทุกคนพาเพื่อนและครอบครัวมาลองชิมกาแฟของเรา'],
  ])('grows with the length of %s, which is written without spaces', (_, text) => {
    const [short, long] = secondsOf(
      storyboard({
        scenes: [
          { kind: 'text', text: text.slice(0, 2) },
          { kind: 'text', text },
        ],
      }),
    );
    expect(short).toBe(2.4);
    expect(long).toBeGreaterThan(6);
  });
});

describe('the pages of a storyboard', () => {
  const sentence = 'This sentence has exactly ten words, and so it ends. ';

  it('split a text that takes longer than 12 s to read, between its sentences', () => {
    const scenes = [
      { kind: 'text', heading: 'Head', text: sentence.repeat(7) },
      { kind: 'title', text: 'End' },
    ];
    const pages = pagesOf(storyboard({ scenes }));
    expect(pages.map(({ index }) => index)).toEqual([0, 0, 0, 0, 1]);
    for (const { scene, seconds } of pages.slice(0, 4)) {
      expect(scene).toMatchObject({ kind: 'text', heading: 'Head' });
      expect(seconds).toBeLessThanOrEqual(12);
      expect(scene.kind === 'text' && scene.text).toMatch(/^This .* ends\.$/);
    }
    const texts = pages.slice(0, 4).map(({ scene }) => (scene.kind === 'text' ? scene.text : ''));
    expect(texts.join(' ')).toBe(sentence.repeat(7).trim());
    // About the same on each: not two full pages and a rest.
    const lengths = texts.map((text) => text.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(sentence.length + 1);
  });

  it('show each picture of a gallery for three seconds, or an equal part of its own length', () => {
    const images = Array.from({ length: 4 }, () => RED_PIXEL);
    const pages = (fields: object) =>
      pagesOf(storyboard({ scenes: [{ kind: 'gallery', images, ...fields }] }));
    expect(pages({}).map(({ scene, seconds }) => [scene.kind, seconds])).toEqual(
      Array.from({ length: 4 }, () => ['image', 3]),
    );
    expect(pages({ seconds: 6 }).map(({ seconds }) => seconds)).toEqual([1.5, 1.5, 1.5, 1.5]);
  });

  it('show no picture of a gallery so briefly that it flashes', () => {
    const images = Array.from({ length: 12 }, () => RED_PIXEL);
    const scene = { kind: 'gallery', images };
    const issuesOf = (fields: object) =>
      storyboardSchema.safeParse({ title: 'Brief', ...fields }).error?.issues ?? [];
    expect(issuesOf({ scenes: [{ ...scene, seconds: 5.9 }] })).toMatchObject([
      { path: ['scenes', 0, 'seconds'], message: 'must be at least 6 for so many pictures' },
    ]);
    expect(issuesOf({ scenes: [scene], duration: 5.9 })).toMatchObject([{ path: ['duration'] }]);
    expect(issuesOf({ scenes: [scene], duration: 6 })).toEqual([]);
  });

  it('give all of the time that reading takes, without a limit', () => {
    const words = 70 + 3;
    const [seconds] = secondsOf(
      storyboard({ scenes: [{ kind: 'text', text: sentence.repeat(7) }] }),
    );
    expect(seconds).toBeGreaterThan(words / 2.8);
  });

  it('know the pages of their list, and sign a quote once', () => {
    const items = Array.from({ length: 8 }, () => sentence.trim());
    const pages = pagesOf(
      storyboard({
        scenes: [
          { kind: 'list', items },
          { kind: 'quote', text: sentence.repeat(5), by: 'Somebody' },
        ],
      }),
    );
    const lists = pages.filter(({ scene }) => scene.kind === 'list');
    const parts = lists.map(({ scene }) => scene);
    expect(lists.map((list) => list.parts)).toEqual([parts, parts, parts]);
    const quotes = pages.filter(({ scene }) => scene.kind === 'quote');
    expect(quotes.map(({ scene }) => ('by' in scene ? scene.by : undefined))).toEqual([
      undefined,
      'Somebody',
    ]);
  });

  it('leave a scene whole that has its own length', () => {
    const scenes = [{ kind: 'text', text: sentence.repeat(7), seconds: 14 }];
    expect(pagesOf(storyboard({ scenes }))).toHaveLength(1);
  });

  it('share the duration of a video as their scenes do', () => {
    const scenes = [
      { kind: 'text', text: sentence.repeat(7) },
      { kind: 'title', text: 'End', seconds: 2 },
    ];
    const pages = pagesOf(storyboard({ scenes, duration: 6 }));
    expect(pages.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(6);
    expect(pages.at(-1)!.seconds).toBe(2);
  });
});

describe('the cost of a storyboard', () => {
  it('is its frames, pixels and seconds', () => {
    const scenes = [{ kind: 'title', text: 'x', seconds: 2 }];
    expect(costOf(storyboard({ scenes, resolution: 720, aspect: '16:9', fps: 30 }))).toEqual({
      frames: 60,
      pixels: 1280 * 720,
      seconds: 2,
    });
  });

  it('has an even width and height in every aspect and resolution', () => {
    for (const aspect of ['16:9', '9:16', '1:1', '4:5'] as const) {
      for (const resolution of [480, 720, 1080, 1440, 2160] as const) {
        const { width, height } = pictureSize({ aspect, resolution });
        expect([width % 2, height % 2, Math.min(width, height)]).toEqual([0, 0, resolution]);
      }
    }
    expect(pictureSize({ aspect: '9:16', resolution: 480 })).toEqual({ width: 480, height: 854 });
  });
});
