import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '../../../../src/local-service/storage/blobs.ts';
import { StorageOutageError } from '../../../../src/local-service/storage-errors.ts';
import { VideoFiles } from '../../../../src/local-service/videos/video-files.ts';
import { stores } from '../../../rigs/blob-stores.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const ID = `vid_${'A'.repeat(22)}`;
const OTHER = `vid_${'B'.repeat(22)}`;
const stored = (content: string) => ({
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

describe.each(Object.entries(stores))('the files of videos in %s', (_name, useStore) => {
  const store = useStore();
  let blobs: Blobs;
  let workFolder: string;
  let files: VideoFiles;

  beforeEach(() => {
    blobs = store();
    workFolder = temporaryFolder();
    files = new VideoFiles(blobs, workFolder);
  });

  const render = (content: string, id = ID): void => {
    writeFileSync(files.workPath(id, 'video'), content);
    writeFileSync(files.workPath(id, 'poster'), `${content} poster`);
  };

  const read = async (attempt: number, kind: 'video' | 'poster' = 'video') => {
    const opened = await files.open({ id: ID, kind, attempt });
    return opened && (await buffer(opened.content)).toString();
  };

  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of blobs.list('')) found.push(key);
    return found.sort();
  };

  test('are stored once they are rendered, and leave the work folder', async () => {
    expect(await files.isRendered(ID)).toBe(false);
    expect(await files.store(ID, 1)).toBeUndefined();
    render('film');
    expect(await files.isRendered(ID)).toBe(true);
    expect(await files.store(ID, 1)).toEqual(stored('film'));
    expect(readdirSync(workFolder)).toEqual([]);
    expect([await read(1), await read(1, 'poster')]).toEqual(['film', 'film poster']);
    expect(await read(2)).toBeUndefined();
    // As after a kill between storing the files and recording it.
    expect(await files.store(ID, 1)).toEqual(stored('film'));
  });

  test('are separate for each attempt, and can be removed together', async () => {
    for (const attempt of [1, 2, 11]) {
      render(`film ${attempt}`);
      await files.store(ID, attempt);
    }
    render('other', OTHER);
    await files.store(OTHER, 1);
    expect([await read(1), await read(2)]).toEqual(['film 1', 'film 2']);
    await files.removeAttempt(ID, 2);
    expect([await read(1), await read(2)]).toEqual(['film 1', undefined]);
    await files.remove(ID);
    expect(await keys()).toEqual([`${OTHER}/1.jpg`, `${OTHER}/1.mp4`]);
    await files.remove(ID);
  });

  test('stay in the work folder while they cannot be stored', async () => {
    let isFull = true;
    const failing: Blobs = {
      put: (files, signal) =>
        isFull ? Promise.reject(new StorageOutageError('full')) : blobs.put(files, signal),
      open: (key, options) => blobs.open(key, options),
      stat: (key) => blobs.stat(key),
      delete: (names) => blobs.delete(names),
      list: (prefix) => blobs.list(prefix),
    };
    files = new VideoFiles(failing, workFolder);
    render('film');
    await expect(files.store(ID, 1)).rejects.toMatchObject({ outage: 'full' });
    await expect(files.store(ID, 2)).rejects.toThrow(StorageOutageError);
    expect(await files.isRendered(ID)).toBe(true);
    isFull = false;
    expect(await files.store(ID, 3)).toEqual(stored('film'));
    expect(await read(3)).toBe('film');
    expect(await files.isRendered(ID)).toBe(false);
  });

  test('that an earlier process left are deleted, except those of the given videos', async () => {
    render('film');
    render('other', OTHER);
    writeFileSync(`${files.workPath(ID, 'video')}.part`, 'part');
    await files.discardAllBut([OTHER]);
    expect(await files.isRendered(ID)).toBe(false);
    expect(await files.isRendered(OTHER)).toBe(true);
    expect(existsSync(`${files.workPath(ID, 'video')}.part`)).toBe(false);
    await files.discard(OTHER);
    expect(readdirSync(workFolder)).toEqual([]);
  });

  test.each(['', '..', '../x', 'vid_short', `${ID}/../x`])('reject the video ID %j', async (id) => {
    expect(() => files.workPath(id, 'video')).toThrow(RangeError);
    await expect(files.open({ id, kind: 'video', attempt: 1 })).rejects.toThrow(RangeError);
    await expect(files.remove(id)).rejects.toThrow(RangeError);
  });
});
