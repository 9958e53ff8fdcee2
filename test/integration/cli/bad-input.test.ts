import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spoolHere } from '../../rigs/spool-here.ts';
import { startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** Runs a batch with this content. Returns the output, and whether a data folder was created. */
async function run(name: string, content: string | Buffer, options: readonly string[]) {
  const folder = temporaryFolder();
  const dataDir = path.join(folder, 'data');
  writeFileSync(path.join(folder, name), content);
  const result = await spoolHere(['run', name, '--data-dir', dataDir, ...options], { cwd: folder });
  return { ...result, started: existsSync(dataDir) };
}

describe('a batch that cannot be used', () => {
  it.each<[string, string, string | Buffer, RegExp, ...string[]]>([
    ['an empty file', 'empty.csv', '', /“empty\.csv” has no rows/],
    ['a header alone', 'header.csv', 'title,aspect\n', /“header\.csv” has no rows/],
    ['a missing column', 'a.csv', 'subtitle\nHello\n', /no “title” column.*subtitle/],
    ['a bad colour', 'b.csv', 'title,accent\nA,#ffb020\nB,reddish\n', /[Rr]ow 3, accent: /],
    [
      'a bad colour in a renamed column',
      'j.csv',
      'Headline,Colour\nA,reddish\n',
      /[Rr]ow 2, Colour: /,
    ],
    ['a bad aspect', 'c.csv', 'title,aspect\nA,3:2\n', /[Rr]ow 2, aspect: /],
    ['a cell that must not be empty', 'd.csv', 'title,aspect\nA,1:1\n,1:1\n', /[Rr]ow 3, title: /],
    ['an unclosed quote', 'e.csv', 'title\n"A\n', /.+/],
    [
      'a workbook',
      'f.xlsx',
      Buffer.from('PK\u0003\u0004…'),
      /not a workbook that can be read\. Save it as \.xlsx or CSV/,
    ],
    [
      'a picture',
      'g.csv',
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1'),
      /neither a text nor a workbook/,
    ],
    ['an unknown column', 'i.csv', 'title\nA\n', /no “Head” column/, '--column', 'title=Head'],
    ['invalid JSON', 'h.json', '[{"title": "A"', /.+/],
  ])(
    'is reported in one sentence, with exit code 2: %s',
    async (_, name, content, sentence, ...options) => {
      const { code, stdout, stderr, started } = await run(name, content, options);
      const message = stderr.trim();
      expect({ code, started }).toEqual({ code: 2, started: false });
      // What the app shows as a menu is a hint here.
      expect(stdout).toMatch(/^(?:Choose a column for “title” with --column "title=HEADER"\.\n)?$/);
      expect(message).toMatch(sentence);
      expect(message.split('\n')).toHaveLength(1);
      expect(message).not.toMatch(/\bat .*:\d+:\d+|Error:/);
    },
  );

  it('is reported as missing, as a folder, or with all its errors', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'folder.csv'));
    writeFileSync(path.join(folder, 'two.csv'), 'title,aspect\nA,x\nB,y\n');
    const [missing, isFolder, two] = await Promise.all(
      ['nowhere.csv', 'folder.csv', 'two.csv'].map((name) =>
        spoolHere(['run', name], { cwd: folder }),
      ),
    );
    expect(missing).toMatchObject({ code: 2 });
    expect(missing?.stderr).toMatch(/nowhere\.csv does not exist\.\n$/);
    expect(isFolder).toMatchObject({ code: 2 });
    expect(isFolder?.stderr).toMatch(/is a folder without a table or pictures\.\n$/);
    expect(two?.stderr).toMatch(/[Rr]ow 2, aspect[^]*[Rr]ow 3, aspect/);
  });

  // abuse.md 44
  it('is refused unread when it is no regular file or too large', async ({ skip }) => {
    if (process.platform === 'win32') skip('Windows has no such files');
    const folder = temporaryFolder();
    execFileSync('mkfifo', [path.join(folder, 'pipe.csv')]);
    writeFileSync(path.join(folder, 'huge.csv'), 'title\n');
    truncateSync(path.join(folder, 'huge.csv'), 64 * 1024 * 1024 + 1);
    const [zero, pipe, huge] = await Promise.all(
      ['/dev/zero', 'pipe.csv', 'huge.csv'].map((name) =>
        spoolHere(['run', name], { cwd: folder }),
      ),
    );
    expect(zero?.stderr).toBe('/dev/zero is not a regular file.\n');
    expect(pipe?.stderr).toMatch(/pipe\.csv is not a regular file\.\n$/);
    expect(huge?.stderr).toMatch(/huge\.csv is larger than 64 MiB, the limit for a batch\.\n$/);
    expect([zero?.code, pipe?.code, huge?.code]).toEqual([2, 2, 2]);

    writeFileSync(path.join(folder, 'good.csv'), 'title\nA\n');
    for (const option of ['--template', '--profile']) {
      const refused = await spoolHere(['run', 'good.csv', option, '/dev/zero'], { cwd: folder });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('/dev/zero');
    }
  });

  it('has its exit code also if the reader of the errors has ended', async () => {
    const { child, result } = startSpool(['run', 'nowhere.csv'], { cwd: temporaryFolder() });
    result.catch(() => undefined);
    child.stderr.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });

  it('is reported as JSON lines on stdout, and as a message on stderr', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.csv'), 'title,aspect\nA,3:2\n');
    const { code, stdout, stderr } = await spoolHere(['run', 'a.csv', '--json'], { cwd: folder });
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(code).toBe(2);
    expect(events).toMatchObject([
      { event: 'failed', failure: { code: 'value-invalid', row: 2, column: 'aspect' } },
      { event: 'ended', exitCode: 2, videos: 0 },
    ]);
    expect(stderr).toMatch(/[Rr]ow 2, aspect/);
  });
});
