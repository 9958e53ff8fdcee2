import path from 'node:path';

/** The Node that runs the stand-in; `process.execPath` names Electron's executable afterwards. */
export const NODE = process.execPath;

/** Electron's executable runs no script for its app: packaged builds turn `runAsNode` off. */
const EXECUTABLE = path.join(import.meta.dirname, 'electron-executable.sh');

/** The version whose documentation the stand-in follows. */
const VERSION = '45.4.1';

/**
 * Gives this process the properties that Electron adds to Node's. Libraries check them: commander,
 * for one, reads `process.argv` differently.
 *
 * @param type Electron's name of the process type
 */
export function becomeElectron(type: 'browser' | 'utility' | 'worker'): void {
  const versions = { ...process.versions, electron: VERSION, chrome: '150.0.0.0' };
  Object.defineProperty(process, 'versions', { value: Object.freeze(versions), enumerable: true });
  Object.defineProperty(process, 'type', { value: type, enumerable: true });
  Object.defineProperty(process, 'execPath', { value: EXECUTABLE, enumerable: true });
}
