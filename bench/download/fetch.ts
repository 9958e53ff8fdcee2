/**
 * Runs the downloader alone in a process. Arguments: the link, the target and, for https, the file
 * of the certificate authority.
 */
import { readFileSync } from 'node:fs';
import { Connections } from '../../src/engine/downloads/connections.ts';
import { DiskRoom } from '../../src/engine/downloads/disk.ts';
import { PartLocks } from '../../src/engine/downloads/part-locks.ts';
import { download } from '../../src/engine/downloads/download.ts';
import { systemClock } from '../../src/engine/system-clock.ts';

const [url = '', target = '', caFile] = process.argv.slice(2);
const { origin } = new URL(url);
const trust = caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') };
const outcome = await download(
  {
    link: { url, expiresAt: null },
    target,
    onCollision: 'replace',
    signal: new AbortController().signal,
    // As in the engine, which reports progress during a download.
    onProgress: () => undefined,
  },
  {
    clock: systemClock,
    random: Math.random,
    connections: new Connections({ exceptions: [{ origin, ...trust }] }),
    room: new DiskRoom(),
    locks: new PartLocks(),
  },
);
if (outcome.kind !== 'saved') {
  process.stderr.write(`${JSON.stringify(outcome)}\n`);
  process.exitCode = 1;
}
