import { easeOut } from '../easing.ts';
import type { Box, LayoutContext } from '../layout-context.ts';
import type { SceneOf } from '../storyboard.ts';
import type { SceneDrawing } from './scene-drawing.ts';
import { RisingLines } from './scene-drawing.ts';

/** How long a numeral takes to come and to go, as a part of its turn. */
const COMING = 0.35;
const GOING = 0.2;

/** Large numerals that count down to 1 while a ring runs out around them. */
export function countdownScene(
  scene: SceneOf<'countdown'>,
  layout: LayoutContext,
  room: Box,
): SceneDrawing {
  const { unit, palette, textLayout } = layout;
  const text =
    scene.text === undefined
      ? undefined
      : textLayout.fit(
          scene.text,
          { face: 'text', weight: 500, colour: palette.quiet, leading: 1.3 },
          { width: room.width, height: room.height * 0.22, largest: 5 * unit, smallest: 3 * unit },
        );
  const gap = 4 * unit;
  const below = text ? text.height + gap : 0;
  const stroke = Math.max(2, unit * 1.1);
  const diameter = Math.min(room.width, room.height - below, 66 * unit);
  const radius = (diameter - stroke) / 2;
  const top = room.y + (room.height - diameter - below) / 2;
  const centre = { x: room.x + room.width / 2, y: top + diameter / 2 };
  const numerals = Array.from({ length: scene.from }, (_, i) => {
    const set = textLayout.fit(
      String(scene.from - i),
      { face: 'display', weight: 700, colour: palette.text, leading: 1, tracking: -0.04 },
      { width: radius * 1.5, height: radius * 1.5, largest: radius * 1.2, smallest: 1 },
    );
    const [sprite] = textLayout.rasterize(
      set,
      {
        x: centre.x - set.width / 2,
        // Digits reach from the baseline to three quarters of an em: their middle is the centre.
        y: centre.y - set.height / 2,
        width: set.width,
        align: 'start',
      },
      layout.safe,
    );
    return sprite;
  });
  const lines =
    text &&
    new RisingLines(
      textLayout.rasterize(
        text,
        { x: room.x, y: top + diameter + gap, width: room.width, align: 'center' },
        layout.safe,
      ),
      { delay: 0.15, distance: text.size * 0.6 },
    );
  return {
    draw(list, moment) {
      const turn = moment.length / scene.from;
      const passed = Math.min(scene.from - 1e-6, Math.max(0, moment.seconds / turn));
      const index = Math.floor(passed);
      const within = passed - index;
      const appeared = easeOut(moment.seconds / 0.6) * moment.exitOpacity;
      const ring = { ...centre, radius, stroke };
      list.arc({ ...ring, part: 1 }, palette.hairline, appeared);
      list.arc({ ...ring, part: 1 - within }, palette.accent, appeared);
      const sprite = numerals[index];
      if (sprite) {
        const last = index === scene.from - 1;
        const come = easeOut(within / COMING);
        const go = last ? 0 : Math.max(0, (within - 1 + GOING) / GOING);
        const offset = (1 - come) * unit * 5 - go * go * unit * 3;
        const opacity = appeared * Math.min(1, come * 1.3) * (1 - go);
        list.image(sprite.canvas, sprite.x, sprite.y + offset, opacity);
      }
      lines?.draw(list, moment);
    },
  };
}
