import { setTimeout as pause } from 'node:timers/promises';
import type { KeyStore } from '../engine/keys/key-store.ts';
import type { FindProxy } from '../engine/proxy.ts';
import { systemClock } from '../engine/system-clock.ts';
import type { Computer } from '../host/computer.ts';
import { stateFolder } from '../host/data-folder.ts';
import { ReconnectingQueue } from '../host/reconnecting-queue.ts';
import type { Log } from '../host/log.ts';
import { openHost } from '../host/open-host.ts';
import { differenceOf, type PrimaryProcess } from '../host/primary-contract.ts';
import { joinOrOpen, OtherSettingsError } from '../host/queue.ts';
import { DECODER_FILE } from '../host/posters/decoder-process.ts';
import { LOCAL_SERVICE_FILE } from '../host/service-program.ts';
import { peekAtProfiles, peekAtSettings } from '../host/settings/settings-store.ts';
import { wantedPrimary } from '../host/settings/effective-settings.ts';
import { decoderInUtilityProcess } from './decoder-in-utility-process.ts';
import { serviceInUtilityProcess } from './service-in-utility-process.ts';

export interface AppQueueParts {
  /** Absolute path. */
  readonly dataDir: string;
  /** Absolute path of the folder for videos unless a batch or the settings name one. */
  readonly videoFolder: string;
  readonly keys: KeyStore;
  readonly findProxy: FindProxy;
  readonly isOnBattery: () => boolean;
  readonly computer: Computer;
  readonly log: Log;
}

/** The app's queue: run by this process, or by a command until that ends. */
export function appQueue({
  dataDir,
  videoFolder,
  keys,
  findProxy,
  isOnBattery,
  computer,
  log,
}: AppQueueParts): ReconnectingQueue {
  const serviceProgram = serviceInUtilityProcess(LOCAL_SERVICE_FILE);
  const startDecoder = decoderInUtilityProcess(DECODER_FILE);
  const programs = { serviceProgram, startDecoder };
  let wasReadOnly = false;
  const stateDir = stateFolder();
  const own = {
    dataDir,
    stateDir,
    keys,
    findProxy,
    isOnBattery,
    log,
    ...programs,
    defaultFolder: videoFolder,
  };
  return new ReconnectingQueue({
    open: (isFirst, signal) => {
      // After a takeover, the queue keeps its running or paused state instead of the start-up
      // setting.
      const isApp = isFirst || wasReadOnly;
      wasReadOnly = false;
      return joinOrOpen({
        dataDir,
        checkPrimary: (primary) => checkSettingsMatch(primary, dataDir),
        openOwn: async () => {
          const host = await openHost({
            ...own,
            isApp,
            startsAll: true,
            readOnlyIfFull: true,
            signal,
          });
          wasReadOnly = host.hasSpace !== null;
          return host;
        },
        clock: systemClock,
      });
    },
    computer,
    log,
    sleep: pause,
    onOpenError: (error) => log.defect(error),
  });
}

/** @throws {OtherSettingsError} if that process shows a service other than the one in the settings */
function checkSettingsMatch(primary: PrimaryProcess, dataDir: string): void {
  const wanted = wantedPrimary(peekAtSettings(dataDir), peekAtProfiles(dataDir));
  const differs = differenceOf(primary, wanted);
  if (differs !== null) throw new OtherSettingsError(primary, differs);
}
