/** What an estate agent shows: a house at dusk, one at a lake, and a living room. */
import type { Canvas } from '@napi-rs/canvas';
import { raymarched, unit, type Surface, type Triple } from './raymarch.ts';
import { box, cloudy, cylinder, mix, noise } from './shapes.ts';

const PLASTER: Triple = [0.72, 0.69, 0.64];
const FRAME: Triple = [0.03, 0.033, 0.037];
const LAMPLIGHT: Triple = [2.5, 1.3, 0.48];

const ground = (x: number, y: number, z: number) => box(x, y - 0.72, z, [1.9, 0.72, 1], 0.015);
const upper = (x: number, y: number, z: number) =>
  box(x + 0.5, y - 2.08, z - 0.16, [1.75, 0.62, 1.12], 0.015);
const roofs = (x: number, y: number, z: number) =>
  Math.min(
    box(x + 0.5, y - 2.75, z - 0.2, [1.95, 0.05, 1.35], 0.015),
    box(x - 1.5, y - 1.46, z - 0.25, [0.75, 0.045, 1.2], 0.015),
  );
const terrace = (x: number, y: number, z: number) =>
  box(x - 0.4, y - 0.03, z - 1.9, [2.5, 0.06, 1], 0.01);

function house(x: number, y: number, z: number): number {
  const recess = Math.max(Math.abs(x + 0.5) - 1.5, Math.abs(y - 2.1) - 0.44, -(z - 0.95));
  return Math.min(
    ground(x, y, z),
    Math.max(upper(x, y, z), -recess),
    roofs(x, y, z),
    terrace(x, y, z),
  );
}

/** Crowns of leaves on a trunk. */
function tree(x: number, y: number, z: number, size: number): number {
  const far = Math.hypot(x, y - 1.9 * size, z) - 1.25 * size;
  const trunk = cylinder(x, y - 0.6 * size, z, 0.09 * size, 0.8 * size);
  if (far > 0.35) return Math.min(far - 0.15, trunk);
  const leaves = (cloudy(x * 2.2, y * 2.2, z * 2.2, 3) - 0.42) * 1.1 * size;
  return Math.min((far + leaves) * 0.55, trunk);
}

function garden(x: number, y: number, z: number): number {
  const trimmed = box(x, y - 0.35, z + 2.6, [9, 0.5, 0.4], 0.2);
  const hedge = trimmed > 0.4 ? trimmed - 0.2 : trimmed - 0.16 * noise(x * 6, y * 6, z * 6);
  return Math.min(
    tree(x + 4.1, y, z + 0.9, 1.35),
    tree(x - 4.4, y, z + 1.9, 1.6),
    tree(x + 7.4, y, z + 2.6, 1.7),
    hedge * 0.7,
  );
}

/** Dark frames of a row of windows, which are `wide` each. */
function window(x: number, y: number, wide: number, top: number, bottom: number): Surface {
  const in_ = (((x / wide) % 1) + 1) % 1;
  const isFrame = Math.min(in_, 1 - in_) * wide < 0.028 || y > top - 0.04 || y < bottom + 0.04;
  if (isFrame) return { colour: FRAME, gloss: 0.5 };
  const part = (y - bottom) / (top - bottom);
  const curtain = noise(x * 13, 4) > 0.62 ? 0.62 : 1;
  const furniture = part < 0.26 && noise(Math.floor(x * 3.2), 2) > 0.4 ? 0.3 : 1;
  const lamp = 0.5 + 0.7 * Math.exp(-(((in_ - 0.5) * 1.9) ** 2 + ((part - 0.68) * 2) ** 2));
  const strength = lamp * curtain * furniture * 0.62;
  const glow: Triple = [LAMPLIGHT[0] * strength, LAMPLIGHT[1] * strength, LAMPLIGHT[2] * strength];
  return { colour: [0.02, 0.02, 0.02], gloss: 0.8, glow };
}

function houseSurface(x: number, y: number, z: number): Surface {
  if (terrace(x, y, z) < 0.005) {
    const plank = Math.abs((((z * 6) % 1) + 1) % 1) < 0.09 ? 0.4 : 1;
    const spill = 0.5 * Math.exp(-Math.max(0, z - 1) * 1.5) * (Math.abs(x) < 1.9 ? 1 : 0.2);
    return {
      colour: [0.3 * plank, 0.2 * plank, 0.13 * plank],
      glow: [spill * 0.5, spill * 0.24, spill * 0.08],
    };
  }
  if (roofs(x, y, z) < 0.005)
    return { colour: [0.12, 0.12, 0.13], glow: y < 2.72 && y > 2 ? [0.1, 0.055, 0.02] : [0, 0, 0] };
  if (z > 0.985 && y > 0.1 && y < 1.36 && x > -1.45 && x < 1.75)
    return window(x + 1.45, y, 0.8, 1.32, 0.1);
  if (z > 0.9 && z < 1 && y > 1.66 && y < 2.54) return window(x + 2, y, 0.75, 2.5, 1.68);
  if (y > 1.44) {
    const board =
      ((((x + z) * 9) % 1) + 1) % 1 < 0.1 ? 0.45 : 0.85 + 0.3 * noise(Math.floor((x + z) * 9), 1);
    return { colour: [0.36 * board, 0.2 * board, 0.11 * board] };
  }
  return { colour: PLASTER };
}

function leaf(x: number, y: number, z: number): Surface {
  const tone = 0.5 + cloudy(x * 9, y * 9, z * 9);
  return { colour: [0.07 * tone, 0.13 * tone, 0.035 * tone] };
}

/** After sunset: orange at the horizon, blue above, with thin clouds. */
function dusk([x, y, z]: Triple): Triple {
  const up = Math.max(0, y);
  const low = mix([1.35, 0.62, 0.28], [0.5, 0.42, 0.55], up * 5);
  const base = mix(low, [0.09, 0.17, 0.4], up * 2.1);
  const clouds =
    Math.max(0, cloudy((x / (up + 0.16)) * 0.8, (z / (up + 0.16)) * 0.5 + 3, up * 3, 5) - 0.45) *
    2.2;
  return mix(base, [1.2, 0.55, 0.42], clouds * Math.min(1, up * 7) * 0.75);
}

const DUSK = {
  sky: dusk,
  light: unit([-0.75, 0.42, 0.62]),
  lightColour: [0.75, 0.48, 0.34],
  ambient: 0.8,
} as const;

export function drawHouse(): Canvas {
  return raymarched(1280, 900, {
    ...DUSK,
    distance: (x, y, z) => Math.min(house(x, y, z), garden(x, y, z), y),
    surface(x, y, z): Surface {
      if (house(x, y, z) < 0.006) return houseSurface(x, y, z);
      if (y > 0.01) return leaf(x, y, z);
      const blade = 0.55 + 0.5 * noise(x * 55, z * 22) + 0.4 * (cloudy(x * 2, z * 2) - 0.5);
      const spill = 0.22 * Math.exp(-Math.max(0, z - 2.8) * 1.1) * Math.exp(-((x / 2.4) ** 2));
      return {
        colour: [0.09 * blade, 0.15 * blade, 0.035 * blade],
        glow: [spill * 0.4 * blade, spill * 0.24 * blade, spill * 0.05 * blade],
      };
    },
    eye: [3.1, 1.55, 8.4],
    target: [-0.1, 1.45, 0],
    lens: 1.28,
  });
}

export function drawLakeHouse(): Canvas {
  const shore = (x: number, y: number, z: number) => box(x, y + 0.1, z + 4.2, [30, 0.16, 6.6], 0.1);
  const jetty = (x: number, y: number, z: number) =>
    box(x + 2.6, y - 0.12, z - 4, [0.4, 0.04, 2.2], 0.01);
  const hills = (x: number, y: number, z: number) =>
    z > -10
      ? z + 10.5
      : (y - (1.3 + 2.6 * cloudy(x * 0.13 + 2, 3, 0, 3)) * Math.min(1, (-z - 10) / 5)) * 0.5;
  return raymarched(1024, 720, {
    ...DUSK,
    distance: (x, y, z) =>
      Math.min(
        house(x, y - 0.06, z),
        garden(x, y, z),
        shore(x, y, z),
        jetty(x, y, z),
        hills(x, y, z),
        y,
      ),
    surface(x, y, z): Surface {
      if (house(x, y - 0.06, z) < 0.006) return houseSurface(x, y - 0.06, z);
      if (jetty(x, y, z) < 0.006) return { colour: [0.24, 0.17, 0.12] };
      if (y < 0.008) {
        return { colour: [0.012, 0.02, 0.03], gloss: 2.1 + 0.9 * (noise(x * 2.2, z * 11) - 0.5) };
      }
      if (shore(x, y, z) < 0.01) {
        const blade = 0.5 + 0.7 * noise(x * 40, z * 20);
        return { colour: [0.09 * blade, 0.14 * blade, 0.04 * blade] };
      }
      if (z < -10) return { colour: [0.06, 0.08, 0.11], glow: [0.09, 0.075, 0.11] };
      return leaf(x, y, z);
    },
    eye: [1.6, 1.35, 10.4],
    target: [-0.2, 1.15, 0],
    lens: 1.38,
  });
}

export function drawRoom(): Canvas {
  const walls = (x: number, y: number, z: number) => {
    const opening = Math.max(Math.abs(x + 0.5) - 1.75, Math.abs(y - 1.5) - 1.2);
    const back = Math.max(box(x, y - 1.6, z + 3.1, [3.7, 1.8, 0.1]), -opening);
    // Open towards the viewer, and to the light behind the window.
    const sides = box(Math.abs(x) - 3.7, y - 1.6, z - 2.4, [0.1, 1.8, 5.6]);
    return Math.min(back, sides, box(x, y - 3.3, z - 2.4, [3.8, 0.1, 5.6]));
  };
  const bars = (x: number, y: number, z: number) =>
    Math.min(
      box(x + 0.5, y - 1.5, z + 3.08, [0.03, 1.2, 0.04]),
      Math.max(
        box(x + 0.5, y - 1.5, z + 3.05, [1.78, 1.23, 0.06]),
        -box(x + 0.5, y - 1.5, z + 3.05, [1.7, 1.15, 0.4]),
      ),
    );
  const sofa = (x: number, y: number, z: number) =>
    Math.min(
      box(x - 1.9, y - 0.32, z + 1.4, [1.3, 0.2, 0.52], 0.1),
      box(x - 1.9, y - 0.62, z + 1.82, [1.3, 0.42, 0.16], 0.12),
      box(x - 0.58, y - 0.46, z + 1.4, [0.15, 0.32, 0.52], 0.1),
    );
  const cushion = (x: number, y: number, z: number) =>
    box(
      (x - 1.2) * 0.92 + (y - 0.74) * 0.38,
      (y - 0.74) * 0.92 - (x - 1.2) * 0.38,
      z + 1.56,
      [0.25, 0.25, 0.1],
      0.1,
    );
  const rug = (x: number, y: number, z: number) =>
    cylinder((x - 0.5) * 0.75, y - 0.012, z + 0.5, 1.2, 0.015, 0.01);
  const table = (x: number, y: number, z: number) =>
    Math.min(
      cylinder(x - 0.5, y - 0.42, z + 0.4, 0.52, 0.03, 0.02),
      cylinder(x - 0.5, y - 0.2, z + 0.4, 0.16, 0.22),
    );
  const lamp = (x: number, y: number, z: number) =>
    cylinder(x - 0.5, y - 2.25, z + 0.6, 0.26 + (2.35 - y) * 0.5, 0.17, 0.02) * 0.8;
  const cord = (x: number, y: number, z: number) => cylinder(x - 0.5, y - 2.9, z + 0.6, 0.01, 0.5);
  const pot = (x: number, y: number, z: number) =>
    cylinder(x + 2.75, y - 0.25, z + 2.2, 0.27 + (y - 0.25) * 0.2, 0.27, 0.03) * 0.9;
  const plant = (x: number, y: number, z: number) => {
    const far = Math.hypot((x + 2.75) * 1.15, y - 1.25, (z + 2.2) * 1.15) - 0.75;
    return far > 0.3 ? far : (far + (noise(x * 6, y * 6, z * 6) - 0.36) * 0.9) * 0.4;
  };
  return raymarched(1024, 720, {
    distance: (x, y, z) =>
      Math.min(
        y,
        walls(x, y, z),
        bars(x, y, z),
        sofa(x, y, z),
        cushion(x, y, z),
        rug(x, y, z),
        table(x, y, z),
        lamp(x, y, z),
        cord(x, y, z),
        pot(x, y, z),
        plant(x, y, z),
      ),
    surface(x, y, z): Surface {
      if (lamp(x, y, z) < 0.01) return { colour: [0.8, 0.7, 0.5], glow: [1.5, 1.0, 0.5] };
      if (cord(x, y, z) < 0.01 || bars(x, y, z) < 0.01) return { colour: FRAME };
      if (cushion(x, y, z) < 0.01) return { colour: [0.72, 0.34, 0.12] };
      if (sofa(x, y, z) < 0.01) {
        const weave = 0.85 + 0.3 * noise(x * 70, y * 70, z * 70);
        return { colour: [0.13 * weave, 0.22 * weave, 0.23 * weave] };
      }
      if (table(x, y, z) < 0.01) return { colour: [0.42, 0.26, 0.15], gloss: 0.35 };
      if (pot(x, y, z) < 0.01) return { colour: [0.66, 0.58, 0.5], gloss: 0.3 };
      if (plant(x, y, z) < 0.02) {
        const tone = 0.6 + noise(x * 9, y * 9, z * 9);
        return { colour: [0.06 * tone, 0.17 * tone, 0.06 * tone], gloss: 0.2 };
      }
      if (rug(x, y, z) < 0.01) {
        const line =
          Math.abs(((((Math.hypot((x - 0.5) * 0.75, z + 0.5) * 7) % 1) + 1) % 1) - 0.5) < 0.1
            ? 0.82
            : 1;
        return { colour: [0.74 * line, 0.68 * line, 0.58 * line] };
      }
      if (y < 0.01) {
        const board = Math.floor(x * 3.2);
        const joint = (((x * 3.2) % 1) + 1) % 1 < 0.02 ? 0.5 : 1;
        const tone =
          joint * (0.72 + 0.3 * noise(board, 3) + 0.25 * (cloudy(x * 22, z * 1.2, board) - 0.5));
        return { colour: [0.5 * tone, 0.33 * tone, 0.19 * tone], gloss: 0.5 };
      }
      return { colour: [0.78, 0.75, 0.7] };
    },
    sky([x, y, z]) {
      if (z > -0.3) return [0.62, 0.54, 0.45];
      const up = y + 0.05;
      const trees = up < 0.09 + 0.14 * cloudy(x * 9, 3, 1, 4);
      if (trees) {
        const tone = 0.6 + cloudy(x * 40, y * 40, 2, 3);
        return [0.28 * tone, 0.4 * tone, 0.18 * tone];
      }
      return mix([1.5, 1.45, 1.3], [0.75, 1.05, 1.5], up * 2);
    },
    eye: [-0.5, 1.45, 4.6],
    target: [0.05, 1.2, -1],
    lens: 0.92,
    light: unit([-0.42, 0.55, -0.72]),
    lightColour: [3.2, 2.7, 2.1],
    ambient: 0.62,
  });
}
