import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';

const SOURCE = path.join(import.meta.dirname, 'engine-process.ts');

/** `engine-process.ts` and all that it needs in one file, so that hundreds of starts cost little. */
export class EngineProgram {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async build(): Promise<EngineProgram> {
    const folder = mkdtempSync(path.join(tmpdir(), 'spool-crash-program-'));
    await build({
      configFile: false,
      logLevel: 'error',
      build: { ssr: SOURCE, outDir: folder, emptyOutDir: false, minify: false },
      ssr: { noExternal: true },
    });
    return new EngineProgram(folder);
  }

  /** A process that waits for its order on standard input. */
  start(): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [path.join(this.#folder, 'engine-process.js')], {
      env: { ...process.env, NODE_COMPILE_CACHE: path.join(this.#folder, 'compiled') },
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
