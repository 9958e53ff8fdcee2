import type { Image } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { easeOut } from '../easing.ts';
import type { Box, LayoutContext } from '../layout-context.ts';
import type { SceneDrawing } from './scene-drawing.ts';

/** How far an image that fills the frame zooms in while it is shown. */
const ZOOM = 0.07;
/** An image fills the frame if that crops at most this fraction of it. */
const MAX_CROP = 0.42;

/** An image that fills the frame and slowly zooms in, or a framed one to avoid heavy cropping. */
export function imageScene(image: Image, layout: LayoutContext, bounds: Box): SceneDrawing {
  const cover = Math.max(layout.width / image.width, layout.height / image.height);
  const kept = (layout.width * layout.height) / (image.width * image.height * cover * cover);
  return kept >= 1 - MAX_CROP ? filling(image, layout, cover) : framed(image, layout, bounds);
}

function filling(image: Image, { width, height }: LayoutContext, cover: number): SceneDrawing {
  // Scaled once to its largest size. Frames only scale it down a little.
  const large = createCanvas(Math.ceil(width * (1 + ZOOM)), Math.ceil(height * (1 + ZOOM)));
  const context = large.getContext('2d');
  context.imageSmoothingQuality = 'high';
  const scale = cover * (1 + ZOOM);
  context.drawImage(
    image,
    (large.width - image.width * scale) / 2,
    (large.height - image.height * scale) / 2,
    image.width * scale,
    image.height * scale,
  );
  return {
    draw(list, { seconds, length }) {
      const progress = Math.min(1, Math.max(0, seconds / length));
      const shown = 1 + ZOOM * (1 - progress);
      const w = (large.width * shown) / (1 + ZOOM);
      const h = (large.height * shown) / (1 + ZOOM);
      const source = { x: (large.width - w) / 2, y: (large.height - h) / 2, width: w, height: h };
      list.imagePart(large, source, { x: 0, y: 0, width, height }, 1);
    },
  };
}

function framed(image: Image, { g, palette }: LayoutContext, bounds: Box): SceneDrawing {
  const scale = Math.min(bounds.width / image.width, bounds.height / image.height);
  const width = Math.round(image.width * scale);
  const height = Math.round(image.height * scale);
  const shadow = Math.round(g * 4);
  const card = createCanvas(width + 2 * shadow, height + 2 * shadow);
  const context = card.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.beginPath();
  context.roundRect(shadow, shadow, width, height, g * 1.2);
  context.save();
  context.shadowColor = `rgba(0,0,0,${palette.dark ? 0.55 : 0.28})`;
  context.shadowBlur = g * 3.2;
  context.shadowOffsetY = g;
  context.fillStyle = palette.backgroundLow;
  context.fill();
  context.restore();
  context.clip();
  context.drawImage(image, shadow, shadow, width, height);
  const x = Math.round(bounds.x + (bounds.width - width) / 2 - shadow);
  const y = Math.round(bounds.y + (bounds.height - height) / 2 - shadow);
  return {
    draw(list, moment) {
      const entered = easeOut(moment.entered / 0.6);
      const offset = (1 - entered) * g * 3;
      list.image(card, x, y + offset, entered);
    },
  };
}
