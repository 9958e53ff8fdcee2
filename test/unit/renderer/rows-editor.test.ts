import { expect, it } from 'vitest';
import type { Failure } from '../../../src/contract/failure.ts';
import type { RowsDetails } from '../../../src/contract/job.ts';
import { joinMessages, userMessage } from '../../../src/contract/user-message.ts';
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

it('shows an error once its field is left, until the value is right', () => {
  const editor = new RowsEditor(['1', '2'], DETAILS);
  editor.write('accent', 'redd');
  const message = joinMessages(
    userMessage('at-field', { field: 'Accent' }),
    userMessage('cell-not-colour', { text: 'redd' }),
  );
  const failure: Failure = { code: 'value-invalid', ...message, column: 'accent' };
  editor.planned = failure;
  expect(editor.messageOf('accent')).toBeNull();
  editor.left.add('accent');
  expect(editor.messageOf('accent')?.message).toBe(
    userMessage('cell-not-colour', { text: 'redd' }).message,
  );
  expect(editor.messageOf('title')).toBeNull();
  editor.planned = null;
  expect(editor.messageOf('accent')).toBeNull();
  editor.refuse(failure);
  expect(editor.messageOf('accent')).not.toBeNull();
  editor.write('accent', 'red');
  expect(editor.messageOf('accent')).toBeNull();
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
