import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Column } from '../../src/engine/intake/column.ts';
import { readBatch } from '../../src/engine/intake/read-batch.ts';
import type { RequestTemplate } from '../../src/engine/intake/request-template.ts';
import { MAX_PART_SECONDS, MAX_SIDES } from '../../src/engine/pictures/read-clip.ts';
import { MAX_PIXELS_TOGETHER } from '../../src/engine/pictures/read-picture.ts';
import { MAX_SECONDS } from '../../src/engine/pictures/read-sound.ts';
import { MAX_MEDIA_BYTES } from '../../src/engine/pictures/row-file.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import { LEAST_RATE } from '../../src/host/local-pictures.ts';
import { LEAST_UPLOAD_RATE } from '../../src/local-service/body-time.ts';
import { MIN_SCENE_SECONDS } from '../../src/local-service/rendering/durations.ts';
import { MAX_STORYBOARD_PIXELS } from '../../src/local-service/rendering/image-limits.ts';
import { MAX_SOUND_SECONDS } from '../../src/local-service/rendering/media/decode-sound.ts';
import { MAX_MEDIA_BYTES as MAX_STORED_MEDIA_BYTES } from '../../src/local-service/videos/image-store.ts';
import { MAX_CLIP_SIDES } from '../../src/local-service/rendering/media/clip-reader.ts';
import { MAX_CLIP_SECONDS } from '../../src/local-service/rendering/media/media-schema.ts';
import { blankPng } from '../rigs/pictures.ts';
import { startRig, type Rig } from './local-service/rig.ts';

const { request: TEMPLATE } = storyboardProfile;
/** Pictures are files (`pictures-of-rows.test.ts`). */
const COLUMNS = Object.entries(TEMPLATE.columns).filter(([, { type }]) => type !== 'picture');

type Cell = string | number;

/** The largest value that a column accepts, and one value beyond each limit. */
function valuesOf(column: Column): { readonly atLimit: Cell; readonly beyond: readonly Cell[] } {
  switch (column.type) {
    case 'text':
      return textOf(column.maxLength);
    case 'number': {
      const { min = 0, max = 0, whole = false } = column;
      return { atLimit: max, beyond: [min - 1, max + 1, ...(whole ? [min + 0.5] : [])] };
    }
    case 'colour':
      return { atLimit: '#ffffff', beyond: ['#fffffff'] };
    case 'choice':
      return { atLimit: column.options.at(-1) ?? '', beyond: ['something else'] };
    case 'list': {
      const { atLimit, beyond } = textOf(column.maxLength);
      const items = (count: number): string => Array(count).fill(atLimit).join('|');
      return {
        atLimit: items(column.maxItems ?? 1),
        beyond: [...beyond, items((column.maxItems ?? 1) + 1)],
      };
    }
    case 'picture':
      return { atLimit: '', beyond: [] };
  }
}

function textOf(maxLength = 0): { readonly atLimit: string; readonly beyond: readonly string[] } {
  return { atLimit: 'm'.repeat(maxLength), beyond: ['m'.repeat(maxLength + 1)] };
}

/** The same column without its limits, so that only the service checks the value. */
function unlimited(column: Column): Column {
  switch (column.type) {
    case 'list':
      return { type: 'list' };
    case 'number':
      return { type: 'number' };
    default:
      return { type: 'text' };
  }
}

/** With what the other columns are sent with only. */
async function newRow(name: string, { rig, headers }: Customer): Promise<Record<string, Cell>> {
  const row = { title: 'A title', points: 'One', quote: 'So', message: 'It is' };
  if (!name.startsWith('clip ')) return row;
  const type = { 'content-type': 'application/octet-stream' };
  const upload = { method: 'POST', headers: { ...type, ...headers }, body: blankPng(1, 1) };
  const { json } = await rig.client.ask('/local/picture', upload);
  return { ...row, clip: String(json.id), 'clip from': 86_400 };
}

interface Customer {
  readonly rig: Rig;
  readonly headers: Record<string, string>;
}

async function newCustomer(): Promise<Customer> {
  const rig = await startRig();
  return { rig, headers: await rig.signUp() };
}

function read(row: Readonly<Record<string, Cell>>, template: RequestTemplate) {
  const source = { name: 'one.json', content: JSON.stringify([row]) };
  return readBatch(source, template, {});
}

describe.each(COLUMNS)('the column %s', (name, column) => {
  const { atLimit, beyond } = valuesOf(column);

  it('accepts a value at its limit, as the service does', async () => {
    const customer = await newCustomer();
    const row = { ...(await newRow(name, customer)), [name]: atLimit };
    const { rows, errors } = read(row, TEMPLATE);
    expect(errors).toEqual([]);
    const body: unknown = JSON.parse(rows[0]?.body ?? '');
    const { rig, headers } = customer;
    const answer = await rig.client.post('/api/v1/video/generate', body, headers);
    expect(answer.json).toMatchObject({ success: true });
  });

  it.each(beyond)('refuses %s before it is sent, as the service would', async (cell) => {
    const customer = await newCustomer();
    const row = { ...(await newRow(name, customer)), [name]: cell };
    expect(read(row, TEMPLATE).errors).toMatchObject([{ column: name }]);
    const columns = { ...TEMPLATE.columns, [name]: unlimited(column) };
    const { rows } = read(row, { ...TEMPLATE, columns, sceneSeconds: undefined });
    const body: unknown = JSON.parse(rows[0]?.body ?? '');
    const { rig, headers } = customer;
    const answer = await rig.client.post('/api/v1/video/generate', body, headers);
    expect(answer.status).toBe(400);
  });
});

const propertySchema = z.looseObject({ title: z.string(), description: z.string() });

describe('the service’s OpenAPI document', () => {
  it('labels and describes each field as its column does', async () => {
    const rig = await startRig();
    const { json } = await rig.client.ask('/api/v1/openapi.json');
    const { schema } = z
      .object({
        paths: z.object({
          '/api/v1/video/generate': z.object({
            post: z.object({
              requestBody: z.object({
                content: z.object({
                  'application/json': z.object({
                    schema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
                  }),
                }),
              }),
            }),
          }),
        }),
      })
      .transform(
        ({ paths }) => paths['/api/v1/video/generate'].post.requestBody.content['application/json'],
      )
      .parse(json);
    const theme = z
      .looseObject({ properties: z.record(z.string(), z.unknown()) })
      .parse(schema.properties.theme);
    const { theme: colours, ...fields } = TEMPLATE.body;
    const columns = [
      ...columnsIn(fields).map(([at, name]) => [name, schema.properties[at]] as const),
      ...columnsIn(colours).map(([at, name]) => [name, theme.properties[at]] as const),
    ];
    expect(columns).toHaveLength(14);
    for (const [name, property] of columns) {
      const { label, description } = TEMPLATE.columns[name] ?? {};
      const { title, description: sentence } = propertySchema.parse(property);
      expect([name, title, sentence]).toEqual([
        name,
        label?.en,
        OF_FIELDS[name] ?? description?.en,
      ]);
    }
  });
});

it('files and scenes have the same limits here as where they are rendered', () => {
  expect(TEMPLATE.sceneSeconds).toBe(MIN_SCENE_SECONDS);
  expect(MAX_PIXELS_TOGETHER).toBe(MAX_STORYBOARD_PIXELS);
  expect(MAX_SIDES).toEqual(MAX_CLIP_SIDES);
  expect(MAX_PART_SECONDS).toBe(MAX_CLIP_SECONDS);
  expect(MAX_SECONDS).toBe(MAX_SOUND_SECONDS);
  expect(MAX_MEDIA_BYTES).toBe(MAX_STORED_MEDIA_BYTES);
  // In bytes per millisecond, and per second.
  expect(1000 * LEAST_RATE).toBe(LEAST_UPLOAD_RATE);
});

/** Cells may have several values, and formats that Spool converts; fields may not. */
const OF_FIELDS: Readonly<Record<string, string>> = {
  aspect: 'Width to height',
  captions: 'What is said, and when',
  picture: 'Behind every scene: PNG, JPEG or WebP',
  logo: 'In the upper right corner: PNG, JPEG or WebP',
};

/** Properties whose value is one column's placeholder, each with the column's name. */
function columnsIn(body: unknown): (readonly [string, string])[] {
  return Object.entries(z.record(z.string(), z.unknown()).parse(body)).flatMap(([at, value]) => {
    const name = typeof value === 'string' ? /^\{\{(.+)\}\}$/.exec(value)?.[1] : undefined;
    return name === undefined ? [] : [[at, name] as const];
  });
}
