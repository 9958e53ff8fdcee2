import { z } from 'zod';

const rectangleSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive().max(20_000),
  height: z.int().positive().max(20_000),
});

/** In the screen's own units, as Electron counts them. */
export type Rectangle = z.infer<typeof rectangleSchema>;

/** Where the window was when it was last seen. */
export const windowPlaceSchema = z.object({ bounds: rectangleSchema, maximized: z.boolean() });

export type WindowPlace = z.infer<typeof windowPlaceSchema>;

export const SMALLEST = { width: 720, height: 480 } as const;
const USUAL = { width: 1200, height: 800 } as const;

/** Of a title bar, so much must lie on a screen that one can take hold of it. */
const GRIP = { width: 120, height: 32 } as const;

/**
 * Where the window opens: where it was, if it can be reached there on one of the displays that are
 * connected now, else in the middle of the first one (`x` and `y` are left to the system).
 *
 * @param workAreas of the displays, without taskbars and docks; the first one is the main one
 */
export function placeFor(
  kept: WindowPlace | null,
  workAreas: readonly Rectangle[],
): { readonly bounds: Partial<Rectangle>; readonly maximized: boolean } {
  const bounds = kept?.bounds;
  const area = bounds && workAreas.find((each) => canBeHeld(bounds, each));
  if (bounds && area) {
    const width = Math.max(SMALLEST.width, Math.min(bounds.width, area.width));
    const height = Math.max(SMALLEST.height, Math.min(bounds.height, area.height));
    return { bounds: { x: bounds.x, y: bounds.y, width, height }, maximized: kept.maximized };
  }
  const [first = { ...USUAL, x: 0, y: 0 }] = workAreas;
  return {
    bounds: {
      width: Math.min(USUAL.width, first.width),
      height: Math.min(USUAL.height, first.height),
    },
    maximized: kept?.maximized ?? false,
  };
}

/** The bar at the top of a window is what one drags it by. */
function canBeHeld(window: Rectangle, area: Rectangle): boolean {
  const seen = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return seen >= GRIP.width && window.y >= area.y && window.y + GRIP.height <= area.y + area.height;
}
