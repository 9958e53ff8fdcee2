import type { Image } from '@napi-rs/canvas';
import type { Box, Stage } from '../stage.ts';
import type { Scene } from '../storyboard.ts';
import { captionOf } from './caption.ts';
import { countdownScene } from './countdown-scene.ts';
import { imageScene } from './image-scene.ts';
import { listScene } from './list-scene.ts';
import { quoteScene } from './quote-scene.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { textScene } from './text-scene.ts';
import { titleScene } from './title-scene.ts';

/**
 * Lays a scene out within the title-safe area, above its caption if it has one.
 *
 * @param image the decoded image of an image scene; not used once this returns
 */
export function layOut(scene: Scene, stage: Stage, image?: Image): SceneDrawing {
  const caption = scene.caption === undefined ? undefined : captionOf(scene.caption, stage);
  const room = { ...stage.safe, height: stage.safe.height - (caption?.height ?? 0) };
  const content = contentOf(scene, stage, room, image);
  if (!caption) return content;
  return {
    draw(painter, moment) {
      content.draw(painter, moment);
      caption.draw(painter, moment);
    },
  };
}

function contentOf(scene: Scene, stage: Stage, room: Box, image?: Image): SceneDrawing {
  switch (scene.kind) {
    case 'title':
      return titleScene(scene, stage, room);
    case 'text':
      return textScene(scene, stage, room);
    case 'quote':
      return quoteScene(scene, stage, room);
    case 'list':
      return listScene(scene, stage, room);
    case 'countdown':
      return countdownScene(scene, stage, room);
    case 'image':
      if (!image) throw new RangeError('An image scene is laid out with its image.');
      return imageScene(image, stage, room);
  }
}
