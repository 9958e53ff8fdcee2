import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FileChecks } from '../../../../src/engine/pictures/row-file.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

it('reads a file again only when it has changed, and never one outside of the folder', async () => {
  const folder = temporaryFolder();
  const read: string[] = [];
  const checks = new FileChecks((text: string) => {
    read.push(text);
    return Promise.resolve({ kind: 'read', count: read.length } as const);
  });
  writeFileSync(path.join(folder, 'voice.mp3'), 'one');
  expect(await checks.check('voice.mp3', folder)).toEqual({ kind: 'read', count: 1 });
  expect(await checks.check('./voice.mp3', folder)).toEqual({ kind: 'read', count: 1 });
  writeFileSync(path.join(folder, 'voice.mp3'), 'other');
  expect(await checks.check('voice.mp3', folder)).toEqual({ kind: 'read', count: 2 });
  for (const name of ['none.mp3', '../../voice.mp3', folder]) {
    expect(await checks.check(name, folder)).toMatchObject({ kind: 'invalid' });
  }
  expect(await checks.check('voice.mp3', undefined)).toMatchObject({ kind: 'invalid' });
  expect(read).toHaveLength(2);
});

it('keeps no more readings than it may', async () => {
  const folder = temporaryFolder();
  const read: string[] = [];
  const checks = new FileChecks((text: string) => Promise.resolve(read.push(text)), {
    maxKnown: 2,
  });
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(folder, name), name);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'c']) await checks.check(name, folder);
  expect(read.join('')).toBe('abca');
});
