/**
 * `npm run look-sheet`: draws docs/images/looks.webp, a frame of every look in every shape, with and
 * without a picture. The pictures are drawn here.
 */
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FrameRenderer } from '../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../src/local-service/rendering/image-source.ts';
import type { LookName } from '../src/local-service/rendering/looks/look-names.ts';
import { storyboardSchema } from '../src/local-service/rendering/storyboard.ts';

interface Sample {
  readonly look: LookName;
  readonly accent: string;
  readonly picture: string;
  readonly title: Readonly<Record<string, unknown>>;
  /** Shown without a picture. */
  readonly other: Readonly<Record<string, unknown>>;
}

const FILE = path.join(import.meta.dirname, '../docs/images/looks.webp');
const ASPECTS = ['16:9', '9:16', '1:1', '4:5'] as const;
const ROW_HEIGHT = 200;
const GAP = 8;

const SAMPLES: readonly Sample[] = [
  {
    look: 'picture',
    accent: '#ffb020',
    picture: drawn(1600, 1200, house),
    title: {
      kind: 'title',
      text: 'A house above the valley',
      subtitle: '142 m², free from 1 March',
    },
    other: {
      kind: 'list',
      heading: 'At a glance',
      items: ['Five rooms', 'Garden with old trees', 'Heat pump', 'Ten minutes to the station'],
    },
  },
  {
    look: 'market',
    accent: '#e4572e',
    picture: drawn(900, 1000, bag),
    title: { kind: 'title', text: 'The bag for every day', subtitle: 'from 89,90 €' },
    other: {
      kind: 'list',
      heading: 'This week',
      items: ['Shoulder bag 89,90 €', 'Purse 34,90 €', 'Belt 29,00 €'],
    },
  },
  {
    look: 'lesson',
    accent: '#3fb68b',
    picture: drawn(1600, 1200, leaf),
    title: { kind: 'title', text: 'How plants eat light', subtitle: 'Biology, year 7' },
    other: {
      kind: 'list',
      heading: 'In three steps',
      items: ['The leaf catches light', 'Roots bring water', 'Sugar travels to the bulb'],
    },
  },
  {
    look: 'stage',
    accent: '#d7ff3e',
    picture: drawn(1600, 1000, lights),
    title: { kind: 'title', text: 'Night moth', subtitle: 'The new album. Friday.' },
    other: {
      kind: 'list',
      heading: 'On tour',
      items: ['12 May · Berlin · Lido', '14 May · Hamburg · Molotow', '15 May · Köln · Gloria'],
    },
  },
  {
    look: 'voice',
    accent: '#e07a5f',
    picture: drawn(1600, 1200, house),
    title: {
      kind: 'quote',
      text: 'Most people listen to answer, and not to understand.',
      by: 'Mira Okafor',
    },
    other: { kind: 'title', text: 'What listening teaches', subtitle: 'Episode 42' },
  },
  {
    look: 'gallery',
    accent: '#8c5a3c',
    picture: drawn(1600, 1200, house),
    title: { kind: 'title', text: 'Light and landscape', subtitle: 'Until 30 August' },
    other: {
      kind: 'list',
      heading: 'Tonight',
      items: ['Asparagus soup 8,50 €', 'Char with herbs 24,00 €', 'Rhubarb 9,00 €'],
    },
  },
];

const rows: Canvas[][] = [];
for (const sample of SAMPLES) {
  const cells: Canvas[] = [];
  for (const [scene, picture] of [
    [sample.title, sample.picture],
    [sample.other, undefined],
  ] as const) {
    for (const aspect of ASPECTS) cells.push(await cellOf(sample, aspect, scene, picture));
  }
  rows.push(cells);
}
const width = Math.max(...rows.map((cells) => cells.reduce((sum, c) => sum + c.width + GAP, GAP)));
const sheet = createCanvas(width, rows.length * (ROW_HEIGHT + GAP) + GAP);
const context = sheet.getContext('2d');
context.fillStyle = '#8a8a8a';
context.fillRect(0, 0, sheet.width, sheet.height);
for (const [row, cells] of rows.entries()) {
  let x = GAP;
  for (const cell of cells) {
    context.drawImage(cell, x, GAP + row * (ROW_HEIGHT + GAP));
    x += cell.width + GAP;
  }
}
mkdirSync(path.dirname(FILE), { recursive: true });
const bytes = sheet.encodeSync('webp', 82);
writeFileSync(FILE, bytes);
console.log(`${FILE}: ${sheet.width} × ${sheet.height}, ${Math.round(bytes.length / 1024)} KiB`);

async function cellOf(
  { look, accent }: Sample,
  aspect: string,
  scene: Readonly<Record<string, unknown>>,
  picture: string | undefined,
): Promise<Canvas> {
  const board = storyboardSchema.parse({
    title: look,
    look,
    aspect,
    picture,
    resolution: 480,
    theme: { accent },
    scenes: [{ ...scene, seconds: 4 }],
  });
  const renderer = new FrameRenderer(board, imageDecoder({}));
  const { canvas } = await renderer.draw(0);
  const cell = createCanvas(Math.round((canvas.width * ROW_HEIGHT) / canvas.height), ROW_HEIGHT);
  const drawing = cell.getContext('2d');
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(canvas, 0, 0, cell.width, cell.height);
  return cell;
}

function drawn(
  wide: number,
  high: number,
  draw: (context: SKRSContext2D, w: number, h: number) => void,
): string {
  const canvas = createCanvas(wide, high);
  draw(canvas.getContext('2d'), wide, high);
  return `data:image/png;base64,${canvas.encodeSync('png').toString('base64')}`;
}

function fill(context: SKRSContext2D, colour: string, draw: () => void): void {
  context.fillStyle = colour;
  context.beginPath();
  draw();
  context.fill();
}

function house(context: SKRSContext2D, w: number, h: number): void {
  const sky = context.createLinearGradient(0, 0, 0, h);
  sky.addColorStop(0, '#5a8ec4');
  sky.addColorStop(0.6, '#f2cfa0');
  context.fillStyle = sky;
  context.fillRect(0, 0, w, h);
  for (let hill = 0; hill < 5; hill++) {
    fill(context, `hsl(${150 - hill * 8},${20 + hill * 5}%,${52 - hill * 8}%)`, () => {
      context.moveTo(0, h);
      for (let at = 0; at <= 40; at++) {
        const y = h * (0.5 + hill * 0.09) - Math.sin(at * 0.35 + hill * 2) * 60;
        context.lineTo((at / 40) * w, y);
      }
      context.lineTo(w, h);
    });
  }
  fill(context, '#f4efe6', () => context.rect(w * 0.5, h * 0.45, w * 0.34, h * 0.32));
  fill(context, '#7a3b2e', () => {
    context.moveTo(w * 0.47, h * 0.46);
    context.lineTo(w * 0.67, h * 0.3);
    context.lineTo(w * 0.87, h * 0.46);
  });
  for (const at of [0.54, 0.64, 0.74]) {
    fill(context, '#28323c', () => context.rect(w * at, h * 0.53, w * 0.055, h * 0.11));
  }
}

/** On nothing, as shops photograph their goods. */
function bag(context: SKRSContext2D, w: number, h: number): void {
  context.lineWidth = w * 0.04;
  context.strokeStyle = '#5b3a24';
  context.beginPath();
  context.arc(w / 2, h * 0.36, w * 0.22, Math.PI, 0);
  context.stroke();
  fill(context, '#a96a3c', () => context.roundRect(w * 0.14, h * 0.34, w * 0.72, h * 0.54, 60));
  fill(context, '#5b3a24', () => context.roundRect(w * 0.14, h * 0.34, w * 0.72, h * 0.2, 50));
  fill(context, '#e9c46a', () => context.roundRect(w * 0.46, h * 0.5, w * 0.08, h * 0.07, 10));
}

function leaf(context: SKRSContext2D, w: number, h: number): void {
  const ground = context.createRadialGradient(w * 0.6, h * 0.3, 10, w * 0.5, h * 0.5, w);
  ground.addColorStop(0, '#eaf3c8');
  ground.addColorStop(1, '#7fae6a');
  context.fillStyle = ground;
  context.fillRect(0, 0, w, h);
  fill(context, '#2f7d46', () => {
    context.moveTo(w * 0.2, h * 0.85);
    context.bezierCurveTo(w * 0.1, h * 0.2, w * 0.6, h * 0.05, w * 0.85, h * 0.12);
    context.bezierCurveTo(w * 0.9, h * 0.5, w * 0.7, h * 0.9, w * 0.2, h * 0.85);
  });
  context.strokeStyle = '#bfe0a0';
  context.lineWidth = w * 0.008;
  context.beginPath();
  context.moveTo(w * 0.2, h * 0.85);
  context.quadraticCurveTo(w * 0.5, h * 0.5, w * 0.85, h * 0.12);
  context.stroke();
}

function lights(context: SKRSContext2D, w: number, h: number): void {
  context.fillStyle = '#0b0a14';
  context.fillRect(0, 0, w, h);
  for (let at = 0; at < 7; at++) {
    const x = w * (0.1 + 0.13 * at);
    const beam = context.createLinearGradient(x, 0, x, h);
    beam.addColorStop(0, `hsla(${280 + at * 12},80%,70%,.7)`);
    beam.addColorStop(1, 'rgba(0,0,0,0)');
    context.fillStyle = beam;
    context.beginPath();
    context.moveTo(x - 10, 0);
    context.lineTo(x + 10, 0);
    context.lineTo(x + 150 - at * 40, h);
    context.lineTo(x - 150 - at * 30, h);
    context.fill();
  }
}
