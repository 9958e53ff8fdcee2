import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../../../src/engine/clock.ts';
import {
  freeName,
  moveIntoPlace,
  TargetExistsError,
} from '../../../../src/engine/downloads/place.ts';
import type {
  DownloadOutcome,
  DownloadRequest,
  WaitReason,
} from '../../../../src/engine/downloads/request.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { FileFault } from './faults.ts';
import type { SimulatedService } from './simulated-service.ts';

const SECOND = 1000;

export interface FileServerParts {
  readonly service: SimulatedService;
  /** Faults of the next transfers, one each. */
  readonly next: FileFault[];
  readonly report: (what: string) => void;
}

/**
 * A transfer that renews an expired link and moves its file to the target, as the real one does.
 * The bytes are covered by other tests (`downloads/`).
 */
export async function transfer(
  request: DownloadRequest,
  { service, next, report }: FileServerParts,
  clock: Clock,
): Promise<DownloadOutcome> {
  const fault = next.shift();
  try {
    await clock.sleep(fault === 'slow' ? 90 * SECOND : SECOND, request.signal);
  } catch {
    // Received bytes are first flushed to a slow disk.
    await clock.sleep(300);
    return { kind: 'paused', receivedBytes: 0 };
  }
  switch (fault) {
    case 'busy':
      return waiting('server-busy', null);
    case 'unreachable':
      return waiting('unreachable', clock.now() + 30 * SECOND);
    case 'no room':
      return { ...waiting('no-space', null), neededBytes: 5000 };
    case 'damaged':
      return {
        kind: 'failed',
        code: 'damaged',
        ...userMessage('verbatim', { text: 'It is damaged there.' }),
      };
    default:
  }
  let url: string = request.link.url;
  if (fault === 'refused' || service.fileAt(url) === null) {
    const renewal = await request.renewLink?.('expired', request.signal);
    if (renewal?.kind === 'wait') return waiting('link-limit', renewal.until);
    if (renewal?.kind !== 'link') {
      return {
        kind: 'failed',
        code: 'link-refused',
        ...userMessage('verbatim', { text: 'It is gone.' }),
      };
    }
    url = renewal.link.url;
  }
  const file = service.fileAt(url);
  if (!file) return waiting('unreachable', clock.now() + 30 * SECOND);
  if (!url.includes(`/${request.video}.mp4`))
    report(`A link of ${url} was used for ${request.video}`);
  request.onEvent?.({ kind: 'verifying' });
  return save(request, file.bytes, clock);
}

async function save(
  { target, signal }: DownloadRequest,
  bytes: Buffer,
  clock: Clock,
): Promise<DownloadOutcome> {
  mkdirSync(path.dirname(target), { recursive: true });
  const part = `${target}.part`;
  writeFileSync(part, bytes);
  for (;;) {
    const free = await freeName(target);
    try {
      await moveIntoPlace(part, free, false, clock, signal);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const size = { bytes: bytes.length, durationSeconds: 10, refetchedBytes: 0 };
      return { kind: 'saved', path: free, sha256, ...size };
    } catch (error) {
      if (!(error instanceof TargetExistsError)) throw error;
    }
  }
}

function waiting(reason: WaitReason, until: number | null) {
  return { kind: 'waiting', reason, until, neededBytes: null } as const;
}
