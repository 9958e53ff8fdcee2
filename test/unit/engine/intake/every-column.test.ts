import { expect, test } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { requestTemplateSchema } from '../../../../src/engine/intake/request-template.ts';

const template = requestTemplateSchema.parse({
  title: 'title',
  columns: {
    title: { type: 'text', aliases: ['name'] },
    template: { type: 'text', required: true, aliases: ['vorlage'] },
    seconds: { type: 'number', min: 1, default: 5 },
  },
  body: { id: '{{template}}', fields: { fixed: 1, $columns: { except: ['template'] } } },
  preset: [],
});

/** Also with a property called `__proto__`. */
const parsed = (text: string): unknown => JSON.parse(text);

function read(header: string, row: string, options = {}) {
  const reading = readBatch({ name: 'a.csv', content: `${header}\n${row}` }, template, options);
  const [first] = reading.rows;
  return {
    errors: reading.errors.map(({ message }) => message),
    title: first?.title,
    request: first === undefined ? null : (JSON.parse(first.body) as unknown),
    template: reading.template.body,
  };
}

test('columns keep the names of the file, whatever they are matched to', () => {
  expect(read('Vorlage,NAME,Title.text,SECONDS,toString,__proto__', 't1,Ann,Hello,7,x,y')).toEqual({
    errors: [],
    title: 'Ann',
    request: parsed(
      '{"id":"t1","fields":{"fixed":1,"NAME":"Ann","Title.text":"Hello","SECONDS":7,"toString":"x","__proto__":"y"}}',
    ),
    template: parsed(
      '{"id":"{{template}}","fields":{"NAME":"{{NAME}}","Title.text":"{{Title.text}}","SECONDS":"{{SECONDS}}","toString":"{{toString}}","__proto__":"{{__proto__}}","fixed":1}}',
    ),
  });
});

test('a column that only an alias matches is no second title', () => {
  expect(read('template,title,name', 't1,Clip,Ann')).toMatchObject({
    errors: [],
    title: 'Clip',
    request: { fields: { title: 'Clip', name: 'Ann' } },
  });
});

test('a column that the user selected for a field is sent under its own name, too', () => {
  expect(read('template,Headline', 't1,Hi', { columns: { title: 'Headline' } })).toMatchObject({
    errors: [],
    title: 'Hi',
    request: { fields: { Headline: 'Hi' } },
  });
});

test('a row with nothing but such columns is no unfilled one', () => {
  expect(read('template,take', 't1,1\n,2').errors).toEqual([
    'Row 3, template: is empty, and every video needs one.',
  ]);
  const own = { template: { body: { take: '{{take}}' } } };
  const source = { name: 'a.csv', content: 'title,take\nA,1\n,2' };
  expect(readBatch(source, storyboardProfile.request, own).rows).toHaveLength(2);
});

test('a name with braces, which no template can name, is not sent', () => {
  expect(read('template,a{{b}}', 't1,x')).toMatchObject({
    errors: [],
    request: { id: 't1', fields: { fixed: 1 } },
  });
});

test('what a column must contain is still checked', () => {
  expect(read('template,seconds', 't1,soon').errors).toEqual([
    'Row 2, seconds: “soon” is not a number.',
  ]);
  expect(read('title', 'Clip').errors[0]).toContain('template');
});
