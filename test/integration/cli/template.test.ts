/** A table to start from is printed, saved and can be planned as it is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

function fixture() {
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    spoolHere([...args, '--data-dir', path.join(folder, 'data')], { cwd: folder });
  return { folder, run };
}

it('prints CSV whose example is refused until it is replaced', async () => {
  const { folder, run } = fixture();
  const { code, stdout } = await run('template');
  expect(code).toBe(0);
  writeFileSync(path.join(folder, 'videos.csv'), stdout);
  const example = await run('run', 'videos.csv', '--service', 'local');
  expect(example.code).toBe(2);
  expect(example.stderr).toContain(
    'title: is still the example of the template. Replace it, or delete this row.',
  );
  writeFileSync(path.join(folder, 'videos.csv'), stdout.replace(/Example: [^,]*/, 'Launch'));
  const plan = await run('plan', 'videos.csv', '--service', 'local');
  expect(plan.code, plan.stderr).toBe(0);
  expect(plan.stdout).toContain('1 video');
});

it('is JSON for a script: the table, or where it was written', async () => {
  const { folder, run } = fixture();
  const { stdout: text } = await run('template');
  const printed = await run('template', '--json');
  expect(JSON.parse(printed.stdout)).toEqual({ event: 'document', text });
  const saved = await run('template', '--json', '--out', 'videos.csv');
  const file = path.join(folder, 'videos.csv');
  expect(JSON.parse(saved.stdout)).toEqual({ event: 'written', file });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('has the columns of the named service, and names the nearest one for a typo', async () => {
  const { run } = fixture();
  const { stdout } = await run('template', 'runway');
  expect(stdout).toContain('# prompt');
  const typo = await run('template', 'runwy');
  expect(typo.code).toBe(2);
  expect(typo.stderr).toContain('runway');
});

it('saves a workbook, and replaces no file', async () => {
  const { folder, run } = fixture();
  expect((await run('template', '--out', 'videos.xlsx')).code).toBe(0);
  const bytes = readFileSync(path.join(folder, 'videos.xlsx'));
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  const again = await run('template', '--out', 'videos.xlsx');
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain('exists');
  expect(readFileSync(path.join(folder, 'videos.xlsx')).equals(bytes)).toBe(true);
  const other = await run('template', '--out', 'videos.ods');
  expect(other).toMatchObject({ code: 2 });
  expect(existsSync(path.join(folder, 'videos.ods'))).toBe(false);
});
