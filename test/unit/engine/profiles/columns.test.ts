import { format } from 'prettier';
import { expect, it } from 'vitest';
import type { Column } from '../../../../src/engine/intake/column.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const COLUMNS = Object.entries(storyboardProfile.request.columns);

/** What a cell may hold. */
function allowed(column: Column): string {
  switch (column.type) {
    case 'text':
      return `up to ${column.maxLength} characters`;
    case 'number':
      return `${column.whole === true ? 'whole number' : 'number'} from ${column.min} to ${column.max}`;
    case 'colour':
      return 'colour such as `#ffb020`';
    case 'choice':
      return column.options.map((option) => `\`${option}\``).join(', ');
    case 'list':
      return `up to ${column.maxItems} texts of ${column.maxLength} characters, separated by \`\\|\` or line breaks`;
    case 'picture':
      if (column.maxItems !== undefined) {
        return `paths of up to ${column.maxItems} files in the folder of the table, separated by \`\\|\` or line breaks`;
      }
      if (column.holds === 'brand') return 'name of a row of the table “brands”';
      return column.holds === 'captions'
        ? 'text, or path of a file in the folder of the table'
        : 'path of a file in the folder of the table';
  }
}

it.each(COLUMNS)('%s has a label and a description in both languages', (_name, column) => {
  for (const text of [column.label, column.description]) {
    expect(text?.en).toBeTruthy();
    expect(text?.de).toBeTruthy();
  }
});

it('labels every option that is a word in both languages', () => {
  const words = COLUMNS.flatMap(([name, column]) =>
    column.type === 'choice'
      ? column.options
          .filter((option) => /[a-z]/i.test(String(option)))
          .map((option) => [name, option, Object.keys(column.optionLabels?.[option] ?? {})])
      : [],
  );
  expect(words).toHaveLength(19);
  expect(words).toEqual(words.map(([name, option]) => [name, option, ['en', 'de']]));
});

it('columns are listed in docs/columns.md with label, limits and description', async () => {
  const rows = COLUMNS.map(([name, column]) => {
    const empty = column.default === undefined ? '' : `; \`${String(column.default)}\` when empty`;
    const cells = [
      `\`${name}\`${column.required === true ? ' (required)' : ''}`,
      column.label?.en,
      column.description?.en,
      allowed(column) + empty,
      (column.aliases ?? []).join(', '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const page = `# Columns of a batch

Headers are matched by these names, whatever their case, hyphens and underscores. The list is written
from \`src/engine/profiles/storyboard.ts\` by
\`npx vitest run --project unit test/unit/engine/profiles/columns.test.ts -u\`.

| Column | In forms | What it is | A cell holds | Other headers |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

A length can also be written as \`3s\`, \`0:04\` or \`1 min\`, a colour as \`rgb(255, 176, 32)\` or by its
name in English or German, and an aspect ratio as a spreadsheet shows it: \`1:01\`, \`9:16 AM\`.
Errors of a spreadsheet (\`#N/A\`, \`########\`) and formulas are errors of their cells.
`;
  const document = await format(page, { parser: 'markdown', printWidth: 100 });
  await expect(document).toMatchFileSnapshot('../../../../docs/columns.md');
});
