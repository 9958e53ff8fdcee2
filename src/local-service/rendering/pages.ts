/** Splits scenes with more text than one page of a video should hold, and gives each page its time. */
import type { Captions } from './captions/caption-schema.ts';
import { secondsFor } from './captions/caption-times.ts';
import { MIN_SCENE_SECONDS, naturalSeconds, sceneSeconds } from './durations.ts';
import { countWords } from './line-breaks.ts';
import type { PageScene, Scene } from './scene-schema.ts';

/** The part of a storyboard that determines what is shown when. */
interface TimedStoryboard {
  readonly scenes: readonly Scene[];
  readonly duration?: number | undefined;
  readonly captions?: Captions | undefined;
}

/** What is shown at a time: a scene, a part of one with a long text, or a picture of a gallery. */
export interface Page {
  readonly scene: PageScene;
  /** Of the storyboard's scene. */
  readonly index: number;
  /** What all pages of that scene show, in order. */
  readonly parts: readonly PageScene[];
  readonly seconds: number;
}

/** A scene that takes longer to read is split. */
const MAX_PAGE_SECONDS = 12;
/** The last text can be read for a while after everything has appeared. */
const MIN_LAST_SECONDS = 3;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/**
 * The pages of a video, in order. A scene with `seconds` is one page. Another one that takes longer
 * than {@link MAX_PAGE_SECONDS} is split, a text or quote between sentences, a list between items.
 * Each picture of a gallery has a page.
 */
export function pagesOf(storyboard: TimedStoryboard): Page[] {
  const scenes = storyboard.scenes.map(partsOf);
  const lengths = secondsOf(storyboard);
  return scenes.flatMap((parts, index) => {
    const natural = sum(parts.map(({ seconds }) => seconds));
    // A duration that leaves less time than reading takes does not change what is on a page.
    const pace = (lengths[index] ?? natural) / natural;
    const all = parts.map(({ scene }) => scene);
    return parts.map(({ scene, seconds }) => ({
      scene,
      index,
      parts: all,
      seconds: seconds * pace,
    }));
  });
}

/** The length of every scene in seconds, in order. */
export function secondsOf(storyboard: TimedStoryboard): number[] {
  const scenes = storyboard.scenes.map((scene, index) => {
    const natural = sum(partsOf(scene).map(({ seconds }) => seconds));
    const isLast = index === storyboard.scenes.length - 1;
    return {
      seconds: scene.seconds,
      natural: isLast ? Math.max(MIN_LAST_SECONDS, natural) : natural,
      least: leastSecondsOf(scene),
    };
  });
  const lengths = sceneSeconds(scenes, storyboard.duration);
  const { duration, captions } = storyboard;
  if (duration !== undefined || captions === undefined) return lengths;
  const needed = secondsFor(captions);
  const isFixed = scenes.every(({ seconds }) => seconds !== undefined);
  return isFixed || sum(lengths) >= needed ? lengths : sceneSeconds(scenes, needed);
}

/** The length of a scene that is still seen, and each picture of a gallery. */
export function leastSecondsOf(scene: Scene): number {
  return MIN_SCENE_SECONDS * (scene.kind === 'gallery' ? scene.images.length : 1);
}

/** All words that a scene shows. */
export function textOf(scene: Scene): string {
  const caption = scene.caption ?? '';
  switch (scene.kind) {
    case 'title':
      return `${scene.text} ${scene.subtitle ?? ''} ${caption}`;
    case 'text':
      return `${scene.heading ?? ''} ${scene.text} ${caption}`;
    case 'quote':
      return `${scene.text} ${scene.by ?? ''} ${caption}`;
    case 'list':
      return `${scene.heading ?? ''} ${scene.items.join(' ')} ${caption}`;
    case 'countdown':
      return `${scene.text ?? ''} ${caption}`;
    case 'image':
    case 'gallery':
      return caption;
  }
}

function readSecondsOf(scene: Scene): number {
  const from = scene.kind === 'countdown' ? scene.from : undefined;
  return naturalSeconds({ kind: scene.kind, from, words: countWords(textOf(scene)) });
}

/** A scene, or the pages that it is split into, with the seconds to read each. */
function partsOf(scene: Scene): { scene: PageScene; seconds: number }[] {
  if (scene.kind === 'gallery') {
    const { images, ...shared } = scene;
    const seconds = readSecondsOf(scene);
    return images.map((image) => ({ scene: { ...shared, kind: 'image', image }, seconds }));
  }
  const isSplit = scene.seconds === undefined && readSecondsOf(scene) > MAX_PAGE_SECONDS;
  const pages = isSplit ? split(scene) : [scene];
  return pages.map((page) => ({ scene: page, seconds: readSecondsOf(page) }));
}

function split(scene: PageScene): PageScene[] {
  switch (scene.kind) {
    case 'text':
      return grouped(sentencesOf(scene.text), (group) => ({ ...scene, text: joined(group) }));
    case 'quote': {
      const { by, ...unsigned } = scene;
      const pages = grouped(sentencesOf(scene.text), (group) => ({
        ...unsigned,
        text: joined(group),
      }));
      // The name stands below the end of what was said.
      return pages.map((page, at) => (at === pages.length - 1 ? { ...page, by } : page));
    }
    case 'list':
      return grouped(scene.items, (items) => ({ ...scene, items }));
    case 'title':
    case 'image':
    case 'countdown':
      return [scene];
  }
}

function sentencesOf(text: string): string[] {
  return Array.from(sentences.segment(text), ({ segment }) => segment);
}

function joined(group: readonly string[]): string {
  return group.join('').trim();
}

/** As few groups of consecutive parts as keep to the limit, with about the same time each. */
function grouped<Part, S extends PageScene>(
  parts: readonly Part[],
  sceneOf: (group: Part[]) => S,
): S[] {
  const within = (limit: number): S[] => {
    const groups: Part[][] = [];
    for (const part of parts) {
      const last = groups.at(-1);
      if (last && readSecondsOf(sceneOf([...last, part])) <= limit) last.push(part);
      else groups.push([part]);
    }
    return groups.map(sceneOf);
  };
  let pages = within(MAX_PAGE_SECONDS);
  const fewest = pages.length;
  for (let limit = MAX_PAGE_SECONDS - 0.5; limit > 2; limit -= 0.5) {
    const tighter = within(limit);
    if (tighter.length > fewest) break;
    pages = tighter;
  }
  return pages;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
