import type { AnswerRules } from '../contract/answer-rules.ts';
import { Connections, type DownloadConnections } from './downloads/connections.ts';
import { DiskRoom, KEEP_FREE_BYTES, type Disks } from './downloads/disk.ts';
import { PartLocks } from './downloads/part-locks.ts';
import { download } from './downloads/download.ts';
import type { DownloadOutcome, DownloadRequest } from './downloads/request.ts';
import type { EngineOptions, ServiceOptions } from './engine-options.ts';
import type { ApiKey } from './flow/api-key.ts';
import type { Service } from './service/outcomes.ts';
import { ServiceClient } from './service/service-client.ts';

/** What of an engine lies beyond this computer. */
export interface ExternalServices {
  readonly service: Service;
  readonly download: (request: DownloadRequest) => Promise<DownloadOutcome>;
  /** Of the disks that downloads go to. */
  readonly disks: Disks;
  /** That downloads are made over. */
  readonly connections: DownloadConnections;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** Connects an engine to the outside; hosts leave it to `connect`. */
export type CreateExternalServices = (
  options: EngineOptions,
  key: ApiKey,
  rules: AnswerRules,
) => ExternalServices;

/** The documented API over HTTPS, and downloads from wherever its links lead. */
export function createExternalServices(
  { service, clock, random, logger, allowVpnAddresses = false }: EngineOptions,
  key: ApiKey,
  rules: AnswerRules,
): ExternalServices {
  const { baseUrl, ca } = service;
  const trace = logger?.trace;
  const client = new ServiceClient({ baseUrl, ca, key: key.forOrigin, rules, clock, trace });
  const connections = new Connections({
    exceptions: downloadExceptions(service),
    allowVpnAddresses,
  });
  const room = new DiskRoom(KEEP_FREE_BYTES);
  const locks = new PartLocks();
  return {
    service: client,
    download: (request) => download(request, { clock, random, connections, room, locks, trace }),
    disks: room,
    connections,
    close: () => client.close(),
  };
}

function downloadExceptions({ allowedDownloadOrigin, ca }: ServiceOptions) {
  if (allowedDownloadOrigin === undefined) return [];
  const origin = `https://${allowedDownloadOrigin}`;
  return [{ origin, ...(ca === undefined ? {} : { ca }) }];
}
