import { expect, it } from 'vitest';
import { faultsOf, type PackedFile } from '../../../build/package-contents.ts';

const packed = (path: string, unpacked = false): PackedFile => ({ path, bytes: 1, unpacked });

const whole = [
  ...['package.json', 'out/main/main.js', 'out/preload/preload.cjs', 'out/renderer/index.html'],
  ...['out/local-service/main.js', 'out/local-service/rendering/render-worker.js'],
  ...['out/icons/256x256.png', 'resources/fonts/inter.woff2', 'resources/studio/studio.css'],
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

it('misses what the app cannot work without', () => {
  const faults = faultsOf(whole.slice(1), []);
  expect(faults).toContain('package.json is missing.');
  expect(faults).toContain('The native part of keytar is missing.');
});
