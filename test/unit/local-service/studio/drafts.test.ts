import { describe, expect, test } from 'vitest';
import { applyAction } from '../../../../src/local-service/studio/drafts/draft-actions.ts';
import {
  type Draft,
  draftFrom,
  checkDraft,
} from '../../../../src/local-service/studio/drafts/draft.ts';

const settings = {
  title: 'Launch',
  aspect: '16:9',
  resolution: '480',
  fps: '25',
  duration: '',
  soundtrack: 'none',
  accent: '#ffb020',
  background: '#101010',
  text: '#ffffff',
};

function form(fields: Record<string, string>): Draft {
  return draftFrom(new Map(Object.entries({ ...settings, ...fields })));
}

describe('a form', () => {
  test('of every kind of scene becomes a storyboard', () => {
    const result = checkDraft(
      form({
        duration: '20',
        'scene-0-kind': 'title',
        'scene-0-text': ' Hello ',
        'scene-0-seconds': '2,5',
        'scene-0-transition': 'wipe',
        'scene-1-kind': 'text',
        'scene-1-text': 'Words',
        'scene-1-caption': 'Below',
        'scene-2-kind': 'quote',
        'scene-2-text': 'Said',
        'scene-2-by': 'Ada',
        'scene-3-kind': 'list',
        'scene-3-items': 'One\r\n\r\n Two ',
        'scene-4-kind': 'image',
        'scene-4-image': 'img_1',
        'scene-5-kind': 'countdown',
        'scene-5-from': '3',
      }),
    );
    expect(result).toMatchObject({
      kind: 'ready',
      storyboard: {
        title: 'Launch',
        resolution: 480,
        fps: 25,
        duration: 20,
        theme: { accent: '#ffb020', background: '#101010', text: '#ffffff' },
        scenes: [
          { kind: 'title', text: 'Hello', seconds: 2.5, transition: 'wipe' },
          { kind: 'text', text: 'Words', caption: 'Below' },
          { kind: 'quote', text: 'Said', by: 'Ada' },
          { kind: 'list', items: ['One', 'Two'] },
          { kind: 'image', image: 'img_1' },
          { kind: 'countdown', from: 3 },
        ],
      },
    });
  });

  test('reports every error at its field', () => {
    const result = checkDraft(
      form({
        title: '',
        accent: 'red',
        'scene-0-kind': 'list',
        'scene-0-items': 'x'.repeat(161),
        'scene-1-kind': 'image',
        'scene-2-kind': 'countdown',
        'scene-2-from': 'ten',
        'scene-2-seconds': '0',
      }),
    );
    expect(result.kind === 'invalid' && Object.fromEntries(result.issues)).toEqual({
      title: 'Name must not be empty.',
      accent: 'Accent must be a colour such as #ffb020.',
      'scene-0-items': 'Scene 1: Items must be at most 160 characters long.',
      'scene-1-image': 'Scene 2: Picture must be chosen.',
      'scene-2-from': 'Scene 3: Count from must be a number from 1 to 10.',
      'scene-2-seconds': 'Scene 3: Seconds must be at least 0.5.',
    });
  });

  test('without scenes has an error at the list of scenes', () => {
    const result = checkDraft(form({ 'scene-0-kind': 'opera' }));
    expect(result.kind === 'invalid' && Object.fromEntries(result.issues)).toEqual({
      scenes: 'Scenes must have at least 1 scene.',
    });
  });
});

describe('a button of the form', () => {
  const draft = form({
    'scene-0-kind': 'title',
    'scene-0-text': 'A',
    'scene-1-kind': 'text',
    'scene-1-text': 'B',
  });
  const kinds = (action: string): string[] | undefined =>
    applyAction(draft, action)?.draft.scenes.map(({ kind }) => kind);

  test('adds, removes and moves scenes, and moves the focus there', () => {
    expect(kinds('add-quote')).toEqual(['title', 'text', 'quote']);
    expect(applyAction(draft, 'add-quote')?.focus).toBe('scene-2-text');
    expect(applyAction(draft, 'add-image')?.focus).toBe('scene-2-file');
    expect(kinds('remove-0')).toEqual(['text']);
    expect(kinds('up-1')).toEqual(['text', 'title']);
    expect(applyAction(draft, 'up-1')).toMatchObject({
      focus: 'scene-0',
      draft: { scenes: [{ values: { text: 'B' } }, { values: { text: 'A' } }] },
    });
    expect(kinds('down-1')).toEqual(['title', 'text']);
    expect(applyAction(draft, 'down-1')?.focus).toBe('scene-1');
    expect(applyAction(draft, 'up-0')?.focus).toBe('scene-0');
  });

  test('changes nothing for a missing scene', () => {
    expect(kinds('remove-7')).toEqual(['title', 'text']);
    expect(kinds('add-opera')).toEqual(['title', 'text']);
  });

  test('that is none of these changes no draft', () => {
    expect(applyAction(draft, 'make')).toBeUndefined();
    expect(applyAction(draft, undefined)).toBeUndefined();
  });
});
