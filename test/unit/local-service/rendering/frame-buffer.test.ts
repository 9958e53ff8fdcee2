import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import type { DisplayList } from '../../../../src/local-service/rendering/display-list.ts';
import { FrameBuffer } from '../../../../src/local-service/rendering/frame-buffer.ts';
import { YuvPicture } from '../../../../src/local-service/rendering/yuv-picture.ts';

const WHOLE = { x: 0, y: 0, width: 64, height: 48 };

function scene(y: number, clip = WHOLE) {
  return (list: DisplayList) => {
    list.box(WHOLE, '#203040', 1);
    list.clipped(clip, () => list.box({ x: 4, y, width: 20, height: 6 }, '#ffb020', 0.7));
    list.arc({ x: 40, y: 30, radius: 6, stroke: 2, part: 0.6 }, '#fff', 1);
  };
}

const pixels = (buffer: FrameBuffer) => Buffer.from(buffer.canvas.data());

describe('a frame buffer', () => {
  it('reports which part changed, or that none did', () => {
    const buffer = new FrameBuffer(64, 48);
    expect(buffer.show(scene(10))).toEqual(WHOLE);
    expect(buffer.show(scene(10))).toBeUndefined();
    expect(buffer.show(scene(12))).toEqual({ x: 3, y: 9, width: 22, height: 10 });
  });

  it('shows the same picture whatever it showed before', () => {
    const fresh = new FrameBuffer(64, 48);
    fresh.show(scene(17.5));
    const used = new FrameBuffer(64, 48);
    for (const y of [2, 30, 16, 17.25, 17.5]) used.show(scene(y));
    expect(pixels(used).equals(pixels(fresh))).toBe(true);
  });

  it('redraws what a clip uncovers', () => {
    const fresh = new FrameBuffer(64, 48);
    fresh.show(scene(10));
    const used = new FrameBuffer(64, 48);
    used.show(scene(10, { ...WHOLE, width: 9 }));
    used.show(scene(10));
    expect(pixels(used).equals(pixels(fresh))).toBe(true);
  });
});

describe('conversion for the encoder', () => {
  it.each([
    ['#ff0000', [63, 102, 240]],
    ['#00ff00', [173, 42, 26]],
    ['#0000ff', [32, 240, 118]],
    ['#ffffff', [235, 128, 128]],
    ['#000000', [16, 128, 128]],
  ])('turns %s into its BT.709 values', (colour, [luma, cb, cr]) => {
    const canvas = createCanvas(4, 4);
    const context = canvas.getContext('2d');
    context.fillStyle = colour;
    context.fillRect(0, 0, 4, 4);
    const yuv = new YuvPicture(4, 4);
    yuv.update(canvas, { x: 0, y: 0, width: 4, height: 4 });
    const expected = [...Array<unknown>(16).fill(luma), cb, cb, cb, cb, cr, cr, cr, cr];
    expect([...yuv.planes]).toEqual(expected);
  });

  it('keeps what did not change', () => {
    const canvas = createCanvas(6, 6);
    canvas.getContext('2d').fillRect(0, 0, 6, 6);
    const yuv = new YuvPicture(6, 6);
    yuv.update(canvas, { x: 3, y: 3, width: 1, height: 1 });
    const planes = new Uint8Array(54);
    // The pixels that share their chroma with the changed one.
    for (const at of [14, 15, 20, 21]) planes[at] = 16;
    for (const at of [36 + 4, 45 + 4]) planes[at] = 128;
    expect([...yuv.planes]).toEqual([...planes]);
  });

  it('converts parts as it converts the whole', () => {
    const canvas = createCanvas(64, 48);
    const buffer = new FrameBuffer(64, 48);
    const parts = new YuvPicture(64, 48);
    for (const y of [2, 30, 16, 17.25, 17.5]) {
      const changed = buffer.show(scene(y));
      if (changed) parts.update(buffer.canvas, changed);
    }
    canvas.getContext('2d').drawImage(buffer.canvas, 0, 0);
    const whole = new YuvPicture(64, 48);
    whole.update(canvas, WHOLE);
    expect(Buffer.compare(parts.planes, whole.planes)).toBe(0);
  });
});
