import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCell } from '../../../../src/engine/intake/cell.ts';
import { compileBody } from '../../../../src/engine/intake/request-body.ts';
import { builtInProfile, builtInServices } from '../../../../src/engine/profiles/services.ts';
import type { Profile } from '../../../../src/engine/profiles/profile.ts';

const SHOTSTACK_ROW = {
  row: { text: 'A lake', seconds: '4' },
  body: {
    timeline: {
      background: '#000000',
      tracks: [{ clips: [{ asset: { type: 'text', text: 'A lake' }, start: 0, length: 4 }] }],
    },
    output: { format: 'mp4', resolution: 'hd', aspectRatio: '16:9' },
  },
};

/** Cells of one row, and the body that the service's documentation asks for. */
const rows: Record<string, { row: Record<string, string>; body: unknown }> = {
  runway: {
    row: { prompt: 'A lake', seconds: '7', image: 'https://a.example/1.png' },
    body: {
      promptImage: 'https://a.example/1.png',
      model: 'gen4.5',
      promptText: 'A lake',
      duration: 7,
      ratio: '1280:720',
    },
  },
  luma: {
    row: { prompt: 'A lake', 'start image': 'https://a.example/1.png' },
    body: {
      model: 'ray-2',
      prompt: 'A lake',
      aspect_ratio: '16:9',
      resolution: '720p',
      duration: '5s',
      keyframes: { frame0: { type: 'image', url: 'https://a.example/1.png' } },
    },
  },
  creatomate: {
    // Its modifications are the columns of a file (inputs.test.ts).
    row: { title: 'Lake', template: 'abc' },
    body: { template_id: 'abc', output_format: 'mp4', modifications: {} },
  },
  shotstack: SHOTSTACK_ROW,
  'shotstack-sandbox': SHOTSTACK_ROW,
  json2video: {
    row: { text: 'A lake', image: 'https://a.example/1.png' },
    body: {
      resolution: 'full-hd',
      scenes: [
        {
          'background-color': '#000000',
          duration: 5,
          elements: [
            { type: 'image', src: 'https://a.example/1.png' },
            { type: 'text', style: '001', text: 'A lake' },
          ],
        },
      ],
    },
  },
  heygen: {
    row: { script: 'Hello', avatar: 'av1', background: '#FFF' },
    body: {
      type: 'avatar',
      avatar_id: 'av1',
      script: 'Hello',
      output_format: 'mp4',
      aspect_ratio: '16:9',
      resolution: '1080p',
      background: { type: 'color', value: '#ffffff' },
    },
  },
  replicate: {
    row: { prompt: 'A lake' },
    body: {
      version: 'minimax/hailuo-2.3',
      input: { prompt: 'A lake', duration: 6, resolution: '768p' },
    },
  },
  fal: {
    row: { prompt: 'A lake', aspect: 'portrait' },
    body: { prompt: 'A lake', aspect_ratio: '9:16', duration: '5', resolution: '720p' },
  },
};

const others = builtInServices.filter((id) => id !== 'documented' && id !== 'this-computer');

test('eleven services are built in, and each file is one of them', () => {
  expect(builtInServices).toHaveLength(11);
  const files = readdirSync('src/engine/profiles/services').map((file) => file.split('.')[0]);
  // The sandbox is the same API at other paths.
  const sandbox = 'shotstack-sandbox';
  expect([...files, sandbox].sort()).toEqual([...others].sort());
});

test('the two services of the documented API name no endpoints', () => {
  expect(builtInProfile('documented').api).toBeUndefined();
  expect(builtInProfile('this-computer').api).toBeUndefined();
});

test.each(['luma', 'json2video'] as const)(
  '%s: a picture that is no https address is an error before anything is sent',
  (service) => {
    const { columns } = builtInProfile(service).request;
    const [name = ''] = Object.keys(columns).filter((each) => each.includes('image'));
    for (const cell of [
      'photo.png',
      'C:\\photo.png',
      'file:///photo.png',
      'http://a.example/1.png',
      'https://',
    ]) {
      expect(readCell(cell, columns[name]!)).toMatchObject({
        kind: 'invalid',
        what: { says: [{ sentence: 'cell-not-address' }] },
      });
    }
    expect(readCell('HTTPS://a.example/1.png?x=1', columns[name]!)).toMatchObject({
      kind: 'value',
    });
  },
);

describe.each(others.map((id) => [id, builtInProfile(id)] as const))('%s', (id, profile) => {
  test('names its address and its documentation, and has not been tried', () => {
    expect(profile.api?.about).toMatchObject({ tried: 'never' });
    expect(profile.api?.about.readOn).toMatch(/^2026-11-2[37]$/);
    expect(profile.api?.about.documentation).toMatch(/^https:/);
    expect(profile.api?.origin).toMatch(/^https:/);
  });

  test('names and explains every column in both languages', () => {
    for (const { label, description } of Object.values(profile.request.columns)) {
      for (const text of [label, description]) {
        expect(text?.en).toMatch(/\S/);
        expect(text?.de).toMatch(/\S/);
      }
    }
  });

  test('counts its costs in columns that hold numbers', () => {
    const per = profile.api?.cost.rule.perColumn;
    if (!per) return;
    const column = profile.request.columns[per.column];
    const values = column?.type === 'choice' ? column.options.map(Number) : [column?.type];
    expect(values.every((value) => value === 'number' || Number.isFinite(value))).toBe(true);
  });

  test('names every limit that it assumes', () => {
    for (const endpoint of ['generate', 'status'] as const) {
      const counts = profile.api?.limits.windows.filter(
        (window) => window.endpoint === endpoint || window.endpoint === 'all',
      );
      expect(counts).not.toEqual([]);
    }
  });

  test('builds the documented request from a row', () => {
    const { row, body } = rows[id] ?? {};
    expect(JSON.parse(bodyOf(profile, row ?? {}))).toEqual(body);
  });
});

function bodyOf({ request }: Profile, cells: Record<string, string>): string {
  const values = new Map(
    Object.entries(request.columns).flatMap(([name, column]) => {
      const reading = readCell(cells[name] ?? '', column);
      if (reading.kind === 'invalid') throw new Error(`${name}: ${JSON.stringify(reading.what)}`);
      const value = reading.kind === 'value' ? reading.value : column.default;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return compileBody(request)(values);
}
