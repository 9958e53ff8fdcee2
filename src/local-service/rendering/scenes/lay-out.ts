import type { Box, LayoutContext } from '../layout-context.ts';
import type { Page } from '../pages.ts';
import type { PageScene, SceneOf } from '../scene-schema.ts';
import { captionOf } from './caption.ts';
import { countdownScene } from './countdown-scene.ts';
import { listScene } from './list-scene.ts';
import { quoteScene } from './quote-scene.ts';
import { type SceneDrawing, together } from './scene-drawing.ts';
import { textScene } from './text-scene.ts';
import { titleScene } from './title-scene.ts';

/** Lays out a page within the title-safe area, above its caption if it has one. */
export function layOut(page: Page, layout: LayoutContext): SceneDrawing {
  const { scene } = page;
  const caption = scene.caption === undefined ? undefined : captionOf(scene.caption, layout);
  const bounds = { ...layout.safe, height: layout.safe.height - (caption?.height ?? 0) };
  const content = contentOf(page, layout, bounds);
  if (!caption) return content;
  return {
    draw(list, moment) {
      content.draw(list, moment);
      caption.draw(list, moment);
    },
  };
}

function contentOf(page: Page, layout: LayoutContext, bounds: Box): SceneDrawing {
  const { scene } = page;
  switch (scene.kind) {
    case 'title':
      return titleScene(scene, layout, bounds);
    case 'text':
      return textScene(scene, partsOf(page, 'text'), layout, bounds);
    case 'quote':
      return quoteScene(scene, partsOf(page, 'quote'), layout, bounds);
    case 'list':
      return listScene(scene, partsOf(page, 'list'), layout, bounds);
    case 'countdown':
      return countdownScene(scene, layout, bounds);
    case 'image':
      // Its picture is the ground that it stands on.
      return together([]);
  }
}

function partsOf<Kind extends PageScene['kind']>({ parts }: Page, kind: Kind): SceneOf<Kind>[] {
  return parts.filter((part): part is SceneOf<Kind> => part.kind === kind);
}
