import { describe, expect, it } from 'vitest';
import { BatchReadings, keptBytes } from '../../../../src/engine/intake/batch-readings.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const { request } = storyboardProfile;

const titles = Array.from({ length: 40 }, (_, index) => `Row ${index}`);
const source = { name: 'Week.csv', content: `title\n${titles.join('\n')}` };

describe('a batch that was read', () => {
  it('is not read again, whoever asks for it', async () => {
    const readings = new BatchReadings();
    const first = await readings.read(source, request);

    expect(await readings.read({ ...source }, { ...request }, { columns: undefined })).toBe(first);
    expect(first.rows).toHaveLength(40);
  });

  it.each([
    ['another name', { ...source, name: 'Other.csv' }, request, {}],
    ['another content', { ...source, content: 'title\nOne' }, request, {}],
    ['a further file', { ...source, further: [source] }, request, {}],
    ['another profile', source, { ...request, preset: [] }, {}],
    ['another choice of columns', source, request, { columns: { subtitle: 'title' } }],
    ['another header', source, request, { reading: { headerRow: 1 } }],
    ['another header of its file', { ...source, reading: { headerRow: 1 } }, request, {}],
    ['another template', source, request, { template: { body: { a: '{{title}}' } } }],
    ['a row that has no sample', source, request, { show: 30 }],
  ])('is read again with %s', async (_, other, profile, options) => {
    const readings = new BatchReadings();
    const first = await readings.read(source, request);

    expect(await readings.read(other, profile, options)).not.toBe(first);
  });

  it('has the sample that was asked for before', async () => {
    const readings = new BatchReadings();
    const withSample = await readings.read(source, request, { show: 30 });

    expect(await readings.read(source, request)).toBe(withSample);
    expect(withSample.samples.at(-1)?.row).toBe(30);
  });

  it('is forgotten once it was added', async () => {
    const readings = new BatchReadings();
    const first = await readings.read(source, request);
    await readings.forget(source, request, {});

    expect(await readings.read(source, request)).not.toBe(first);
  });

  it('is dropped when it and later ones keep too much', async () => {
    const one = await new BatchReadings().read(source, request);
    const readings = new BatchReadings(2.5 * keptBytes(one));
    const first = await readings.read(source, request);
    const second = await readings.read(source, request, { edits: { 2: { title: 'Second' } } });
    expect(await readings.read(source, request)).toBe(first);
    await readings.read(source, request, { edits: { 2: { title: 'Third' } } });

    expect(await readings.read(source, request, { edits: { 2: { title: 'Second' } } })).toBe(
      second,
    );
    expect(await readings.read(source, request)).not.toBe(first);
  });

  it('is kept if it is the only one, however large', async () => {
    const readings = new BatchReadings(0);
    const first = await readings.read(source, request);

    expect(await readings.read(source, request)).toBe(first);
  });

  it('is measured by its rows and errors, not by the size of its file', async () => {
    const rows = `title\n${'a\n'.repeat(1000)}`;
    const bytes = keptBytes(await new BatchReadings().read({ ...source, content: rows }, request));
    expect(bytes).toBeGreaterThan(50 * rows.length);
    const invalid = rows.replaceAll('a\n', `${'a'.repeat(201)}\n`);
    const read = await new BatchReadings().read({ ...source, content: invalid }, request);
    expect(read.errors).toHaveLength(1000);
    expect(keptBytes(read)).toBeGreaterThan(1_000_000);
  });
});
