import path from 'node:path';
import { userMessage } from '../../contract/user-message.ts';
import {
  allowHost,
  PUBLIC_ONLY,
  withoutQuery,
  type AddressPolicy,
} from '../../engine/downloads/address-policy.ts';
import { Connections } from '../../engine/downloads/connections.ts';
import { DiskRoom, KEEP_FREE_BYTES } from '../../engine/downloads/disk.ts';
import { PartLocks } from '../../engine/downloads/part-locks.ts';
import { download } from '../../engine/downloads/download.ts';
import type { DownloadOutcome, WaitingOutcome } from '../../engine/downloads/request.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { environmentProxy } from '../../engine/proxy.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { readSmallText } from '../../host/bounded-file.ts';
import type { CommandContext } from '../command-context.ts';
import { formatLength, formatSize, formatWhen } from '../display/numbers.ts';
import { relativePath } from '../display/report.ts';
import { EXIT, type ExitCode, exitCodeOfInterruption } from '../exit-codes.ts';
import { writeEvent } from '../write-event.ts';

export interface DownloadOptions {
  /** As typed. */
  readonly out: string;
  /** `host:port` that may be private, and may speak plain HTTP. */
  readonly allowHost?: string;
  /** Path of the certificate authority (PEM) to trust for that host only. */
  readonly ca?: string;
  /** Names may resolve to addresses of VPNs and NAT64. */
  readonly allowVpnAddresses?: boolean;
  readonly json?: boolean;
}

/**
 * Downloads one video by its link, as the engine does: resumable, verified, never overwriting a
 * file.
 */
export async function downloadLink(
  url: string,
  options: DownloadOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { cwd, stdout, stderr, interrupted } = context;
  const policy = await policyOf(options);
  const outcome = await download(
    {
      link: { url, expiresAt: null },
      target: path.resolve(cwd, options.out),
      onCollision: 'skip',
      signal: interrupted,
      onEvent: (event) => {
        if (event.kind === 'retrying') stderr.write(`Trying again: ${event.cause}\n`);
      },
    },
    {
      clock: systemClock,
      random: Math.random,
      connections: new Connections(policy, {
        findProxy: environmentProxy(context.proxySettings),
      }),
      room: new DiskRoom(KEEP_FREE_BYTES),
      locks: new PartLocks(),
    },
  );
  if (outcome.kind === 'saved') {
    const { path: file, bytes, durationSeconds } = outcome;
    if (options.json) {
      writeEvent(context, { event: 'saved', path: file, bytes, durationSeconds });
      return EXIT.allSaved;
    }
    const length =
      outcome.durationSeconds === null ? '' : `${formatLength(outcome.durationSeconds)}, `;
    stdout.write(`${relativePath(outcome.path, cwd)} (${length}${formatSize(outcome.bytes)})\n`);
    return EXIT.allSaved;
  }
  const text = outcomeText(outcome, context);
  if (options.json)
    writeEvent(context, { event: 'not-saved', outcome: outcome.kind, message: text });
  stderr.write(`${withoutQuery(url)}: ${text}\n`);
  return outcome.kind === 'paused' ? exitCodeOfInterruption(interrupted) : EXIT.someFailed;
}

/** The exception for a private address, and the certificate authority to trust for it. */
async function policyOf({
  allowHost: host,
  ca: caFile,
  allowVpnAddresses = false,
}: DownloadOptions): Promise<AddressPolicy> {
  if (host === undefined) return { ...PUBLIC_ONLY, allowVpnAddresses };
  const ca = caFile === undefined ? {} : { ca: await readAuthority(caFile) };
  const exceptions = [{ ...allowHost(host), ...ca }, { origin: `http://${host}` }];
  return { exceptions, allowVpnAddresses };
}

async function readAuthority(file: string): Promise<string> {
  try {
    return await readSmallText(file);
  } catch (cause) {
    const message = userMessage('certificate-file-unreadable', { file });
    throw new EngineError({ code: 'service-unreachable', ...message }, { cause });
  }
}

function outcomeText(
  outcome: Exclude<DownloadOutcome, { kind: 'saved' }>,
  { cwd, now }: CommandContext,
): string {
  switch (outcome.kind) {
    case 'failed':
      return outcome.message;
    case 'skipped':
      return `${relativePath(outcome.path, cwd)} already exists and was not changed.`;
    case 'paused':
      return 'Interrupted. The downloaded part is kept; run the same command again to resume.';
    case 'waiting': {
      const why = outcome.reason === 'proxy-failed' ? outcome.why.message : WAITS[outcome.reason];
      const until = outcome.until === null ? 'later' : formatWhen(outcome.until, now());
      return `${why} The downloaded part is kept; to resume, run the same command again ${until}.`;
    }
  }
}

const WAITS: Readonly<Record<Exclude<WaitingOutcome['reason'], 'proxy-failed'>, string>> = {
  'no-space': 'The disk is full.',
  'cannot-write': 'The folder cannot be written to.',
  'too-many-files': userMessage('too-many-open-files').message,
  'link-limit': 'No new link is available yet.',
  'no-link': 'The service gave no new link.',
  'server-busy': 'The server is busy.',
  unreachable: 'The server cannot be reached.',
  'address-blocked':
    'The server has an address of a VPN or mobile network; --allow-vpn-addresses allows those.',
};
