import path from 'node:path';

/** Stands for a source folder in a chunk, until the chunk's own path is known. */
const FOLDER = /import\.meta\.sourceFolder\("(?<folder>[^"]*)"\)/g;

interface SourcePaths {
  readonly name: string;
  transform(code: string, id: string): string | null;
  renderChunk(code: string, chunk: { readonly fileName: string }): string | null;
}

/**
 * A plugin of the bundler: `import.meta.dirname` of a module stays its folder in the sources, below
 * the output's folder, whichever chunk contains the module's code. So a program or a worker has the
 * same path relative to the module in sources and build.
 *
 * @param root absolute path of the sources
 */
export function sourcePaths(root: string): SourcePaths {
  return {
    name: 'source-paths',
    transform(code, id) {
      const file = path.relative(root, id);
      if (file.startsWith('..') || path.isAbsolute(file)) return null;
      if (code.includes('import.meta.url')) {
        throw new TypeError(`${file} has another URL in the build; use import.meta.dirname.`);
      }
      const folder = path.dirname(file).replaceAll(path.sep, '/');
      return code.replaceAll('import.meta.dirname', `import.meta.sourceFolder("${folder}")`);
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('import.meta.sourceFolder')) return null;
      const chunkFolder = path.posix.dirname(fileName);
      return code.replaceAll(
        FOLDER,
        (_match, folder: string) =>
          `(import.meta.dirname + "/${path.posix.relative(chunkFolder, folder)}")`,
      );
    },
  };
}
