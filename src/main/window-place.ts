import { z } from 'zod';

const rectangleSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive().max(20_000),
  height: z.int().positive().max(20_000),
});

/** In Electron's device-independent pixels. */
export type Rectangle = z.infer<typeof rectangleSchema>;

/** The window's last bounds and state. */
export const windowPlaceSchema = z.object({ bounds: rectangleSchema, maximized: z.boolean() });

export type WindowPlace = z.infer<typeof windowPlaceSchema>;

export const MIN_SIZE = { width: 720, height: 480 } as const;
const DEFAULT_SIZE = { width: 1200, height: 800 } as const;

/** The part of the title bar, in pixels, that must be on a screen so that the user can drag it. */
const MIN_VISIBLE_TITLE_BAR = { width: 120, height: 32 } as const;

/**
 * Where the window opens: at its stored position if that can be reached on a connected display,
 * otherwise in the middle of the first one (`x` and `y` are left to the system).
 *
 * @param workAreas of the displays, without taskbars and docks; the first one is the main one
 */
export function initialPlacement(
  stored: WindowPlace | null,
  workAreas: readonly Rectangle[],
): { readonly bounds: Partial<Rectangle>; readonly maximized: boolean } {
  const bounds = stored?.bounds;
  const area = bounds && workAreas.find((each) => canBeDragged(bounds, each));
  if (bounds && area) {
    const width = Math.max(MIN_SIZE.width, Math.min(bounds.width, area.width));
    const height = Math.max(MIN_SIZE.height, Math.min(bounds.height, area.height));
    return { bounds: { x: bounds.x, y: bounds.y, width, height }, maximized: stored.maximized };
  }
  const [first = { ...DEFAULT_SIZE, x: 0, y: 0 }] = workAreas;
  return {
    bounds: {
      width: Math.min(DEFAULT_SIZE.width, first.width),
      height: Math.min(DEFAULT_SIZE.height, first.height),
    },
    maximized: stored?.maximized ?? false,
  };
}

/** Whether enough of the title bar is visible to drag the window. */
function canBeDragged(window: Rectangle, area: Rectangle): boolean {
  const visibleWidth =
    Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return (
    visibleWidth >= MIN_VISIBLE_TITLE_BAR.width &&
    window.y >= area.y &&
    window.y + MIN_VISIBLE_TITLE_BAR.height <= area.y + area.height
  );
}
