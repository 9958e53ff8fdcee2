import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcePaths } from '../../../build/source-paths.ts';

const ROOT = path.resolve('/app/src');

/** The folder that a module's code refers to from a chunk in `/app/out`. */
function folderIn(chunk: string, module: string): string {
  const paths = sourcePaths(ROOT);
  const code = paths.transform('import.meta.dirname', path.join(ROOT, module));
  const rendered = paths.renderChunk(code ?? '', { fileName: chunk }) ?? '';
  const [, below = ''] = /^\(import\.meta\.dirname \+ "\/(.*)"\)$/.exec(rendered) ?? [];
  return path.posix.resolve('/app/out', path.posix.dirname(chunk), below);
}

describe('the folder of a module in the build', () => {
  it.each(['main/main.js', 'chunks/shared-1a2b.js', 'local-service/rendering/worker.js', 'one.js'])(
    'is that of its source, in %s',
    (chunk) => {
      expect(folderIn(chunk, 'engine/intake/read.ts')).toBe('/app/out/engine/intake');
      expect(folderIn(chunk, 'main/main.ts')).toBe('/app/out/main');
    },
  );

  it('is unchanged in other code', () => {
    const paths = sourcePaths(ROOT);
    expect(paths.transform('import.meta.dirname', '/app/node_modules/a/a.js')).toBeNull();
    expect(paths.renderChunk('import.meta.dirname', { fileName: 'main/main.js' })).toBeNull();
  });

  it('cannot be read from a URL', () => {
    const file = path.join(ROOT, 'a.ts');
    expect(() => sourcePaths(ROOT).transform('import.meta.url', file)).toThrow('a.ts has another');
  });
});
