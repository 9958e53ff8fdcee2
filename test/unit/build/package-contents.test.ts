import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FUSE_SENTINEL } from '../../../build/electron-stand-in.ts';
import { packageProblems, fuseProblems, type PackedFile } from '../../../build/package-contents.ts';
import { updateSource } from '../../../build/packager.ts';
import { signingOf } from '../../../build/signing.ts';

const updatesEnv = {
  SPOOL_UPDATES_URL: 'https://updates.example/spool/',
  SPOOL_UPDATES_KEY: generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString(),
};

const packed = (path: string, unpacked = false): PackedFile => ({ path, bytes: 1, unpacked });

const whole = [
  'package.json',
  'out/main/main.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
  'out/engine/intake/read-batch-worker.js',
  'out/host/posters/decoder-program.js',
  'out/host/posters/decoder-worker.js',
  ...['render-process-main', 'render-worker'].map(
    (name) => `out/local-service/rendering/${name}.js`,
  ),
  'out/local-service/main.js',
  'out/icons/trayTemplate.png',
  'out/icons/trayTemplate@2x.png',
  'out/icons/256x256.png',
  'resources/fonts/inter.woff2',
  'resources/studio/studio.css',
  'examples/launch-week.csv',
].map((path) => packed(path));
const natives = ['keytar', 'canvas', 'webcodecs'].map((name) =>
  packed(`node_modules/${name}/it.node`, true),
);

it('accepts a complete package', () => {
  expect(packageProblems([...whole, ...natives], ['vitest'])).toEqual([]);
});

it.each([
  ['node_modules/vitest/index.js', 'vitest is a tool'],
  ['src/main/main.ts', 'src/main/main.ts has no place'],
  ['out/golden/index.html', 'out/golden/index.html has no place'],
  ['node_modules/a/index.d.ts', 'for those who work on it'],
  ['node_modules/a/index.js.map', 'for those who work on it'],
  ['node_modules/a/more.node', 'more.node is not unpacked'],
  ['node_modules/pg/lib/index.js', 'for a service on several computers'],
  ['node_modules/pg-boss/dist/index.js', 'for a service on several computers'],
  ['node_modules/@aws-sdk/client-s3/dist-cjs/index.js', 'for a service on several computers'],
])('refuses %s', (path, fault) => {
  expect(packageProblems([...whole, ...natives, packed(path)], ['vitest']).join('\n')).toContain(
    fault,
  );
});

it.each(['out/local-service/more.js', 'node_modules/@napi-rs/canvas/index.js', 'package.json'])(
  'requires %s in the archive, where its integrity is checked',
  (path) => {
    const files = [...whole, ...natives, packed(path, true)];
    expect(packageProblems(files, []).join('\n')).toContain('integrity is not checked');
  },
);

it('accepts the data that a native file reads on Windows', () => {
  const data = packed('node_modules/@napi-rs/canvas-win32-x64-msvc/icudtl.dat', true);
  expect(packageProblems([...whole, ...natives, data], [])).toEqual([]);
});

// abuse.md 28
it('reads the fuses of an executable', () => {
  const fused = (fuses: string) =>
    Buffer.concat([Buffer.from(`ELF…${FUSE_SENTINEL}`), Buffer.from([1, 9]), Buffer.from(fuses)]);
  expect(fuseProblems(fused('010011001'))).toEqual([]);
  for (const other of ['11001100', '01101100', '01011100', '01000100', '01001000', '01001101']) {
    expect(fuseProblems(fused(other)).join()).toContain(`fuses are ${other}`);
  }
  expect(fuseProblems(Buffer.from('ELF'))).toEqual(['The executable has no fuses.']);
});

it('looks for new versions only at the configured address, by https', () => {
  expect(updateSource({})).toBeNull();
  expect(updateSource({ SPOOL_UPDATES_URL: '' })).toBeNull();
  expect(updateSource(updatesEnv, 'linux')?.url).toBe('https://updates.example/spool/');
  for (const other of ['http://updates.example/', 'updates']) {
    expect(() => updateSource({ ...updatesEnv, SPOOL_UPDATES_URL: other })).toThrow('https');
  }
});

// abuse.md 38
it('offers no updates without a key to sign them with', () => {
  const url = { SPOOL_UPDATES_URL: updatesEnv.SPOOL_UPDATES_URL };
  expect(() => updateSource(url, 'linux')).toThrow('needs SPOOL_UPDATES_KEY');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  for (const key of ['secret', rsa.export({ format: 'pem', type: 'pkcs8' }).toString()]) {
    expect(() => updateSource({ ...url, SPOOL_UPDATES_KEY: key }, 'linux')).toThrow('Ed25519');
  }
});

it('reports missing files that the app needs', () => {
  const faults = packageProblems(whole.slice(1), []);
  expect(faults).toContain('package.json is missing.');
  expect(faults).toContain('The native part of keytar is missing.');
});

describe('the signature of a build', () => {
  const certificate = { CSC_LINK: 'spool.p12', CSC_KEY_PASSWORD: 'x' };
  const appleKey = { APPLE_API_KEY: 'k.p8', APPLE_API_KEY_ID: 'K', APPLE_API_ISSUER: 'I' };

  it('is made and notarised if the environment has the credentials', () => {
    expect(signingOf('darwin', {})).toEqual({ signs: false, notarises: false });
    expect(signingOf('darwin', certificate)).toEqual({ signs: true, notarises: false });
    expect(signingOf('darwin', { ...certificate, ...appleKey })).toEqual({
      signs: true,
      notarises: true,
    });
    expect(signingOf('win32', { WIN_CSC_LINK: 'spool.pfx' }).signs).toBe(true);
    expect(signingOf('linux', certificate)).toEqual({ signs: false, notarises: false });
  });

  it('is refused with incomplete credentials', () => {
    const half = { ...certificate, APPLE_ID: 'ada@example.com' };
    expect(() => signingOf('darwin', half)).toThrow(/APPLE_APP_SPECIFIC_PASSWORD.*APPLE_TEAM_ID/);
    expect(() => signingOf('darwin', appleKey)).toThrow('CSC_LINK');
  });

  it('is needed for updates of macOS, which replaces signed apps only', () => {
    expect(() => updateSource(updatesEnv, 'darwin')).toThrow('CSC_LINK');
    expect(updateSource({ ...updatesEnv, ...certificate }, 'darwin')).not.toBeNull();
  });
});
