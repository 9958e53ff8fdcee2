import { expect, it } from 'vitest';
import { FUSE_SENTINEL } from '../../../build/electron-stand-in.ts';
import { faultsOf, fuseFaults, type PackedFile } from '../../../build/package-contents.ts';
import { updatesAddress } from '../../../build/packager.ts';

const packed = (path: string, unpacked = false): PackedFile => ({ path, bytes: 1, unpacked });

const whole = [
  ...['package.json', 'out/main/main.js', 'out/preload/preload.cjs', 'out/renderer/index.html'],
  ...['out/local-service/main.js', 'out/local-service/rendering/render-worker.js'],
  ...['out/icons/256x256.png', 'resources/fonts/inter.woff2', 'resources/studio/studio.css'],
  'examples/launch-week.csv',
].map((path) => packed(path));
const natives = ['keytar', 'canvas', 'webcodecs'].map((name) =>
  packed(`node_modules/${name}/it.node`, true),
);

it('finds nothing wrong with a package that is whole', () => {
  expect(faultsOf([...whole, ...natives], ['vitest'])).toEqual([]);
});

it.each([
  ['node_modules/vitest/index.js', 'vitest is a tool'],
  ['src/main/main.ts', 'src/main/main.ts has no place'],
  ['node_modules/a/index.d.ts', 'for those who work on it'],
  ['node_modules/a/index.js.map', 'for those who work on it'],
  ['node_modules/a/more.node', 'more.node is not unpacked'],
])('does not let %s pass', (path, fault) => {
  expect(faultsOf([...whole, ...natives, packed(path)], ['vitest']).join('\n')).toContain(fault);
});

it('wants the app’s own code in the archive, where its integrity is checked', () => {
  const unpacked = packed('out/local-service/rendering/more.js', true);
  expect(faultsOf([...whole, ...natives, unpacked], []).join('\n')).toContain('nobody checks it');
});

// abuse.md 28
it('reads the fuses of an executable', () => {
  const fused = (fuses: string) =>
    Buffer.concat([Buffer.from(`ELF…${FUSE_SENTINEL}`), Buffer.from([1, 9]), Buffer.from(fuses)]);
  expect(fuseFaults(fused('010011001'))).toEqual([]);
  for (const other of ['11001100', '01101100', '01011100', '01000100', '01001000', '01001101']) {
    expect(fuseFaults(fused(other)).join()).toContain(`fuses are ${other}`);
  }
  expect(fuseFaults(Buffer.from('ELF'))).toEqual(['The executable has no fuses.']);
});

it('looks for new versions where it is told to, by https, and else nowhere', () => {
  expect(updatesAddress({})).toBeNull();
  expect(updatesAddress({ SPOOL_UPDATES_URL: '' })).toBeNull();
  const address = 'https://updates.example/spool/';
  expect(updatesAddress({ SPOOL_UPDATES_URL: address })).toBe(address);
  expect(() => updatesAddress({ SPOOL_UPDATES_URL: 'http://updates.example/' })).toThrow('https');
  expect(() => updatesAddress({ SPOOL_UPDATES_URL: 'updates' })).toThrow('https');
});

it('misses what the app cannot work without', () => {
  const faults = faultsOf(whole.slice(1), []);
  expect(faults).toContain('package.json is missing.');
  expect(faults).toContain('The native part of keytar is missing.');
});
