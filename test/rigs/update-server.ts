import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { channelSignature } from '../../build/update-signing.ts';
import { channelFileName, type UpdateChannel } from '../../src/main/update-signature.ts';

/**
 * A new version as an AppImage: a program that records whether it was started as the first
 * instance. A second instance of the app would end at once.
 */
const NEW_VERSION = `#!/bin/sh
if [ -e "$STAND_IN_HOME/data/window/instance/lock" ]; then echo second > "$0.ran"; else echo first > "$0.ran"; fi
`;

/** The content of a channel's file about a new version. */
function channelFile(
  channel: UpdateChannel,
  version: string,
  url: string,
  file: Buffer,
  key: KeyObject,
): string {
  const sha512 = createHash('sha512').update(file).digest('base64');
  const text =
    `version: ${version}\nfiles:\n  - url: ${url}\n    sha512: ${sha512}\n    size: ${file.length}\n` +
    `path: ${url}\nsha512: ${sha512}\nreleaseDate: '2026-01-01T00:00:00.000Z'\n`;
  return text + channelSignature(channelFileName(channel, 'linux', 'x64'), text, key);
}

/**
 * Offers a new version of the app and a preview of the next one, in the format of electron-builder.
 */
export class UpdateServer {
  /** Paths that were requested, in order. */
  readonly asked: string[] = [];
  /** The publisher's key. */
  readonly key = generateKeyPairSync('ed25519').privateKey;
  /** Whether an attacker answers, who can change all files but lacks the publisher's key. */
  isTakenOver = false;
  readonly #server: Server;

  private constructor() {
    const file = Buffer.from(NEW_VERSION);
    const stable = 'Spool-99.0.0.AppImage';
    const preview = 'Spool-99.1.0-beta.1.AppImage';
    const answers = new Map<string, string | Buffer>([
      ['/latest-linux.yml', channelFile('latest', '99.0.0', stable, file, this.key)],
      ['/beta-linux.yml', channelFile('beta', '99.1.0-beta.1', preview, file, this.key)],
      [`/${stable}`, file],
      [`/${preview}`, file],
    ]);
    const forged = channelFile(
      'latest',
      '99.0.0',
      stable,
      file,
      generateKeyPairSync('ed25519').privateKey,
    );
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
      this.asked.push(pathname);
      const answer =
        this.isTakenOver && pathname === '/latest-linux.yml' ? forged : answers.get(pathname);
      response.writeHead(answer === undefined ? 404 : 200).end(answer);
    });
  }

  static async open(): Promise<UpdateServer> {
    const opened = new UpdateServer();
    opened.#server.listen(0, '127.0.0.1');
    await once(opened.#server, 'listening');
    return opened;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
