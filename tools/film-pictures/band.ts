/** What a band shows: the stage from the crowd, its record, and a loudspeaker in coloured light. */
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { raymarched, unit, type Surface } from './raymarch.ts';
import { box, cloudy, cylinder, noise } from './shapes.ts';

export function drawShow(): Canvas {
  const [width, height] = [1280, 853];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const back = context.createRadialGradient(640, 470, 40, 640, 470, 800);
  back.addColorStop(0, '#c22a6c');
  back.addColorStop(0.3, '#521243');
  back.addColorStop(1, '#05030a');
  context.fillStyle = back;
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'lighter';
  for (let i = 0; i < 9; i++)
    beam(context, 120 + i * 130, -20, (i - 4) * 105 + Math.sin(i * 5) * 120, i);
  smoke(context, width, height);
  for (let i = 0; i < 9; i++) lamp(context, 120 + i * 130, 26, 46);
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = '#04020a';
  context.fillRect(0, 0, width, 22);
  const far = createCanvas(width, height);
  stage(far.getContext('2d'), width);
  context.filter = 'blur(2.2px)';
  context.drawImage(far, 0, 0);
  context.filter = 'none';
  haze(context);
  crowd(context, width, height);
  return canvas;
}

function beam(context: SKRSContext2D, x: number, y: number, lean: number, i: number): void {
  const hue = i % 3 === 1 ? 38 : 322 - (i % 2) * 40;
  for (const [spread, strength] of [
    [110, 0.13],
    [64, 0.17],
    [24, 0.22],
  ] as const) {
    const light = context.createLinearGradient(x, y, x + lean, 800);
    light.addColorStop(0, `hsla(${hue},95%,76%,${strength * 2.2})`);
    light.addColorStop(0.55, `hsla(${hue},90%,60%,${strength * 0.8})`);
    light.addColorStop(1, `hsla(${hue},90%,50%,0)`);
    context.fillStyle = light;
    context.filter = 'blur(7px)';
    context.beginPath();
    context.moveTo(x - 7, y);
    context.lineTo(x + 7, y);
    context.lineTo(x + lean + spread, 800);
    context.lineTo(x + lean - spread, 800);
    context.fill();
  }
  context.filter = 'none';
}

function lamp(context: SKRSContext2D, x: number, y: number, radius: number): void {
  const light = context.createRadialGradient(x, y, 1, x, y, radius);
  light.addColorStop(0, 'rgba(255,250,240,1)');
  light.addColorStop(0.2, 'rgba(255,214,190,.75)');
  light.addColorStop(1, 'rgba(255,80,160,0)');
  context.fillStyle = light;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

function smoke(context: SKRSContext2D, width: number, height: number): void {
  const small = createCanvas(width / 4, height / 4);
  const drawing = small.getContext('2d');
  const picture = drawing.createImageData(small.width, small.height);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const thick = cloudy(x / 60, y / 34, 2, 5) * (y / small.height) ** 0.7;
      picture.data.set([255, 120, 170, 150 * Math.max(0, thick - 0.22)], (y * small.width + x) * 4);
    }
  }
  drawing.putImageData(picture, 0, 0);
  context.drawImage(small, 0, 0, width, height);
}

/** Light in the air between the stage and the crowd. */
function haze(context: SKRSContext2D): void {
  context.globalCompositeOperation = 'lighter';
  for (const [x, y, radius, strength] of [
    [640, 500, 430, 0.4],
    [410, 560, 240, 0.22],
    [890, 540, 260, 0.24],
  ] as const) {
    const light = context.createRadialGradient(x, y, 1, x, y, radius);
    light.addColorStop(0, `rgba(255,128,150,${strength})`);
    light.addColorStop(1, 'rgba(190,40,120,0)');
    context.fillStyle = light;
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  }
  context.globalCompositeOperation = 'source-over';
}

/** Three who play, as shadows before the light. */
function stage(context: SKRSContext2D, width: number): void {
  context.fillStyle = '#07030c';
  context.fillRect(0, 640, width, 300);
  const edge = context.createLinearGradient(0, 634, 0, 652);
  edge.addColorStop(0, 'rgba(255,140,190,.65)');
  edge.addColorStop(1, 'rgba(255,140,190,0)');
  context.fillStyle = edge;
  context.fillRect(0, 634, width, 18);
  player(context, 420, 642, 0.86, 1);
  player(context, 868, 642, 0.9, -1);
  drums(context, 640, 640);
}

function limb(
  context: SKRSContext2D,
  wide: number,
  points: readonly (readonly [number, number])[],
): void {
  context.lineWidth = wide;
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

function player(context: SKRSContext2D, x: number, y: number, size: number, side: number): void {
  context.save();
  context.translate(x, y);
  context.scale(size * side, size);
  context.fillStyle = context.strokeStyle = '#0a0410';
  context.lineCap = context.lineJoin = 'round';
  limb(context, 23, [
    [-6, -122],
    [-24, -62],
    [-36, 2],
  ]);
  limb(context, 23, [
    [8, -122],
    [24, -60],
    [22, 2],
  ]);
  context.beginPath();
  context.moveTo(-30, -222);
  context.quadraticCurveTo(0, -238, 30, -220);
  context.lineTo(20, -112);
  context.lineTo(-20, -112);
  context.fill();
  context.beginPath();
  context.ellipse(4, -258, 19, 23, 0.15, 0, Math.PI * 2);
  context.ellipse(-4, -254, 25, 28, 0, Math.PI * 0.8, Math.PI * 1.9);
  context.fill();
  limb(context, 15, [
    [-26, -212],
    [-50, -164],
    [-8, -142],
  ]);
  limb(context, 15, [
    [26, -212],
    [62, -178],
    [88, -196],
  ]);
  context.beginPath();
  context.ellipse(-4, -140, 42, 27, -0.35, 0, Math.PI * 2);
  context.fill();
  limb(context, 9, [
    [10, -148],
    [138, -218],
  ]);
  limb(context, 15, [
    [126, -212],
    [146, -224],
  ]);
  limb(context, 4, [
    [52, 0],
    [52, -240],
    [30, -250],
  ]);
  context.restore();
}

function drums(context: SKRSContext2D, x: number, y: number): void {
  context.fillStyle = context.strokeStyle = '#0a0410';
  context.lineCap = 'round';
  for (const [dx, dy, rx, ry] of [
    [0, -52, 58, 56],
    [-82, -96, 36, 26],
    [82, -96, 36, 26],
    [0, -108, 22, 50],
    [0, -162, 25, 36],
    [2, -216, 17, 20],
  ] as const) {
    context.beginPath();
    context.ellipse(x + dx, y + dy, rx, ry, 0, 0, Math.PI * 2);
    context.fill();
  }
  limb(context, 4, [
    [x - 116, y],
    [x - 122, y - 176],
  ]);
  limb(context, 4, [
    [x + 116, y],
    [x + 124, y - 176],
  ]);
  limb(context, 6, [
    [x - 166, y - 168],
    [x - 78, y - 184],
  ]);
  limb(context, 6, [
    [x + 166, y - 166],
    [x + 80, y - 186],
  ]);
  limb(context, 13, [
    [x - 20, y - 190],
    [x - 58, y - 158],
    [x - 66, y - 192],
  ]);
  limb(context, 13, [
    [x + 20, y - 190],
    [x + 62, y - 164],
    [x + 78, y - 214],
  ]);
  limb(context, 4, [
    [x + 78, y - 214],
    [x + 62, y - 262],
  ]);
  limb(context, 4, [
    [x - 66, y - 192],
    [x - 92, y - 222],
  ]);
}

function crowd(context: SKRSContext2D, width: number, height: number): void {
  context.lineCap = 'round';
  for (let row = 0; row < 4; row++) {
    const size = 15 + row * row * 4.6 + row * 4;
    const y = 668 + row * 42;
    for (let i = 0; i * size * 2.3 < width + 80; i++) {
      const shift = noise(i * 3.1, row * 5.7);
      const x = i * size * 2.3 + shift * size * 1.6 - 30;
      const top = y + (noise(i * 1.7, row * 9.1) - 0.5) * size * 1.5;
      // Light comes from the stage, so the rim of every head is lit.
      context.fillStyle = `rgba(255,120,170,${0.34 - row * 0.07})`;
      head(context, x, top - 2.5, size);
      context.fillStyle = context.strokeStyle = `hsl(320,60%,${3.2 - row * 0.7}%)`;
      head(context, x, top, size);
      if (noise(i * 7.7, row * 3.3) > 0.55 && row < 3) {
        const lean = (shift - 0.5) * size * 1.6;
        limb(context, size * 0.36, [
          [x + size, top + size * 1.8],
          [x + size * 1.6 + lean * 0.4, top - size * 0.6],
          [x + size * 1.2 + lean, top - size * 2.5],
        ]);
        limb(context, size * 0.5, [
          [x + size * 1.2 + lean, top - size * 2.6],
          [x + size * 1.1 + lean * 1.2, top - size * 3],
        ]);
      }
    }
  }
  const floor = context.createLinearGradient(0, height - 130, 0, height);
  floor.addColorStop(0, 'rgba(3,1,6,0)');
  floor.addColorStop(1, 'rgba(3,1,6,1)');
  context.fillStyle = floor;
  context.fillRect(0, height - 130, width, 130);
}

function head(context: SKRSContext2D, x: number, y: number, size: number): void {
  context.beginPath();
  context.ellipse(x, y, size * 0.78, size, 0, 0, Math.PI * 2);
  context.ellipse(x, y + size * 2.4, size * 1.75, size * 1.5, 0, 0, Math.PI * 2);
  context.fill();
}

export function drawRecord(): Canvas {
  const [width, height] = [1280, 960];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const picture = context.createImageData(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      picture.data.set(recordAt((x - 720) / 600, (y - 500) / 600, x), (y * width + x) * 4);
    }
  }
  context.putImageData(picture, 0, 0);
  arm(context);
  return canvas;
}

/** @param x in radii from the centre @returns the pixel's colour */
function recordAt(x: number, y: number, seed: number): readonly [number, number, number, number] {
  const r = Math.hypot(x, y);
  const angle = Math.atan2(y, x);
  const grain = (noise(seed * 1.3, y * 4000) - 0.5) * 5;
  if (r > 1) {
    const near = Math.exp(-(r - 1) * 5) * 0.85;
    const brushed = 26 + 16 * cloudy(x * 0.6, y * 90, 1, 3) + 22 * Math.exp(-((x + 0.8) ** 2) * 2);
    const tone = brushed * (1 - near) + grain;
    return [tone * 1.12, tone * 0.92, tone * 1.02, 255];
  }
  if (r < 0.018) return [8, 8, 9, 255];
  if (r < 0.335) {
    const ring = Math.abs(r - 0.3) < 0.003 || Math.abs(r - 0.12) < 0.002;
    const half = y < -0.02 + 0.045 * Math.sin(x * 14);
    const shade = 0.78 + 0.3 * Math.cos(angle + 2.2);
    const [red, green, blue] = ring ? [40, 20, 30] : half ? [236, 72, 92] : [250, 196, 92];
    return [red * shade + grain, green * shade + grain, blue * shade + grain, 255];
  }
  // Grooves reflect like brushed metal: along two directions of light.
  const groove = 0.6 + 0.4 * noise(r * 520, 3) + 0.25 * (noise(r * 90, 8) - 0.5);
  const gap = [0.5, 0.66, 0.83].some((at) => Math.abs(r - at) < 0.0045) ? 0.35 : 1;
  const white =
    Math.abs(Math.cos(angle - 0.9)) ** 34 + 0.55 * Math.abs(Math.cos(angle - 1.25)) ** 80;
  const pink = Math.abs(Math.cos(angle + 0.75)) ** 26;
  const edge = r > 0.985 ? 1.7 : r < 0.37 ? 0.6 : 1;
  const tone = (white * 165 + 9) * groove * gap * edge + grain;
  const tint = pink * 150 * groove * gap * edge;
  return [tone + tint, tone * 0.96 + tint * 0.22, tone + tint * 0.52, 255];
}

function arm(context: SKRSContext2D): void {
  context.lineCap = context.lineJoin = 'round';
  context.shadowColor = 'rgba(0,0,0,.75)';
  context.shadowBlur = 26;
  context.shadowOffsetX = -16;
  context.shadowOffsetY = 22;
  const metal = context.createLinearGradient(1080, 200, 1110, 215);
  metal.addColorStop(0, '#f2f0f4');
  metal.addColorStop(0.5, '#8d8792');
  metal.addColorStop(1, '#38333c');
  context.strokeStyle = metal;
  limb(context, 17, [
    [1200, -20],
    [1110, 330],
    [1010, 560],
  ]);
  context.strokeStyle = '#19161c';
  limb(context, 44, [
    [1013, 552],
    [984, 618],
  ]);
  context.strokeStyle = '#c8c2cc';
  context.shadowColor = 'transparent';
  limb(context, 5, [
    [1030, 570],
    [1062, 590],
  ]);
}

export function drawSpeaker(): Canvas {
  const hole = (x: number, y: number) => Math.hypot(x, y - 1.2) - 0.86;
  const cabinet = (x: number, y: number, z: number) =>
    Math.max(box(x, y - 1.42, z + 0.5, [1.28, 1.4, 0.6], 0.09), -Math.max(hole(x, y), -(z + 0.7)));
  const cone = (x: number, y: number, z: number) => {
    const r = Math.hypot(x, y - 1.2);
    const depth = r < 0.27 ? -0.3 + 0.1 * Math.sqrt(1 - (r / 0.27) ** 2) : -0.3 + (r - 0.27) * 0.5;
    const rubber =
      r > 0.68 ? 0.075 * Math.sqrt(Math.max(0, 1 - ((r - 0.77) / 0.09) ** 2)) - 0.05 : 0;
    return Math.max(Math.abs(z - depth - rubber) * 0.62 - 0.012, r - 0.87);
  };
  const rim = (x: number, y: number, z: number) => Math.hypot(hole(x, y) - 0.02, z - 0.1) - 0.05;
  const knobs = (x: number, y: number, z: number) => {
    const nearest = Math.min(2, Math.max(-2, Math.round(x / 0.4))) * 0.4;
    return cylinder(x - nearest, z - 0.16, y - 2.5, 0.1, 0.08, 0.02);
  };
  return raymarched(960, 720, {
    distance: (x, y, z) =>
      Math.min(cabinet(x, y, z), cone(x, y, z), rim(x, y, z), knobs(x, y, z), y, z + 3),
    surface(x, y, z): Surface {
      if (z < -2.99) return { colour: [0.16, 0.035, 0.1], glow: [0.02, 0.003, 0.012] };
      if (y < 0.01) return { colour: [0.05, 0.04, 0.05], gloss: 0.7 };
      if (knobs(x, y, z) < 0.01) return { colour: [0.75, 0.68, 0.6], gloss: 0.8 };
      if (rim(x, y, z) < 0.01) return { colour: [0.5, 0.5, 0.54], gloss: 0.9 };
      if (cone(x, y, z) < 0.01) {
        const r = Math.hypot(x, y - 1.2);
        const paper = 0.06 + 0.05 * noise(r * 60, 2) + 0.03 * noise(x * 50, y * 50);
        return r > 0.68
          ? { colour: [0.03, 0.03, 0.035], gloss: 0.55 }
          : { colour: [paper, paper, paper * 1.1], gloss: 0.2 };
      }
      const hide = 0.7 + 0.6 * noise(x * 40, y * 40, z * 40);
      return { colour: [0.1 * hide, 0.09 * hide, 0.1 * hide], gloss: 0.3 };
    },
    sky([x, y]) {
      const left = Math.exp(-((x + 0.75) ** 2) * 5) * 1.5;
      const right = Math.exp(-((x - 0.7) ** 2) * 9) * 0.9;
      return [
        0.02 + left + right * 0.9,
        0.015 + left * 0.1 + right * 0.42,
        0.03 + left * 0.5 + right * 0.08 + 0.05 * y,
      ];
    },
    eye: [1.5, 1.75, 5.2],
    target: [0, 1.24, 0],
    lens: 1.62,
    light: unit([-0.7, 0.55, 0.75]),
    lightColour: [2.4, 1.7, 2.1],
    ambient: 0.8,
  });
}
