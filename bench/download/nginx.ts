import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { issueCertificate } from '../../test/rigs/certificates.ts';
import { freePort } from './free-port.ts';

/** An nginx with a configuration, a certificate and a folder for this run only. */
export interface Nginx {
  readonly http: string;
  readonly https: string;
  /** PEM file of the authority that issued its certificate. */
  readonly caFile: string;
  /** The folder that it serves. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Serves `<home>/files` on loopback; Debian's `nginx-light` is enough. */
export async function startNginx(home: string): Promise<Nginx> {
  const folder = path.join(home, 'files');
  const caFile = path.join(home, 'ca.pem');
  await mkdir(folder, { recursive: true });
  const { ca, cert, key } = await issueCertificate();
  await writeFile(caFile, ca);
  await writeFile(path.join(home, 'cert.pem'), cert);
  await writeFile(path.join(home, 'key.pem'), key, { mode: 0o600 });
  const [plain, secure] = [await freePort(), await freePort()];
  const configuration = path.join(home, 'nginx.conf');
  await writeFile(configuration, configurationFor(home, folder, plain, secure));
  const child = spawn('/usr/sbin/nginx', ['-c', configuration, '-e', path.join(home, 'errors')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await untilListening(secure);
  return {
    http: `http://127.0.0.1:${plain}`,
    https: `https://127.0.0.1:${secure}`,
    caFile,
    folder,
    async stop() {
      child.kill();
      await once(child, 'close');
    },
  };
}

function configurationFor(home: string, folder: string, plain: number, secure: number): string {
  // In the foreground, as one process that keeps its rights: a signal to its id ends it.
  return `
daemon off;
master_process off;
pid ${home}/nginx.pid;
events {}
http {
  access_log off;
  sendfile on;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  types { video/mp4 mp4; }
  root ${folder};
  server { listen 127.0.0.1:${plain}; }
  server {
    listen 127.0.0.1:${secure} ssl;
    ssl_certificate ${home}/cert.pem;
    ssl_certificate_key ${home}/key.pem;
  }
}
`;
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
  throw new Error('nginx did not start.');
}
