import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { Connections } from '../../src/engine/downloads/connections.ts';
import { DiskRoom } from '../../src/engine/downloads/disk.ts';
import { PartLocks } from '../../src/engine/downloads/part-locks.ts';
import { download } from '../../src/engine/downloads/download.ts';
import { PartFile } from '../../src/engine/downloads/part-file.ts';
import type {
  DownloadEvent,
  DownloadOutcome,
  DownloadRequest,
} from '../../src/engine/downloads/request.ts';
import { FaultServer, type Script, type WireRequest } from './fault-server.ts';
import { sha256 } from './seeded-video.ts';
import { VirtualClock } from './virtual-clock.ts';

interface RigLimits {
  /** Bytes that downloads leave free. */
  readonly keepFree?: number;
  readonly maxUnstatedBytes?: number;
}

interface RigOptions extends RigLimits {
  readonly clock?: VirtualClock;
  /** The parent folder of the rig's folder. */
  readonly parent?: string;
}

/**
 * A downloader with a temporary folder, a faulty server and a virtual clock. Everything is removed
 * after the test.
 */
export class DownloadRig {
  readonly clock: VirtualClock;
  readonly server: FaultServer;
  readonly connections: Connections;
  readonly room: DiskRoom;
  readonly maxUnstatedBytes: number | undefined;
  readonly locks = new PartLocks();
  readonly events: DownloadEvent[] = [];
  readonly target: string;

  private constructor(
    server: FaultServer,
    folder: string,
    clock: VirtualClock,
    { keepFree = 0, maxUnstatedBytes }: RigLimits,
  ) {
    this.room = new DiskRoom(keepFree);
    this.maxUnstatedBytes = maxUnstatedBytes;
    this.server = server;
    this.clock = clock;
    this.target = path.join(folder, 'film.mp4');
    this.connections = new Connections({ exceptions: [{ origin: server.origin }] });
  }

  static async start(
    script: Script,
    { clock = new VirtualClock(), parent = tmpdir(), ...limits }: RigOptions = {},
  ): Promise<DownloadRig> {
    const folder = await mkdtemp(path.join(parent, 'spool-download-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const server = await FaultServer.start(script);
    onTestFinished(() => server.stop());
    return new DownloadRig(server, folder, clock, limits);
  }

  get requests(): readonly WireRequest[] {
    return this.server.requests;
  }

  /**
   * Downloads to the rig's target. Waits between attempts pass at once, in virtual time.
   * @param connections other than those that reach the rig's own server
   */
  download(
    changes: Partial<DownloadRequest> = {},
    connections = this.connections,
  ): Promise<DownloadOutcome> {
    return download(
      {
        link: { url: this.server.url(), expiresAt: null },
        target: this.target,
        onCollision: 'number',
        signal: new AbortController().signal,
        ...changes,
        onEvent: (event) => {
          this.events.push(event);
          changes.onEvent?.(event);
          if (event.kind === 'retrying') void this.clock.advance(event.waitMs);
        },
      },
      {
        clock: this.clock,
        random: () => 0.5,
        connections,
        room: this.room,
        locks: this.locks,
        ...(this.maxUnstatedBytes === undefined ? {} : { maxUnstatedBytes: this.maxUnstatedBytes }),
      },
    );
  }

  /** Resolves once the part contains `bytes` bytes; buffered bytes are flushed in virtual time. */
  async untilPartHolds(bytes: number): Promise<void> {
    while ((await this.partSize()) < bytes) await this.clock.advance(250);
  }

  async partSize(): Promise<number> {
    return (await stat(this.partPath).catch(() => undefined))?.size ?? -1;
  }

  get partPath(): string {
    return PartFile.pathFor(this.target);
  }

  /** Creates a part as an earlier run would have left it. */
  async plant(
    bytes: Buffer,
    {
      total = null as number | null,
      etag = null as string | null,
      video = null as string | null,
    } = {},
  ): Promise<void> {
    const part = await PartFile.open(this.target, video);
    part.describe(total, { etag, lastModified: null });
    await part.append(bytes);
    await part.close();
  }

  /** SHA-256 of the file at the target. */
  async savedSha256(): Promise<string> {
    return sha256(await readFile(this.target));
  }

  causes(kind: 'retrying' | 'restarted'): string[] {
    return this.events.flatMap((event) => (event.kind === kind ? [event.cause] : []));
  }
}
