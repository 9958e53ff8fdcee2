import { easeOut } from '../easing.ts';
import { type Box, type LayoutContext, sizesOf, styleOf, topIn } from '../layout-context.ts';
import type { SceneOf } from '../scene-schema.ts';
import { arriving } from './arrival.ts';
import type { SceneDrawing } from './scene-drawing.ts';

/** How long a numeral takes to appear and to disappear, as a fraction of the time it is shown. */
const ENTER = 0.35;
const EXIT = 0.2;

/** Large numerals that count down to 1 inside a ring, which shortens during each. */
export function countdownScene(
  scene: SceneOf<'countdown'>,
  layout: LayoutContext,
  bounds: Box,
): SceneDrawing {
  const { g, palette, textLayout, look } = layout;
  const text =
    scene.text === undefined
      ? undefined
      : textLayout.fit(scene.text, styleOf(look.type.label, palette.secondaryText), {
          width: bounds.width,
          height: bounds.height * 0.22,
          ...sizesOf(look.type.label, scene.text, layout),
          largest: look.type.label.size * 1.2 * g,
        });
  const gap = 3.2 * g;
  const below = text ? text.height + gap : 0;
  const hasRing = look.countdown === 'ring';
  // Without a ring, a numeral fills the space.
  const [wide, large] = hasRing ? [1.5, 1.2] : [2, 2.1];
  const stroke = Math.max(2, g * 0.9);
  const diameter = Math.min(bounds.width, bounds.height - below, 52 * g);
  const radius = (diameter - stroke) / 2;
  const top = topIn(bounds, diameter + below, layout);
  const centre = { x: bounds.x + bounds.width / 2, y: top + diameter / 2 };
  const numerals = Array.from({ length: scene.from }, (_, i) => {
    const fitted = textLayout.fit(
      String(scene.from - i),
      { ...styleOf({ ...look.type.title, leading: 1 }, palette.text), tracking: -0.04 },
      { width: radius * wide, height: radius * wide, largest: radius * large, smallest: 1 },
    );
    const [sprite] = textLayout.rasterize(
      fitted,
      {
        x: centre.x - fitted.width / 2,
        // Digits are three quarters of an em high, so the middle of their line is their centre.
        y: centre.y - fitted.height / 2,
        width: fitted.width,
        align: 'start',
      },
      layout.safe,
    );
    return sprite;
  });
  const lines =
    text &&
    arriving(
      text,
      { x: bounds.x, y: top + diameter + gap, width: bounds.width, align: 'center' },
      layout,
      0.15,
      'rise',
    );
  return {
    draw(list, moment) {
      const secondsEach = moment.length / scene.from;
      const passed = Math.min(scene.from - 1e-6, Math.max(0, moment.seconds / secondsEach));
      const index = Math.floor(passed);
      const progress = passed - index;
      const appeared = easeOut(moment.entered / 0.6);
      const ring = { ...centre, radius, stroke };
      if (hasRing) {
        list.arc({ ...ring, part: 1 }, palette.hairline, appeared);
        list.arc({ ...ring, part: 1 - progress }, palette.accent, appeared);
      }
      const sprite = numerals[index];
      if (sprite) {
        const last = index === scene.from - 1;
        const entered = easeOut(progress / ENTER);
        // Without a ring, a frame between two numerals would be empty.
        const exited = last || !hasRing ? 0 : Math.max(0, (progress - 1 + EXIT) / EXIT);
        const offset = (1 - entered) * g * 4 - exited * exited * g * 2.4;
        const fresh = hasRing ? Math.min(1, entered * 1.3) : 1;
        const opacity = appeared * fresh * (1 - exited);
        list.image(sprite.canvas, sprite.x, sprite.y + offset, opacity);
      }
      lines?.draw(list, moment);
    },
  };
}
