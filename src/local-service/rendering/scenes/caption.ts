import { fitCaption, plateOf } from '../captions/caption-plate.ts';
import { linear } from '../easing.ts';
import type { LayoutContext } from '../layout-context.ts';
import type { SceneDrawing } from './scene-drawing.ts';

/** A scene's own subtitle. `height` includes the gap above it. */
export interface Caption extends SceneDrawing {
  height: number;
}

export function captionOf(text: string, layout: LayoutContext): Caption {
  const { canvas, x, y } = plateOf(fitCaption(text, layout, layout.safe.height * 0.24), layout);
  return {
    height: canvas.height + 2.6 * layout.g,
    draw(list, { entered }) {
      list.image(canvas, x, y, linear((entered - 0.35) / 0.3));
    },
  };
}
