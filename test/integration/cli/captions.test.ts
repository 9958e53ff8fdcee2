import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { probe } from '../../rigs/decoded-media.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

async function run(table: string, files: Readonly<Record<string, string | Buffer>> = {}) {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'table.csv'), table);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), content);
  }
  const command = ['run', 'table.csv', '--data-dir', path.join(folder, 'data')];
  const ended = await spoolHere(command, { cwd: folder });
  return { ...ended, folder };
}

it('renders the captions that a table names, as long as they last', async () => {
  const srt = iconv.encode('1\r\n00:00:01,000 --> 00:00:06,500\r\nGrüße\r\n', 'windows-1252');
  const { code, folder } = await run('title,resolution,srt\nRead,480,talk.srt\n', {
    'talk.srt': srt,
  });
  expect(code).toBe(0);
  const [saved] = globSync('renders/**/*.mp4', { cwd: folder });
  const { pictures } = await probe(path.join(folder, saved!));
  expect(Number(pictures?.duration)).toBeCloseTo(6.5, 1);
});

it.each([
  ['none.srt', 'is not in the table’s folder.'],
  ['backward.srt', 'has a caption in line 1 that does not end after it begins.'],
  ['talk.docx', 'is not a caption file. SRT and VTT are possible.'],
])('renders nothing of a table whose captions are %s', async (captions, reason) => {
  const { code, stderr } = await run(`title,captions\nOne,${captions}\n`, {
    'backward.srt': '00:00:02,000 --> 00:00:01,000\nBack',
    'talk.docx': 'PK',
  });
  expect(code).toBe(2);
  expect(stderr).toContain(`Row 2, captions: ${reason}`);
});
