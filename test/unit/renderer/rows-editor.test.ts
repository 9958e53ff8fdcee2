import { expect, it } from 'vitest';
import type { RowsDetails } from '../../../src/contract/job.ts';
import { RowsEditor } from '../../../src/renderer/state/row-form.svelte.ts';

const DETAILS: RowsDetails = {
  fields: [
    { name: 'title', type: 'text', required: true },
    { name: 'seconds', type: 'number', required: false },
    { name: 'accent', type: 'colour', required: false },
  ],
  values: { seconds: '10' },
  various: ['title', 'accent'],
};

it('saves only what was written: different values stay', () => {
  const editor = new RowsEditor(['1', '2'], DETAILS);
  expect(editor.submit()).toBeNull();
  editor.write('accent', 'red');
  editor.write('seconds', '10');
  expect(editor.various).toEqual(['title']);
  expect(editor.submit()).toEqual({ ids: ['1', '2'], values: { accent: 'red' } });
});

it('erases a common value, and never different ones', () => {
  const editor = new RowsEditor(['1', '2'], DETAILS);
  editor.write('seconds', '');
  editor.write('title', 'T');
  editor.write('title', '');
  expect(editor.various).toContain('title');
  expect(editor.submit()).toEqual({ ids: ['1', '2'], values: { seconds: '' } });
});

it('replaces a text in a column of texts', () => {
  const editor = new RowsEditor(['1', '2'], DETAILS);
  expect(editor.replaceable.map(({ name }) => name)).toEqual(['title']);
  editor.replaceIn = 'title';
  expect(editor.submit()).toBeNull();
  editor.find = 'Sale';
  editor.ignoreCase = true;
  expect(editor.submit()).toEqual({
    ids: ['1', '2'],
    replace: { field: 'title', find: 'Sale', with: '', exact: false },
  });
});
