import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const FILES = [
  'sent.log',
  'spool.db',
  'spool.closed',
  'spool.pid',
  'spool.reserve',
  'spool.backup.db',
  'primary.lock',
  'settings.json',
  'keys.json',
];

const KINDS = {
  pipe: (file: string) => execFileSync('mkfifo', [file]),
  folder: (file: string) => mkdirSync(file),
  link: (file: string) => symlinkSync(path.join(path.dirname(file), 'precious'), file),
};

/** A data folder with something else where Spool keeps a file. */
function folderWith(kind: keyof typeof KINDS, name: string): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'precious'), 'precious');
  KINDS[kind](path.join(folder, name));
  return folder;
}

const list = (folder: string) => spool(['jobs', 'list', '--data-dir', folder]);

// abuse.md 68
describe.skipIf(process.platform === 'win32')('something else in the place of a file', () => {
  it.each(FILES)('is named, and the command ends: a pipe as %s', async (name) => {
    const { code, stderr } = await list(folderWith('pipe', name));

    expect(code).toBe(1);
    expect(stderr).toContain(`${name} in the data folder`);
  });

  it.each(['folder', 'link'] as const)('is refused: a %s', async (kind) => {
    for (const name of ['sent.log', 'spool.pid', 'spool.reserve']) {
      const folder = folderWith(kind, name);
      const { code, stderr } = await list(folder);

      expect(code, name).toBe(1);
      expect(stderr, name).toContain(`${name} in the data folder`);
      expect(readFileSync(path.join(folder, 'precious'), 'utf8'), name).toBe('precious');
    }
  });

  it('is named by the doctor, which does not wait for it', async () => {
    const folder = folderWith('pipe', 'spool.db');

    const { code, stdout } = await spool(['doctor', '--data-dir', folder]);

    expect(code).toBe(1);
    expect(stdout).toContain('spool.db in the data folder');
  });

  it('is refused for a folder, too: a link', async () => {
    const folder = temporaryFolder();
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, path.join(folder, 'endpoint'));

    const { code, stderr } = await list(folder);

    expect(code).toBe(1);
    expect(stderr).toContain('endpoint in the data folder');
  });

  it('does not keep a command from running: a pipe as the address of another Spool', async () => {
    const folder = temporaryFolder();
    expect(await list(folder)).toMatchObject({ code: 0 });
    const endpoint = path.join(folder, 'endpoint');
    mkdirSync(endpoint, { recursive: true });
    rmSync(path.join(endpoint, 'address'), { force: true });
    execFileSync('mkfifo', [path.join(endpoint, 'address')]);

    expect(await list(folder)).toMatchObject({ code: 0 });
    expect(existsSync(folder)).toBe(true);
  });
});
