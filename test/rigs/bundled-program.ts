import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';

/**
 * A program bundled with its imports and its compiled code cached, so that hundreds of starts are
 * cheap: `spawn(process.execPath, [program.file], { env: program.env })`.
 */
export class BundledProgram {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #folder: string;

  private constructor(folder: string, name: string) {
    this.#folder = folder;
    this.file = path.join(folder, `${name}.js`);
    this.env = { ...process.env, NODE_COMPILE_CACHE: path.join(folder, 'compiled') };
  }

  /** @param source absolute path of a TypeScript file */
  static async build(source: string): Promise<BundledProgram> {
    const folder = mkdtempSync(path.join(tmpdir(), 'spool-bundled-'));
    await build({
      configFile: false,
      logLevel: 'error',
      build: { ssr: source, outDir: folder, emptyOutDir: false, minify: false },
      ssr: { noExternal: true },
    });
    return new BundledProgram(folder, path.parse(source).name);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
