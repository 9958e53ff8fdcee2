/** Draws objects that are described by distances, with light, soft shadows and reflections. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';

/** Linear light, red, green and blue, or a direction or position: x right, y up, z to the viewer. */
export type Triple = readonly [number, number, number];

export interface Surface {
  readonly colour: Triple;
  /** 0 is paper, 1 a mirror-like glaze. */
  readonly gloss?: number;
  /** Light that it gives by itself. */
  readonly glow?: Triple;
}

export interface Scene {
  /** From a point to the nearest surface; negative inside. */
  distance(x: number, y: number, z: number): number;
  surface(x: number, y: number, z: number): Surface;
  /** Seen in a direction where nothing is, and reflected. */
  sky(direction: Triple): Triple;
  readonly eye: Triple;
  readonly target: Triple;
  /** Length of the lens, in heights of the picture. */
  readonly lens: number;
  /** Direction to the light. */
  readonly light: Triple;
  readonly lightColour: Triple;
  /** Light from everywhere, as a part of the sky's. */
  readonly ambient: number;
  /** Whether only the objects are drawn, with their shadow on the plane y = 0. */
  readonly isCutOut?: boolean;
}

const STEPS = 90;
const FAR = 40;
const HIT = 0.0008;
/** Pixels that differ from a neighbour by this much are drawn again, four times as fine. */
const EDGE = 36;

/** @returns the drawn scene; the same one gives the same picture */
export function raymarched(width: number, height: number, scene: Scene): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const picture = context.createImageData(width, height);
  const { data } = picture;
  const camera = cameraOf(scene);
  const colourAt = (x: number, y: number) =>
    toBytes(seen(scene, scene.eye, camera((x - width / 2) / height, (height / 2 - y) / height)));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt(x + 0.5, y + 0.5), (y * width + x) * 4);
  }
  const rough = new Uint8ClampedArray(data);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = (y * width + x) * 4;
      if (![-4, 4, -width * 4, width * 4].some((to) => differs(rough, at, at + to))) continue;
      const parts = [
        [0.25, 0.25],
        [0.75, 0.25],
        [0.25, 0.75],
        [0.75, 0.75],
      ].map(([dx = 0, dy = 0]) => colourAt(x + dx, y + dy));
      data.set(meanOf(parts), at);
    }
  }
  context.putImageData(picture, 0, 0);
  return canvas;
}

function cameraOf({ eye, target, lens }: Scene): (x: number, y: number) => Triple {
  const ahead = unit(minus(target, eye));
  const right = unit(cross(ahead, [0, 1, 0]));
  const up = cross(right, ahead);
  return (x, y) =>
    unit([
      ahead[0] * lens + right[0] * x + up[0] * y,
      ahead[1] * lens + right[1] * x + up[1] * y,
      ahead[2] * lens + right[2] * x + up[2] * y,
    ]);
}

/** @returns linear light and opacity */
function seen(scene: Scene, from: Triple, towards: Triple): readonly [...Triple, number] {
  const far = march(scene, from, towards);
  if (far < FAR) return [...lit(scene, along(from, towards, far), towards, 1), 1];
  if (scene.isCutOut !== true) return [...scene.sky(towards), 1];
  if (towards[1] >= 0) return [0, 0, 0, 0];
  const ground = along(from, towards, -from[1] / towards[1]);
  const open = Math.min(
    0.35 + 0.65 * shadow(scene, [ground[0], 0.002, ground[2]], 9),
    occlusion(scene, ground, [0, 1, 0]),
  );
  // Ends before the edge of the picture does.
  const inside = 1 - Math.max(0, Math.min(1, (Math.hypot(ground[0], ground[2]) - 0.7) / 0.75));
  return [0.004, 0.003, 0.003, 0.6 * (1 - open) * inside ** 1.5];
}

function march(scene: Scene, from: Triple, towards: Triple): number {
  let far = 0.01;
  for (let step = 0; step < STEPS && far < FAR; step++) {
    const [x, y, z] = along(from, towards, far);
    const near = scene.distance(x, y, z);
    if (near < HIT * (1 + far * 0.3)) return far;
    far += near * 0.9;
  }
  return far < FAR ? FAR + 1 : far;
}

function lit(scene: Scene, at: Triple, towards: Triple, bounces: number): Triple {
  const { colour, gloss = 0, glow = [0, 0, 0] } = scene.surface(...at);
  const normal = normalAt(scene, at);
  const start = along(at, normal, 0.004);
  const facing = Math.max(0, dot(normal, scene.light));
  const light = facing > 0 ? facing * shadow(scene, start, 14) : 0;
  const open = occlusion(scene, at, normal);
  const above = scene.sky([normal[0] * 0.6, Math.abs(normal[1]) * 0.6 + 0.3, normal[2] * 0.6]);
  const mirrored = along(towards, normal, -2 * dot(towards, normal));
  const fresnel = gloss * (0.04 + 0.8 * (1 - Math.max(0, -dot(towards, normal))) ** 5);
  const shine = gloss * light * Math.max(0, dot(mirrored, scene.light)) ** (12 + 180 * gloss);
  let reflected: Triple = [0, 0, 0];
  if (fresnel > 0.01 && bounces > 0) {
    const far = march(scene, start, mirrored);
    reflected =
      far < FAR ? lit(scene, along(start, mirrored, far), mirrored, 0) : scene.sky(mirrored);
  }
  return mapped(
    (i) =>
      colour[i] * (light * scene.lightColour[i] + open * scene.ambient * above[i]) +
      fresnel * open * reflected[i] +
      shine * scene.lightColour[i] +
      glow[i],
  );
}

/** @returns how much of the light arrives: 0–1 */
function shadow(scene: Scene, from: Triple, hardness: number): number {
  let open = 1;
  for (let far = 0.02, step = 0; far < 9 && step < 30; step++) {
    const near = scene.distance(...along(from, scene.light, far));
    if (near < 0.0006) return 0;
    open = Math.min(open, (hardness * near) / far);
    far += Math.min(0.4, Math.max(0.015, near));
  }
  return open;
}

/** @returns how much of the sky is seen: 0–1 */
function occlusion(scene: Scene, at: Triple, normal: Triple): number {
  let [hidden, weight] = [0, 1];
  for (const far of [0.03, 0.09, 0.2, 0.4]) {
    hidden += weight * Math.max(0, far - scene.distance(...along(at, normal, far)));
    weight *= 0.62;
  }
  return Math.max(0.08, 1 - 2.1 * hidden);
}

function normalAt(scene: Scene, [x, y, z]: Triple): Triple {
  const by = 0.0006;
  return unit([
    scene.distance(x + by, y, z) - scene.distance(x - by, y, z),
    scene.distance(x, y + by, z) - scene.distance(x, y - by, z),
    scene.distance(x, y, z + by) - scene.distance(x, y, z - by),
  ]);
}

/** Film-like: bright light keeps its colour and does not clip. */
function toBytes([r, g, b, alpha]: readonly [...Triple, number]): Uint8ClampedArray {
  const byte = (v: number) =>
    255 * ((v * (2.51 * v + 0.03)) / (v * (2.43 * v + 0.59) + 0.14)) ** 0.4545;
  return Uint8ClampedArray.of(byte(r), byte(g), byte(b), alpha * 255);
}

function differs(data: Uint8ClampedArray, one: number, other: number): boolean {
  for (let i = 0; i < 4; i++) {
    if (Math.abs((data[one + i] ?? 0) - (data[other + i] ?? 0)) > EDGE) return true;
  }
  return false;
}

/** Weighted by opacity. */
function meanOf(pixels: readonly Uint8ClampedArray[]): number[] {
  const alpha = pixels.reduce((sum, pixel) => sum + (pixel[3] ?? 0), 0);
  const part = (i: number) =>
    pixels.reduce((sum, pixel) => sum + (pixel[i] ?? 0) * (pixel[3] ?? 0), 0) / Math.max(1, alpha);
  return [part(0), part(1), part(2), alpha / pixels.length];
}

function mapped(of: (i: 0 | 1 | 2) => number): Triple {
  return [of(0), of(1), of(2)];
}

export function along(from: Triple, towards: Triple, far: number): Triple {
  return [from[0] + towards[0] * far, from[1] + towards[1] * far, from[2] + towards[2] * far];
}

export function unit([x, y, z]: Triple): Triple {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

function minus(one: Triple, other: Triple): Triple {
  return along(one, other, -1);
}

function dot(one: Triple, other: Triple): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function cross(one: Triple, other: Triple): Triple {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}
