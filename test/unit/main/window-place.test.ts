import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WindowState } from '../../../src/main/window-state.ts';
import { initialPlacement } from '../../../src/main/window-place.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 815 };
const desk = { x: 1440, y: 0, width: 2560, height: 1400 };
const above = { x: 0, y: -1055, width: 1920, height: 1055 };
const at = (x: number, y: number, width = 1000, height = 700) => ({
  bounds: { x, y, width, height },
  maximized: false,
});

describe('the window opens', () => {
  it('where it was, on any display', () => {
    expect(initialPlacement(at(1600, 100), [laptop, desk])).toEqual(at(1600, 100));
    expect(initialPlacement(at(-20, -900), [laptop, above])).toEqual(at(-20, -900));
    expect(initialPlacement({ ...at(10, 30), maximized: true }, [laptop]).maximized).toBe(true);
  });

  it.each([
    ['the display it was on is gone', at(1600, 100)],
    ['its title bar is above the display', at(100, -40)],
    ['only its edge is left of the display’s right', at(1400, 100)],
    ['its title bar is below the display', at(100, 830)],
  ])('in the middle of the first one when %s', (_why, kept) => {
    expect(initialPlacement(kept, [laptop])).toEqual({
      bounds: { width: 1200, height: 800 },
      maximized: false,
    });
  });

  it('no larger than the display, and no smaller than the minimum of the page', () => {
    expect(initialPlacement(at(0, 25, 5000, 5000), [laptop]).bounds).toMatchObject({
      width: 1440,
      height: 815,
    });
    expect(initialPlacement(at(0, 25, 130, 100), [laptop]).bounds).toMatchObject({
      width: 720,
      height: 480,
    });
    expect(initialPlacement(null, [{ x: 0, y: 0, width: 1024, height: 600 }]).bounds).toEqual({
      width: 1024,
      height: 600,
    });
    expect(initialPlacement(null, []).bounds).toEqual({ width: 1200, height: 800 });
  });
});

describe('the stored window state', () => {
  it('is kept for the next run', () => {
    const file = path.join(temporaryFolder(), 'desktop.json');
    const windowState = new WindowState(file);
    expect(windowState.values).toEqual({ place: null, running: false });
    windowState.update({ place: at(1, 2) });
    expect(new WindowState(file).values).toEqual({ place: at(1, 2), running: false });
  });

  it.each(['', '{', 'null', '{"place":{"bounds":{"x":"left"}}}', '[1]'])(
    'uses the default when the file contains %s',
    (text) => {
      const file = path.join(temporaryFolder(), 'desktop.json');
      writeFileSync(file, text);
      expect(new WindowState(file).values).toEqual({ place: null, running: false });
    },
  );

  it('does not fail the app when it cannot be written', () => {
    const file = path.join(temporaryFolder(), 'desktop.json');
    const windowState = new WindowState(file);
    mkdirSync(`${file}.new`);
    windowState.update({ place: at(1, 2) });
    expect(windowState.values.place).toEqual(at(1, 2));
    expect(() => readFileSync(file)).toThrow();
  });
});
