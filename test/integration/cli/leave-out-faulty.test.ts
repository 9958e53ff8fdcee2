/** Rows with errors are left out by choice, saved, and accounted for. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

import { readBatch } from '../../../src/engine/intake/read-batch.ts';
import { plainCells, writeWorkbook } from '../../../src/engine/intake/write-workbook.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';

const HEADER = 'title,message,seconds,resolution,aspect';

function fixture() {
  const folder = temporaryFolder();
  const content = `${HEADER}\nOne,,1,480,1:1\nTwo,-20%,soon,480,1:1\n=SUM(A1),,1,480,2:3\n`;
  writeFileSync(path.join(folder, 'launch.csv'), content);
  return {
    file: path.join(folder, 'launch.left-out.csv'),
    read: (name: string) => readFileSync(path.join(folder, name), 'utf8'),
    run: (...args: string[]) =>
      spoolHere(['run', 'launch.csv', ...args, '--data-dir', path.join(folder, 'data')], {
        cwd: folder,
      }),
    write: (name: string, text: string) => writeFileSync(path.join(folder, name), text),
  };
}

it('sends nothing of a file with errors without the option', async () => {
  const { run } = fixture();
  const { code, stderr } = await run();
  expect(code).toBe(2);
  expect(stderr).toContain('Row 3, seconds: “soon” is not a number.');
});

it('says before anything is sent which rows will be left out, and why', async () => {
  const { code, stdout } = await fixture().run('--leave-out-faulty', '--dry-run');
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  const from = lines.indexOf('2 rows are left out:');
  expect(lines.slice(from + 1, from + 4)).toEqual([
    'Row 3, seconds: “soon” is not a number.',
    expect.stringMatching(/^Row 4, title: “=SUM\(A1\)” is a formula/),
    expect.stringMatching(/^Row 4, aspect: “2:3” is not one of/),
  ]);
});

it('adds the other rows, and saves those with errors beside their file', async () => {
  const { read, run, write } = fixture();
  write('launch.left-out.csv', 'mine');

  const { code, stdout, stderr } = await run('--leave-out-faulty');

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('3 rows: 1 added, 2 left out (saved in launch-2.left-out.csv).');
  expect(read('launch.left-out.csv')).toBe('mine');
  const [header, two, sum] = read('launch-2.left-out.csv').split('\r\n');
  expect(header).toBe(`\ufeff${HEADER},Reason`);
  expect(two).toBe(`Two,'-20%,soon,480,1:1,"Row 3, seconds: “soon” is not a number."`);
  expect(sum).toMatch(/^'=SUM\(A1\),,1,480,2:3,"Row 4, title: “=SUM\(A1\)” is a formula/);
  expect(sum).toContain('Row 4, aspect: “2:3” is not one of');
});

it('accounts for every row to programs, and does not save the same rows twice', async () => {
  const { file, run } = fixture();
  await run('--leave-out-faulty');
  const { code, stdout } = await run('--leave-out-faulty', '--json');
  expect(code).toBe(0);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });
  const account = events.find(({ event }) => event === 'accounted');
  expect(account).toMatchObject({
    rows: 3,
    added: 0,
    there: 1,
    inOtherBatches: 0,
    leftOut: [{ row: 3, reasons: ['Row 3, seconds: “soon” is not a number.'] }, { row: 4 }],
    file,
  });
});

it('saves the rows of a workbook as a workbook, as the app does, and once', async () => {
  const folder = temporaryFolder();
  const rows = [
    HEADER.split(','),
    ['One', '', '1', '480', '1:1'],
    ['Two', '', 'soon', '480', '1:1'],
  ];
  const content = await writeWorkbook([{ name: 'Launch', rows: rows.map(plainCells) }]);
  writeFileSync(path.join(folder, 'launch.xlsx'), content);
  const run = () =>
    spoolHere(
      ['run', 'launch.xlsx', '--leave-out-faulty', '--data-dir', path.join(folder, 'data')],
      {
        cwd: folder,
      },
    );

  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain('2 rows: 1 added, 1 left out (saved in launch.left-out.xlsx).');
  const saved = {
    name: 'a.xlsx',
    content: readFileSync(path.join(folder, 'launch.left-out.xlsx')),
  };
  const { samples, fileColumns } = readBatch(saved, storyboardProfile.request);
  expect(fileColumns).toEqual([...HEADER.split(','), 'Reason']);
  expect(samples.map(({ cells }) => cells.Reason)).toEqual([
    'Row 3, seconds: “soon” is not a number.',
  ]);
  await run();
  expect(readdirSync(folder).filter((name) => name.includes('left-out'))).toHaveLength(1);
});
