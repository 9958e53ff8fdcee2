/** What a teacher shows: the half-lit moon, a lever in balance and a cake in eighths. */
import type { Canvas } from '@napi-rs/canvas';
import { raymarched, unit, type Surface, type Triple } from './raymarch.ts';
import { box, cloudy, cylinder, mix, noise } from './shapes.ts';

/** Bowls of many sizes, from directions that are spread evenly. */
const CRATERS = Array.from({ length: 90 }, (_, i) => {
  const y = 1 - (2 * i + 1) / 90;
  const angle = i * 2.39996 + Math.sin(i * 12.9) * 0.5;
  const across = Math.sqrt(1 - y * y);
  const size = 0.03 + 0.16 * (0.5 + 0.5 * Math.sin(i * 78.233)) ** 4;
  return { at: [across * Math.cos(angle), y, across * Math.sin(angle)] as const, size };
});

function moonHeight(x: number, y: number, z: number): number {
  let height = (cloudy(x * 7, y * 7, z * 7, 3) - 0.5) * 0.022;
  for (const { at, size } of CRATERS) {
    const far = Math.hypot(x - at[0], y - at[1], z - at[2]) / size;
    if (far > 1.5) continue;
    const rim = Math.exp(-(((far - 1) / 0.17) ** 2)) * 0.1;
    height += size * (rim - 0.11 * Math.max(0, 1 - far * far));
  }
  return height;
}

export function drawMoon(): Canvas {
  return raymarched(960, 720, {
    distance(x, y, z) {
      const far = Math.hypot(x, y, z);
      const near = far - 1;
      return near > 0.05 ? near - 0.025 : (near - moonHeight(x / far, y / far, z / far)) * 0.7;
    },
    surface(x, y, z) {
      const sea = cloudy(x * 1.5 + 3, y * 1.5, z * 1.5, 5);
      const colour = mix([0.5, 0.49, 0.47], [0.17, 0.17, 0.19], (sea - 0.42) * 7);
      return { colour };
    },
    sky([x, y]) {
      const star = noise(x * 210, y * 210) > 0.972 ? 0.9 * noise(x * 23, y * 19) ** 2 : 0;
      const haze = 0.012 + 0.035 * cloudy(x * 2.4 + 5, y * 3.4);
      return [haze * 0.5 + star, haze * 0.62 + star, haze * 1.5 + star];
    },
    eye: [0, 0, 5],
    target: [0, 0, 0],
    lens: 1.72,
    light: unit([0.93, 0.16, 0.26]),
    lightColour: [2.9, 2.75, 2.5],
    ambient: 0.22,
  });
}

/** A table before a wall, in warm light. */
function classroom(wall: Triple) {
  return ([x, y]: Triple): Triple => {
    const glow = Math.exp(-((x + 0.15) ** 2 * 3 + (y - 0.15) ** 2 * 4));
    return [wall[0] * (0.5 + glow), wall[1] * (0.5 + glow), wall[2] * (0.5 + glow)];
  };
}

function wood(x: number, z: number, tone: Triple): Triple {
  const grain = cloudy(x * 0.9, z * 14, 3, 4);
  return mix(tone, [tone[0] * 0.5, tone[1] * 0.42, tone[2] * 0.36], (grain - 0.3) * 1.5);
}

export function drawLever(): Canvas {
  const plank = (x: number, y: number, z: number) => box(x, y - 0.93, z, [2.1, 0.06, 0.34], 0.03);
  const wedge = (x: number, y: number, z: number) => {
    const slope = Math.max(0.78 * Math.abs(x + 0.7) + 0.5 * (y - 0.87), -y, Math.abs(z) - 0.4);
    return slope * 0.9 - 0.02;
  };
  const heavy = (x: number, y: number, z: number) =>
    box(x + 1.62, y - 1.39, z, [0.4, 0.4, 0.32], 0.06);
  const light = (x: number, y: number, z: number) => Math.hypot(x - 1.7, y - 1.24, z) - 0.25;
  const table = (y: number) => y;
  return raymarched(960, 720, {
    distance: (x, y, z) =>
      Math.min(plank(x, y, z), wedge(x, y, z), heavy(x, y, z), light(x, y, z), table(y), z + 4),
    surface(x, y, z): Surface {
      if (z < -3.99) return { colour: [0.16, 0.36, 0.32] };
      if (y < 0.01) return { colour: wood(x, z, [0.4, 0.23, 0.12]), gloss: 0.18 };
      if (light(x, y, z) < 0.01) return { colour: [0.86, 0.42, 0.05], gloss: 0.75 };
      if (heavy(x, y, z) < 0.01) return { colour: [0.06, 0.2, 0.33], gloss: 0.5 };
      if (wedge(x, y, z) < 0.01) return { colour: [0.7, 0.14, 0.08], gloss: 0.45 };
      return { colour: wood(x * 1.5 + 4, z * 0.6 + y, [0.78, 0.55, 0.31]), gloss: 0.25 };
    },
    sky: classroom([0.23, 0.47, 0.42]),
    eye: [0.5, 2.0, 6.8],
    target: [0, 0.82, 0],
    lens: 1.5,
    light: unit([-0.55, 0.85, 0.62]),
    lightColour: [1.9, 1.65, 1.35],
    ambient: 0.8,
  });
}

export function drawCake(): Canvas {
  const eighth = Math.PI / 4;
  // Two of the eight pieces are gone: the gap opens to the viewer's right.
  const cut = (x: number, z: number) => {
    const side = (angle: number) => x * Math.sin(angle) - z * Math.cos(angle);
    return Math.max(side(0.12), -side(0.12 + 2 * eighth));
  };
  const cake = (x: number, y: number, z: number) =>
    Math.max(cylinder(x, y - 0.53, z, 1.35, 0.42, 0.09), -cut(x, z));
  const plate = (x: number, y: number, z: number) => cylinder(x, y - 0.06, z, 1.85, 0.05, 0.045);
  const berries = (x: number, y: number, z: number) => {
    let near = 9;
    for (let i = 2; i < 8; i++) {
      const angle = 0.12 + (i + 0.5) * eighth;
      near = Math.min(
        near,
        Math.hypot(x - Math.cos(angle) * 1.02, y - 1.04, z - Math.sin(angle) * 1.02) - 0.15,
      );
    }
    return near;
  };
  return raymarched(960, 720, {
    distance: (x, y, z) => Math.min(cake(x, y, z), plate(x, y, z), berries(x, y, z), y),
    surface(x, y, z): Surface {
      if (berries(x, y, z) < 0.01) return { colour: [0.62, 0.03, 0.05], gloss: 0.9 };
      const r = Math.hypot(x, z);
      if (cake(x, y, z) < 0.01) {
        const inside = r < 1.33 && y < 0.93;
        if (!inside) {
          // Cuts between the pieces that are left.
          const turned = ((((Math.atan2(z, x) - 0.12) / eighth) % 1) + 1) % 1;
          const isCut = Math.min(turned, 1 - turned) * eighth * r < 0.014;
          return { colour: isCut ? [0.32, 0.16, 0.1] : [0.9, 0.78, 0.66], gloss: 0.35 };
        }
        const isCream = Math.abs(y - 0.4) < 0.035 || Math.abs(y - 0.68) < 0.035;
        const crumb = 0.75 + 0.5 * cloudy(x * 22, y * 22, z * 22, 3);
        return isCream
          ? { colour: [0.92, 0.82, 0.74] }
          : { colour: [0.5 * crumb, 0.24 * crumb, 0.1 * crumb] };
      }
      if (y > 0.01) return { colour: [0.82, 0.86, 0.88], gloss: 0.7 };
      return { colour: wood(x * 0.8, z * 0.8, [0.34, 0.2, 0.13]), gloss: 0.2 };
    },
    sky: classroom([0.5, 0.3, 0.26]),
    eye: [0.9, 3.5, 5.4],
    target: [0, 0.42, 0],
    lens: 1.62,
    light: unit([-0.65, 0.8, 0.28]),
    lightColour: [2.2, 2.0, 1.75],
    ambient: 1.0,
  });
}
