import { createHash, type Hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, type FileHandle } from 'node:fs/promises';
import { DirectWriter } from './direct-writer.ts';
import { inspectMp4, type Mp4Report } from './mp4.ts';
import { readerOf } from './mp4-boxes.ts';
import { NO_VALIDATOR, type Validator } from './range-response.ts';
import { clearName, openOwnFile } from './own-file.ts';
import { PART_SUFFIX, RECORD_SUFFIX } from './file-name.ts';
import { readRecord, writeRecord, type PartRecord } from './part-record.ts';
import { hashOf } from './verify.ts';

/**
 * The bytes of one file so far. Invariant: the recorded offset is never ahead of fsynced bytes,
 * and the hash covers exactly the bytes before the offset.
 */
export class PartFile {
  readonly path: string;
  readonly #target: string;
  readonly #video: string | null;
  readonly #file: FileHandle;
  readonly #direct: DirectWriter;
  #hash: Hash = createHash('sha256');
  #offset = 0;
  #total: number | null = null;
  #validator = NO_VALIDATOR;
  #recorded = 0;
  #checkpoint: Promise<void> | undefined;
  #failure: Error | undefined;
  #lastSeen: BigIntStats | undefined;

  private constructor(
    target: string,
    video: string | null,
    file: FileHandle,
    direct: DirectWriter,
  ) {
    this.path = PartFile.pathFor(target);
    this.#target = target;
    this.#video = video;
    this.#file = file;
    this.#direct = direct;
  }

  /** Where the part of `target` lies. */
  static pathFor(target: string): string {
    return target + PART_SUFFIX;
  }

  /**
   * Opens the part beside `target`, or begins one. A part of another video, or whose record does not
   * describe its bytes, is emptied. A part without a readable record may belong to another program:
   * it keeps its bytes under another name.
   */
  static async open(target: string, video: string | null): Promise<PartFile> {
    const record = await readRecord(target);
    if (!record) await clearName(target + RECORD_SUFFIX);
    const file = await openOwnFile(PartFile.pathFor(target), record !== undefined);
    const part = new PartFile(target, video, file, await DirectWriter.for(file));
    try {
      const isOurs = record?.video === video && (await part.#adopt(record));
      if (!isOurs) await part.restart(null, NO_VALIDATOR);
    } catch (error) {
      await part.#closeFile();
      throw error;
    }
    return part;
  }

  /** Bytes of the file that are here, and where the next one goes. */
  get offset(): number {
    return this.#offset;
  }

  /** Size of the whole file in bytes, or `null` when no server has sent it yet. */
  get total(): number | null {
    return this.#total;
  }

  /** Whether all bytes of the file are here, as far as its size is known. */
  get isComplete(): boolean {
    return this.#offset > 0 && this.#offset === this.#total;
  }

  get validator(): Validator {
    return this.#validator;
  }

  /** Bytes that were added since the last checkpoint began. */
  get unrecorded(): number {
    return this.#offset - this.#recorded;
  }

  /** SHA-256 (hex) of the bytes so far. */
  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Forgets all bytes: the file begins again at 0, and belongs to this version from now on. */
  async restart(total: number | null, validator: Validator): Promise<void> {
    await this.#checkpoint;
    this.#hash = createHash('sha256');
    this.#offset = 0;
    this.#total = total;
    this.#validator = validator;
    // The record first: between the two steps it promises less than there is, never more.
    await this.#record(0, this.sha256());
    await this.#file.truncate(0);
    await this.#look();
  }

  /** Learns what an answer says about the file without touching its bytes. */
  describe(total: number | null, validator: Validator): void {
    this.#total = total ?? this.#total;
    this.#validator = {
      etag: validator.etag ?? this.#validator.etag,
      lastModified: validator.lastModified ?? this.#validator.lastModified,
    };
  }

  /** Adds bytes at the offset. On an error nothing was added. */
  async append(bytes: Buffer): Promise<void> {
    if (this.#failure) throw this.#failure;
    const hash = this.#hash.copy();
    const writing = this.#write(bytes);
    // Hashed while the write is on its way in another thread.
    hash.update(bytes);
    await writing;
    this.#hash = hash;
    this.#offset += bytes.length;
  }

  /**
   * Examines the boxes of the bytes that are here.
   * @throws the signal's reason when aborted
   */
  inspect(signal: AbortSignal): Promise<Mp4Report> {
    return inspectMp4(readerOf(this.#file), this.#offset, signal);
  }

  /** Whether these bytes are what already lies at `position`. */
  async matches(position: number, bytes: Buffer): Promise<boolean> {
    const here = Buffer.allocUnsafe(bytes.length);
    const { bytesRead } = await this.#file.read(here, 0, here.length, position);
    return bytesRead === here.length && here.equals(bytes);
  }

  /**
   * Starts to make durable what is here and to record it, while more is added: first the bytes
   * reach the disk, then the record says so. If that fails, the next {@link append} does.
   */
  checkpointBehind(): void {
    this.#checkpoint ??= this.#syncAndRecord(false)
      .catch((error: unknown) => {
        this.#failure = error as Error;
      })
      .finally(() => {
        this.#checkpoint = undefined;
      });
  }

  /** Records that the file is whole, durably, before it is moved to its target. */
  async seal(): Promise<void> {
    await this.#checkpoint;
    this.#total = this.#offset;
    await this.#syncAndRecord(true);
  }

  /** Notes how the file looks after our last write, so that {@link isUntouched} can tell. */
  async rest(): Promise<void> {
    await this.#checkpoint;
    await this.#look();
  }

  /** Whether the part was not deleted, replaced or edited since it was last at rest. */
  async isUntouched(): Promise<boolean> {
    const now = await lstat(this.path, { bigint: true }).catch(() => undefined);
    const then = this.#lastSeen;
    if (!now || !then) return false;
    return now.ino === then.ino && now.size === then.size && now.mtimeNs === then.mtimeNs;
  }

  /** Records all that is here if the disk lets it, and closes the file; both files stay. */
  async close(): Promise<void> {
    await this.#checkpoint;
    try {
      if (this.unrecorded > 0) await this.#syncAndRecord(false);
    } catch {
      // The last record still describes what it was written for; less is resumed, nothing wrong.
    } finally {
      await this.#closeFile();
    }
  }

  async #closeFile(): Promise<void> {
    await this.#direct.close();
    await this.#file.close();
  }

  async #adopt(record: PartRecord): Promise<boolean> {
    const { size } = await this.#file.stat();
    if (size < record.offset || (record.total !== null && record.offset > record.total)) {
      return false;
    }
    const { hash, bytes } = await hashOf(this.#file, record.offset);
    if (bytes < record.offset || hash.copy().digest('hex') !== record.prefixSha256) return false;
    // What lies beyond the recorded offset was never fsynced: it may be anything.
    await this.#file.truncate(record.offset);
    this.#hash = hash;
    this.#offset = record.offset;
    this.#recorded = record.offset;
    this.#total = record.total;
    this.#validator = record.validator;
    await this.#look();
    return true;
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      const rest = bytes.subarray(written);
      const position = this.#offset + written;
      const { bytesWritten } = this.#direct.suits(rest, position)
        ? await this.#direct.write(rest, position)
        : await this.#file.write(rest, 0, rest.length, position);
      written += bytesWritten;
    }
  }

  async #look(): Promise<void> {
    this.#lastSeen = await this.#file.stat({ bigint: true });
  }

  async #syncAndRecord(isWhole: boolean): Promise<void> {
    const offset = this.#offset;
    const prefixSha256 = this.sha256();
    await this.#file.datasync();
    await this.#record(offset, prefixSha256, isWhole);
  }

  async #record(offset: number, prefixSha256: string, isWhole = false): Promise<void> {
    await writeRecord(this.#target, {
      version: 1,
      video: this.#video,
      total: this.#total,
      validator: this.#validator,
      offset,
      prefixSha256,
      isWhole,
    });
    this.#recorded = offset;
  }
}
