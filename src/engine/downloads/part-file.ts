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

  static pathFor(target: string): string {
    return target + PART_SUFFIX;
  }

  /**
   * Opens the part beside `target`, or creates one. A part of another video, or whose record does
   * not match its bytes, is emptied. A part without a readable record may belong to another
   * program: it is renamed and keeps its content.
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

  /** Number of bytes that are here, and the position of the next one. */
  get offset(): number {
    return this.#offset;
  }

  /** Size of the whole file in bytes, or `null` if no server has sent it yet. */
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

  /** Empties the part: the file begins again at 0, and belongs to this version from now on. */
  async restart(total: number | null, validator: Validator): Promise<void> {
    await this.#checkpoint;
    this.#hash = createHash('sha256');
    this.#offset = 0;
    this.#total = total;
    this.#validator = validator;
    // The record is written first: between the two steps it states fewer bytes than there are,
    // never more.
    await this.#record(0, this.sha256());
    await this.#file.truncate(0);
    await this.#readState();
  }

  /** Stores what a response says about the file without changing its bytes. */
  describe(total: number | null, validator: Validator): void {
    this.#total = total ?? this.#total;
    this.#validator = {
      etag: validator.etag ?? this.#validator.etag,
      lastModified: validator.lastModified ?? this.#validator.lastModified,
    };
  }

  /** Appends bytes at the offset. If it throws, nothing was added. */
  async append(bytes: Buffer): Promise<void> {
    if (this.#failure) throw this.#failure;
    const hash = this.#hash.copy();
    const writing = this.#write(bytes);
    // Hashes while another thread writes.
    hash.update(bytes);
    await writing;
    this.#hash = hash;
    this.#offset += bytes.length;
  }

  /**
   * Examines the boxes of the bytes received so far.
   * @throws the signal's reason when aborted
   */
  inspect(signal: AbortSignal): Promise<Mp4Report> {
    return inspectMp4(readerOf(this.#file), this.#offset, signal);
  }

  /** Whether these bytes equal those stored at `position`. */
  async matches(position: number, bytes: Buffer): Promise<boolean> {
    const here = Buffer.allocUnsafe(bytes.length);
    const { bytesRead } = await this.#file.read(here, 0, here.length, position);
    return bytesRead === here.length && here.equals(bytes);
  }

  /**
   * Starts to sync and record the bytes written so far, while more are added: first the bytes reach
   * the disk, then the record states them. If that fails, the next {@link append} throws.
   */
  checkpointInBackground(): void {
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

  /** Remembers size and times of the file after our last write, for {@link isUntouched}. */
  async rememberState(): Promise<void> {
    await this.#checkpoint;
    await this.#readState();
  }

  /** Whether the part was not deleted, replaced or edited since `rememberState` was last called. */
  async isUntouched(): Promise<boolean> {
    const now = await lstat(this.path, { bigint: true }).catch(() => undefined);
    const then = this.#lastSeen;
    if (!now || !then) return false;
    return now.ino === then.ino && now.size === then.size && now.mtimeNs === then.mtimeNs;
  }

  /** Records all bytes if the disk accepts that, and closes the file; both files stay. */
  async close(): Promise<void> {
    await this.#checkpoint;
    try {
      if (this.unrecorded > 0) await this.#syncAndRecord(false);
    } catch {
      // The last record still describes the bytes that it was written for; a resume downloads more,
      // but nothing wrong.
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
    // Bytes beyond the recorded offset were never synced, so they are not known to be right.
    await this.#file.truncate(record.offset);
    this.#hash = hash;
    this.#offset = record.offset;
    this.#recorded = record.offset;
    this.#total = record.total;
    this.#validator = record.validator;
    await this.#readState();
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

  async #readState(): Promise<void> {
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
