import type { Image } from '@napi-rs/canvas';
import type { Box, LayoutContext } from '../layout-context.ts';
import type { Page } from '../pages.ts';
import type { Scene, SceneOf } from '../scene-schema.ts';
import { captionOf } from './caption.ts';
import { countdownScene } from './countdown-scene.ts';
import { imageScene } from './image-scene.ts';
import { listScene } from './list-scene.ts';
import { quoteScene } from './quote-scene.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { textScene } from './text-scene.ts';
import { titleScene } from './title-scene.ts';

/**
 * Lays out a page within the title-safe area, above its caption if it has one.
 *
 * @param image the decoded image of an image scene; not used once this returns
 */
export function layOut(page: Page, layout: LayoutContext, image?: Image): SceneDrawing {
  const { scene } = page;
  const caption = scene.caption === undefined ? undefined : captionOf(scene.caption, layout);
  const bounds = { ...layout.safe, height: layout.safe.height - (caption?.height ?? 0) };
  const content = contentOf(page, layout, bounds, image);
  if (!caption) return content;
  return {
    draw(list, moment) {
      content.draw(list, moment);
      caption.draw(list, moment);
    },
  };
}

function contentOf(page: Page, layout: LayoutContext, bounds: Box, image?: Image): SceneDrawing {
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
      if (!image) throw new RangeError('An image scene is laid out with its image.');
      return imageScene(image, layout, bounds);
  }
}

function partsOf<Kind extends Scene['kind']>({ parts }: Page, kind: Kind): SceneOf<Kind>[] {
  return parts.filter((part): part is SceneOf<Kind> => part.kind === kind);
}
