import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { userMessage } from '../../contract/user-message.ts';
import { DiskRoom } from '../../engine/downloads/disk.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { inspectDatabase } from '../../engine/jobs/database.ts';
import { DiskReserve } from '../../engine/jobs/disk-reserve.ts';
import type { ProxySettings } from '../../engine/proxy.ts';
import { exposureOf } from '../../engine/files/private-folder.ts';
import { installedElectron } from '../commands/start.ts';
import { formatCount, formatTimestamp, formatSize } from '../display/numbers.ts';
import type { Finding } from './finding.ts';

/** With less free space, a batch is likely to fill the disk. */
const LOW_SPACE_BYTES = 2e9;

/** Checks the queue's database read-only, so that damage is found before anything repairs it. */
export function checkDatabase(dataDir: string): Finding {
  const check = 'queue';
  try {
    const { condition, backupAt } = inspectDatabase(dataDir);
    const backup =
      backupAt === null ? 'There is no backup' : `Its backup is from ${formatTimestamp(backupAt)}`;
    switch (condition) {
      case 'none':
        return { check, state: 'good', message: `There is no queue in ${dataDir} yet.` };
      case 'sound':
        return { check, state: 'good', message: `The database in ${dataDir} is sound.` };
      case 'damaged':
        return {
          check,
          state: 'bad',
          message: `The database in ${dataDir} is damaged. ${backup}.`,
          advice:
            backupAt === null
              ? 'spool doctor --fix, or the next start, keeps the damaged file under another name, and starts an empty queue. Nothing is sent until you resume it.'
              : 'spool doctor --fix, or the next start, renames it and continues from the backup. Videos that may have been sent since then are marked and never sent twice.',
        };
      case 'newer':
        return {
          check,
          state: 'bad',
          message: 'The database was written by a newer version of Spool.',
          advice: 'Use that version; this one does not change it.',
        };
      case 'older':
        return {
          check,
          state: 'bad',
          message: 'The database was written by an earlier build of Spool.',
          advice: `Move ${dataDir} away to start with an empty queue; this version does not change it.`,
        };
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { check, state: 'bad', message: error.failure.message };
  }
}

/** What other users can do with a data folder; `null` when they have no access. */
export function checkPrivacy(dataDir: string): Finding | null {
  const exposure = exposureOf(dataDir);
  return exposure && { check: 'privacy', state: 'note', message: exposure.message };
}

/** Reports a data folder whose disk has too little space for the queue; `null` for any other. */
export function checkQueueSpace(dataDir: string): Finding | null {
  const reserve = new DiskReserve(dataDir);
  if (reserve.missingBytes === 0) return null;
  return { check: 'disk', state: 'bad', message: reserve.fullError().message };
}

/** Whether videos can be written to these folders, and how much space is left there. */
export async function checkDisk(folders: readonly string[]): Promise<readonly Finding[]> {
  const findings = await Promise.all([...new Set(folders)].map(checkFolder));
  const good = findings.filter(({ state }) => state === 'good');
  const [first] = good;
  if (first === undefined || good.length === 1) return findings;
  const message = `${formatCount(good.length, 'folder')} can be written to. ${first.message}`;
  return [{ ...first, message }, ...findings.filter(({ state }) => state !== 'good')];
}

async function checkFolder(folder: string): Promise<Finding> {
  const check = 'disk';
  try {
    const [free] = await Promise.all([new DiskRoom().free(folder), assertWritable(folder)]);
    const message = `${formatSize(free)} are free for ${folder}.`;
    if (free >= LOW_SPACE_BYTES) return { check, state: 'good', message };
    const advice =
      'A transfer that does not fit waits and resumes automatically once there is space.';
    return { check, state: 'note', message, advice };
  } catch {
    const message = `${folder} cannot be written to.`;
    return {
      check,
      state: 'bad',
      message,
      advice: 'Is its drive connected, and do you have permission to write to it?',
    };
  }
}

/** Checks the folder, or its nearest parent that exists. */
async function assertWritable(folder: string): Promise<void> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  const parent = path.dirname(folder);
  if (!exists && parent !== folder) return assertWritable(parent);
  return access(folder, constants.W_OK);
}

/** @param reason why the keychain stores no keys; `null` when it does */
export function checkKeychain(reason: string | null): Finding {
  const check = 'keychain';
  return reason === null
    ? { check, state: 'good', message: 'The system’s keychain can store keys.' }
    : {
        check,
        state: 'note',
        message: reason,
        advice:
          'Without it, set SPOOL_API_KEY for each run. Videos rendered on this computer need no key.',
      };
}

/** The proxy through which commands of this terminal connect, without its login. */
export function checkProxy(settings: ProxySettings | null): Finding {
  const check = 'proxy';
  if (settings === null) {
    const message = 'No proxy is set: neither HTTPS_PROXY nor HTTP_PROXY.';
    return { check, state: 'good', message };
  }
  const { proxy, variable, exceptions } = settings;
  if (proxy.origin === null) {
    return {
      check,
      state: 'bad',
      message: userMessage('proxy-unusable', { proxy: proxy.name }).message,
      advice: `It is set in ${variable}.`,
    };
  }
  const direct = ['this computer', ...exceptions.map(({ text }) => text)].join(', ');
  const message = `Spool connects through the proxy ${proxy.name} (${variable}), except to ${direct}.`;
  return { check, state: 'good', message };
}

/** Whether `spool app` opens Electron or a browser. */
export async function checkElectron(): Promise<Finding> {
  const check = 'app';
  return (await installedElectron()) === null
    ? { check, state: 'note', message: 'Electron is not installed: spool app opens the browser.' }
    : { check, state: 'good', message: 'Electron is installed: spool app opens a window.' };
}
