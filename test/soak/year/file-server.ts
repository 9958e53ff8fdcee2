import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { userMessage } from '../../../src/contract/user-message.ts';
import { freeName, moveIntoPlace, TargetExistsError } from '../../../src/engine/downloads/place.ts';
import type { DownloadOutcome, DownloadRequest } from '../../../src/engine/downloads/request.ts';
import type { EngineProcess } from './computer.ts';
import { bytesOf, type ModelService, type Video } from './model-service.ts';
import type { Network } from './network.ts';

const SECOND = 1000;
const NEEDED_BYTES = 40_000_000;

/** The host of download links, and the disk of downloaded files. */
export class FileServer {
  state: 'up' | 'busy' | 'unreachable' | 'damages' = 'up';
  readonly disk = { isFull: false, isWritable: true };
  /** When each video's file was last saved, by its id; true time. */
  readonly savedAt = new Map<string, number>();
  readonly #network: Network;
  readonly #secondsOf: (video: Video) => number;

  constructor(network: Network, secondsOf: (video: Video) => number) {
    this.#network = network;
    this.#secondsOf = secondsOf;
  }

  readonly disks = {
    free: (): Promise<number> => Promise.resolve(this.disk.isFull ? 1000 : 1e12),
    canWrite: (): Promise<boolean> => Promise.resolve(this.disk.isWritable),
  };

  /**
   * A transfer that requests a new link when its link has expired, and puts its file in place, as
   * the real one does. Bytes, ranges and resuming are covered by other tests.
   */
  async download(
    request: DownloadRequest,
    service: ModelService,
    process: EngineProcess,
  ): Promise<DownloadOutcome> {
    const now = (): number => this.#network.time.now;
    if (this.disk.isFull) return waiting('no-space', NEEDED_BYTES);
    if (!this.disk.isWritable) return waiting('cannot-write');
    let file = service.fileAt(request.link.url, now());
    const seconds = file === null ? 1 : this.#secondsOf(file);
    try {
      await process.sleep(seconds * SECOND, request.signal);
    } catch {
      return { kind: 'paused', receivedBytes: 0 };
    }
    if (this.state === 'busy') return waiting('server-busy');
    if (this.state === 'unreachable' || this.#network.failure !== null)
      return waiting('unreachable');
    file = service.fileAt(request.link.url, now());
    if (!file) {
      const answer = await request.renewLink?.('expired', request.signal);
      if (answer?.kind === 'wait') return { ...waiting('link-limit'), until: answer.until };
      if (answer?.kind !== 'link') {
        return {
          kind: 'failed',
          code: 'link-refused',
          ...userMessage('verbatim', { text: 'It is gone.' }),
        };
      }
      file = service.fileAt(answer.link.url, now());
      if (!file) return waiting('unreachable');
    }
    if (this.state === 'damages') {
      return {
        kind: 'failed',
        code: 'damaged',
        ...userMessage('verbatim', { text: 'It is damaged there.' }),
      };
    }
    request.onEvent?.({ kind: 'verifying' });
    const outcome = await save(request, bytesOf(file), process);
    if (outcome.kind === 'saved') this.savedAt.set(file.id, now());
    return outcome;
  }
}

async function save(
  { target, onCollision, signal }: DownloadRequest,
  bytes: Buffer,
  process: EngineProcess,
): Promise<DownloadOutcome> {
  mkdirSync(path.dirname(target), { recursive: true });
  const saved = (file: string): DownloadOutcome => ({
    kind: 'saved',
    path: file,
    bytes: bytes.length,
    durationSeconds: 10,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    refetchedBytes: 0,
  });
  const part = `${target}.part`;
  for (;;) {
    if (existsSync(target) && bytes.equals(readFileSync(target))) return saved(target);
    if (onCollision === 'skip' && existsSync(target)) return { kind: 'skipped', path: target };
    const free = onCollision === 'number' ? await freeName(target) : target;
    writeFileSync(part, bytes);
    try {
      await moveIntoPlace(part, free, onCollision === 'replace', process, signal);
      return saved(free);
    } catch (error) {
      if (!(error instanceof TargetExistsError)) throw error;
    }
  }
}

function waiting(
  reason: 'no-space' | 'cannot-write' | 'link-limit' | 'server-busy' | 'unreachable',
  neededBytes: number | null = null,
) {
  return { kind: 'waiting', reason, until: null, neededBytes } as const;
}
