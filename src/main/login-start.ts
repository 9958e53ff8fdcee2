import { mkdirSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

/** Whether Spool starts when its owner logs in. The system keeps that, and so no file of ours does. */
export interface LoginStart {
  readonly isOn: boolean;
  set(wanted: boolean): void;
}

/** macOS and Windows keep it themselves; Linux desktops look into a folder. */
export function loginStart(platform: NodeJS.Platform, configFolder: string): LoginStart {
  return platform === 'linux' ? new AutostartFile(configFolder) : systemLoginItem;
}

const systemLoginItem: LoginStart = {
  get isOn() {
    return app.getLoginItemSettings().openAtLogin;
  },
  set(wanted) {
    app.setLoginItemSettings({ openAtLogin: wanted });
  },
};

/** An entry of the freedesktop autostart specification. */
class AutostartFile implements LoginStart {
  readonly #file: string;

  constructor(configFolder: string) {
    this.#file = path.join(configFolder, 'autostart', 'spool.desktop');
  }

  get isOn(): boolean {
    return existsSync(this.#file);
  }

  set(wanted: boolean): void {
    if (!wanted) {
      rmSync(this.#file, { force: true });
      return;
    }
    // An AppImage runs from a folder that is another one every time; it says where it really is.
    const program = process.env.APPIMAGE ?? process.execPath;
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(
      this.#file,
      ['[Desktop Entry]', 'Type=Application', 'Name=Spool', `Exec=${quoted(program)}`, ''].join(
        '\n',
      ),
    );
  }
}

/** As the Desktop Entry Specification quotes an argument of `Exec`. */
function quoted(argument: string): string {
  return `"${argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}
