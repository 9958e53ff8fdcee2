import { describe, expect, it } from 'vitest';
import { MAX_BATCH_BYTES } from '../../../../src/contract/batch-limits.ts';
import { BatchReadings } from '../../../../src/engine/intake/batch-readings.ts';
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

  it('is dropped when later ones are too large together', async () => {
    const readings = new BatchReadings();
    const [first, second] = await Promise.all([
      readings.read(source, request),
      readings.read({ ...source, name: 'Second.csv' }, request),
    ]);
    // It cannot be read, which takes no time.
    const large = {
      name: 'Large.csv',
      content: '\0'.repeat(MAX_BATCH_BYTES - source.content.length),
    };
    const third = await readings.read(large, request);

    expect(await readings.read(large, request)).toBe(third);
    expect(await readings.read({ ...source, name: 'Second.csv' }, request)).toBe(second);
    expect(await readings.read(source, request)).not.toBe(first);
  });
});
