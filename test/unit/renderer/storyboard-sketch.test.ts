import { describe, expect, it } from 'vitest';
import { readBatch } from '../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { readStoryboard } from '../../../src/renderer/views/add/sketch/read-storyboard.ts';
import { sketchColours } from '../../../src/renderer/views/add/sketch/sketch-colours.ts';
import { textSize } from '../../../src/renderer/views/add/sketch/text-size.ts';
import { EVERY_KIND } from '../../rigs/storyboards.ts';

describe('a storyboard in a request', () => {
  it('is read as the profile fills it from a row', () => {
    const [row] = readBatch(
      {
        name: 'a.csv',
        content:
          'title,subtitle,points,countdown,aspect,seconds,accent\nPlum tart,At noon,One|Two,3,9:16,8,#7a3a5c',
      },
      storyboardProfile.request,
    ).samples;
    expect(readStoryboard(row?.request ?? null)).toEqual({
      aspect: '9:16',
      resolution: 720,
      fps: 30,
      seconds: 8,
      soundtrack: 'calm',
      theme: { accent: '#7a3a5c', background: null, text: null },
      scenes: [
        { kind: 'countdown', from: 3, text: null, seconds: 3, caption: null },
        { kind: 'title', text: 'Plum tart', subtitle: 'At noon', seconds: null, caption: null },
        { kind: 'list', heading: null, items: ['One', 'Two'], seconds: null, caption: null },
      ],
    });
  });

  it('has every kind of scene that the local service draws', () => {
    const storyboard = readStoryboard({ title: 'All', scenes: EVERY_KIND });
    expect(storyboard?.scenes.map(({ kind }) => kind)).toEqual(EVERY_KIND.map(({ kind }) => kind));
    expect(storyboard?.scenes[4]?.caption).toBe('A red wall');
  });

  it('is as long as it says, else as its scenes say, else nobody knows', () => {
    const lengths = (duration: number | null, ...seconds: (number | null)[]) => {
      const scenes = seconds.map((length) => ({ kind: 'title', text: 'A', seconds: length }));
      const storyboard = readStoryboard({ duration, scenes });
      return [storyboard?.seconds, ...(storyboard?.scenes ?? []).map((scene) => scene.seconds)];
    };
    expect(lengths(9, 3, null)).toEqual([9, 3, 6]);
    expect(lengths(9, null, null)).toEqual([9, null, null]);
    expect(lengths(null, 3, 4)).toEqual([7, 3, 4]);
    expect(lengths(null, 3, null)).toEqual([null, 3, null]);
  });

  it.each([
    ['no object', 'text'],
    ['no scenes', { title: 'A' }],
    ['an empty list of scenes', { scenes: [] }],
    ['a scene of another kind', { scenes: [{ kind: 'dance', text: 'A' }] }],
    ['a scene that says nothing', { scenes: [{ kind: 'title', text: ' ' }] }],
    ['points that are no texts', { scenes: [{ kind: 'list', items: [1] }] }],
    ['a length that is no number', { duration: '9', scenes: [{ kind: 'title', text: 'A' }] }],
    ['a shape that is not known', { aspect: '3:2', scenes: [{ kind: 'title', text: 'A' }] }],
    ['a colour by its name', { theme: { text: 'red' }, scenes: [{ kind: 'title', text: 'A' }] }],
  ])('is not seen in %s', (_, request) => {
    expect(readStoryboard(request)).toBeNull();
  });
});

describe('the letters of a sketch', () => {
  const setting = { width: 142, height: 60, largest: 20, smallest: 5, leading: 1.1 };

  it('are as large as may be, smaller for more words, and never too small to be there', () => {
    expect(textSize('Hello', setting)).toBe(20);
    const longer = textSize('word '.repeat(30).trim(), setting);
    expect(longer).toBeLessThan(20);
    expect(longer).toBeGreaterThan(5);
    expect(textSize('word '.repeat(900), setting)).toBe(5);
  });

  it('let the longest word stand in one line', () => {
    const word = 'Donaudampfschifffahrt';
    expect(textSize(word, setting) * word.length * 0.56).toBeLessThanOrEqual(142);
  });

  it('can be read on whatever background was chosen', () => {
    const colours = { accent: '#ffff00', background: '#ffffff', text: '#eeeeee' };
    expect(sketchColours(colours)).toEqual({
      background: '#ffffff',
      text: '#1f1b16',
      accent: '#ffff00',
      accentText: '#73710e',
    });
    expect(sketchColours({ accent: null, background: null, text: '#ffffff' })).toMatchObject({
      text: '#ffffff',
      accentText: '#ffb020',
    });
  });
});
