/** What a pottery sells: a mug, a vase and bowls, on nothing, as shops photograph their goods. */
import type { Canvas } from '@napi-rs/canvas';
import { raymarched, unit, type Scene, type Triple } from './raymarch.ts';
import { cloudy, joined, mix, noise, vessel } from './shapes.ts';

/** A studio: a large soft box at the left, a strip at the right. */
function studio([x, y, z]: Triple): Triple {
  const window = Math.max(0, Math.min(1, (-x - 0.2) * 3)) * Math.max(0, Math.min(1, (y + 0.1) * 3));
  const strip = Math.abs(x - 0.82) < 0.1 && z > -0.6 ? 0.9 : 0;
  const base = 0.34 + 0.34 * y;
  return [base + window * 1.5 + strip, base + window * 1.45 + strip, base + window * 1.35 + strip];
}

const STUDIO = {
  sky: studio,
  light: unit([-0.62, 0.75, 0.5]),
  lightColour: [2.1, 2.0, 1.85],
  ambient: 0.75,
  isCutOut: true,
} as const;

/** Glaze runs down in a wavy line and leaves the foot bare. */
function glazed(glaze: Triple, clay: Triple, line: number) {
  return (x: number, y: number, z: number) => {
    const angle = Math.atan2(z, x);
    const edge = line + 0.07 * Math.sin(angle * 3 + 1) + 0.04 * Math.sin(angle * 7);
    const speckle = noise(x * 46, y * 46, z * 46) > 0.86 ? 0.45 : 1;
    if (y < edge)
      return { colour: mix(clay, [0.2, 0.12, 0.07], cloudy(x * 5, y * 9, z * 5) * 0.5) };
    const pooled = mix(
      glaze,
      [glaze[0] * 0.35, glaze[1] * 0.4, glaze[2] * 0.5],
      (edge + 0.12 - y) * 6,
    );
    const tone = 0.82 + 0.36 * cloudy(x * 3, y * 3, z * 3);
    const colour: Triple = [
      pooled[0] * tone * speckle,
      pooled[1] * tone * speckle,
      pooled[2] * tone * speckle,
    ];
    return { colour, gloss: 0.85 };
  };
}

function mug(x: number, y: number, z: number): number {
  const body = vessel(
    [x, y, z],
    1.3,
    0.035,
    (part) => 0.56 + 0.06 * Math.sin(part * 3) - 0.05 * part ** 4,
  );
  // Half a ring at the right, flattened.
  const [hx, hy] = [(x - 0.6) / 0.85, (y - 0.68) / 1.05];
  const ring = Math.hypot(Math.hypot(hx, hy) - 0.36, z * 0.8) - 0.065;
  const outside = Math.max(ring * 0.85, 0.58 - Math.hypot(x, z));
  return joined(body, outside, 0.08);
}

function vase(x: number, y: number, z: number): number {
  const profile = (p: number) =>
    0.3 +
    0.42 * Math.sin(Math.min(1, p * 1.35) * Math.PI) ** 1.4 * (1 - 0.45 * p) +
    0.1 * p ** 6 -
    0.08 * p;
  return vessel([x, y, z], 2.1, 0.03, profile);
}

function bowls(x: number, y: number, z: number): number {
  const profile = (p: number) => 0.34 + 0.62 * Math.sqrt(p) * (1 - 0.12 * p);
  const under = vessel([x, y, z], 0.62, 0.035, profile);
  const upper = vessel([x * 1.12 - 0.04, (y - 0.3) * 1.12, z * 1.12], 0.62, 0.035, profile) / 1.12;
  return Math.min(under, upper);
}

export function drawMug(): Canvas {
  return raymarched(820, 820, {
    ...STUDIO,
    distance: mug,
    surface: glazed([0.05, 0.2, 0.33], [0.42, 0.25, 0.14], 0.24),
    eye: [0.5, 2.5, 5.2],
    target: [0.16, 0.62, 0],
    lens: 2.55,
  } satisfies Scene);
}

export function drawVase(): Canvas {
  return raymarched(760, 940, {
    ...STUDIO,
    distance: vase,
    surface: glazed([0.62, 0.55, 0.42], [0.36, 0.16, 0.08], 0.5),
    eye: [-0.4, 2.6, 6.2],
    target: [0.05, 0.98, 0],
    lens: 2.35,
  } satisfies Scene);
}

export function drawBowls(): Canvas {
  const inner = glazed([0.16, 0.3, 0.2], [0.42, 0.27, 0.16], 0.1);
  const outer = glazed([0.72, 0.34, 0.16], [0.42, 0.27, 0.16], 0.4);
  return raymarched(900, 720, {
    ...STUDIO,
    distance: bowls,
    surface: (x, y, z) => (y > 0.5 || Math.hypot(x, z) < 0.3 + y ? outer : inner)(x, y, z),
    eye: [0.3, 2.7, 4.6],
    target: [0.06, 0.4, 0],
    lens: 2.6,
  } satisfies Scene);
}
