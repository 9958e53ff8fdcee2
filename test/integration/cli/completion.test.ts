import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allCommands, commandTree } from '../../../src/cli/completion/command-tree.ts';
import type { CommandContext } from '../../../src/cli/command-context.ts';
import { createProgram } from '../../../src/cli/run-spool.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout } = await spoolHere(['completion', shell], { cwd: temporaryFolder() });
  expect(code).toBe(0);
  return stdout;
}

/** What bash offers after these words; the last one is being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'completion.bash');
  writeFileSync(file, await scriptOf('bash'));
  const script = `source ${file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _spool; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', script, 'bash', 'spool', ...words], {
    encoding: 'utf8',
  });
  return output.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  test('offers commands, their options and the values of options', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(['run', 'jobs', 'man']));
    expect(await offered('jobs', 'un')).toEqual(['unarchive', 'undo']);
    expect(await offered('jobs', 'undo', '--l')).toEqual(['--list']);
    expect(await offered('jobs', 'export', '--format', '')).toEqual(['csv', 'json']);
    expect(await offered('jobs', '--json', 'li')).toEqual(['list']);
    expect(await offered('completion', 'f')).toEqual(['fish']);
    // A file's name, which bash itself completes.
    expect(await offered('run', '--out', '')).toEqual([]);
  });

  test('does not offer what the help hides', async () => {
    expect(await offered('web', '--without')).toEqual([]);
  });
});

test.each([
  ['zsh', "'undo:Undo the last change of videos"],
  ['fish', "-f -a 'undo' -d 'Undo the last change of videos"],
  ['powershell', "@('undo', 'Undo the last change of videos"],
])('completion in %s names every command, with its description', async (shell, line) => {
  const script = await scriptOf(shell);
  expect(script).toContain(line);
  for (const { path: command } of allCommands(treeOf())) expect(script).toContain(command);
});

test('the manual page has every command and option, and troff reads it without a warning', async () => {
  const { stdout } = await spoolHere(['man'], { cwd: temporaryFolder() });
  const { stdout: page, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-bcou'], {
    input: stdout,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const words = page.replaceAll('‐', '-').replaceAll('−', '-');
  for (const { path: command, commands } of allCommands(treeOf()))
    if (commands.length === 0) expect(words).toContain(command);
  expect(words).toContain('--leave-out-faulty');
  expect(words).toMatch(/EXIT STATUS[\s\S]*5 +Something needs a decision/);
});

test('only commands whose videos may be archived offer the archive', () => {
  const offering = allCommands(treeOf())
    .filter(({ options }) => options.some(({ names }) => names.includes('--archived')))
    .map(({ path: command }) => command.replace('spool jobs ', ''));
  expect(offering.toSorted()).toEqual([
    'download-again',
    'export',
    'list',
    'remove',
    'rename',
    'retry',
  ]);
});

/** The local service's own program, which prints nothing else. */
const WITHOUT_JSON = ['spool service'];

test('every command has --json', () => {
  const without = allCommands(treeOf())
    .filter(({ commands, options }) => {
      const hasJson = options.some(({ names }) => names.includes('--json'));
      return commands.length === 0 && !hasJson;
    })
    .map(({ path: command }) => command);
  expect(without).toEqual(WITHOUT_JSON);
});

function treeOf() {
  return commandTree(createProgram({} as CommandContext, () => undefined));
}
