/** Distances to simple shapes, and noise, for raymarch.ts. */
import type { Triple } from './raymarch.ts';

/** @param round radius of its edges */
export function box(x: number, y: number, z: number, half: Triple, round = 0): number {
  const dx = Math.abs(x) - half[0] + round;
  const dy = Math.abs(y) - half[1] + round;
  const dz = Math.abs(z) - half[2] + round;
  const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
  return outside + Math.min(0, Math.max(dx, dy, dz)) - round;
}

/** Upright, around the origin. @param half half its height */
export function cylinder(x: number, y: number, z: number, radius: number, half: number, round = 0) {
  const dr = Math.hypot(x, z) - radius + round;
  const dy = Math.abs(y) - half + round;
  return Math.hypot(Math.max(dr, 0), Math.max(dy, 0)) + Math.min(0, Math.max(dr, dy)) - round;
}

/** Both shapes, joined smoothly. */
export function joined(one: number, other: number, by: number): number {
  const part = Math.max(by - Math.abs(one - other), 0) / by;
  return Math.min(one, other) - part * part * by * 0.25;
}

/** A hollow body of revolution. @param radiusAt by height, 0–1 */
export function vessel(
  [x, y, z]: Triple,
  height: number,
  wall: number,
  radiusAt: (part: number) => number,
): number {
  const part = Math.min(1, Math.max(0, y / height));
  const radius = radiusAt(part);
  const r = Math.hypot(x, z);
  const shell = Math.abs(r - radius) - wall;
  const sides = Math.hypot(Math.max(shell, 0), Math.max(0, y - height, -y)) + Math.min(shell, 0);
  const floor = cylinder(x, y - wall, z, radiusAt(0), wall, wall * 0.6);
  return joined(sides * 0.72, floor, wall) - 0.008;
}

/** The same for the same place: 0–1. */
function chance(x: number, y: number, z: number): number {
  const value = Math.sin(x * 127.1 + y * 311.7 + z * 74.7) * 43758.5453;
  return value - Math.floor(value);
}

/** Smooth noise: 0–1. */
export function noise(x: number, y: number, z = 0): number {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [u, v, w] = [ease(x - i), ease(y - j), ease(z - k)];
  const row = (dy: number, dz: number) =>
    chance(i, j + dy, k + dz) * (1 - u) + chance(i + 1, j + dy, k + dz) * u;
  return (
    (row(0, 0) * (1 - v) + row(1, 0) * v) * (1 - w) + (row(0, 1) * (1 - v) + row(1, 1) * v) * w
  );
}

/** Noise of several sizes: 0–1. */
export function cloudy(x: number, y: number, z = 0, octaves = 4): number {
  let [sum, weight] = [0, 0.5];
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x * 2 ** i + i * 7.3, y * 2 ** i, z * 2 ** i);
    weight /= 2;
  }
  return sum;
}

function ease(t: number): number {
  return t * t * (3 - 2 * t);
}

export function mix(one: Triple, other: Triple, part: number): Triple {
  const t = Math.min(1, Math.max(0, part));
  return [
    one[0] + (other[0] - one[0]) * t,
    one[1] + (other[1] - one[1]) * t,
    one[2] + (other[2] - one[2]) * t,
  ];
}
