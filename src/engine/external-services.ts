import type { AnswerRules } from '../contract/answer-rules.ts';
import { DOCUMENTED_API, type ServiceApi } from '../contract/service-profile.ts';
import type { AllowedOrigin } from './downloads/address-policy.ts';
import { Connections } from './downloads/connections.ts';
import { download } from './downloads/download.ts';
import type { EngineOptions, ServiceOptions } from './engine-options.ts';
import type { ApiKey } from './flow/api-key.ts';
import type { SessionResources } from './flow/flow-context.ts';
import { ServiceClient } from './service/service-client.ts';
import type { SharedResources } from './shared-resources.ts';

/** What of an engine lies beyond this computer. */
export interface ExternalServices extends Pick<
  SessionResources,
  'service' | 'download' | 'disks' | 'connections'
> {
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** Connects an engine to the outside; hosts leave it to `connect`. */
export type CreateExternalServices = (
  options: EngineOptions,
  key: ApiKey,
  rules: AnswerRules,
  shared: Pick<SharedResources, 'room' | 'locks'>,
) => ExternalServices;

/** The service's API over HTTPS, and downloads from wherever its links lead. */
export function createExternalServices(
  { service, clock, random, logger, allowVpnAddresses = false }: EngineOptions,
  key: ApiKey,
  rules: AnswerRules,
  { room, locks }: Pick<SharedResources, 'room' | 'locks'>,
): ExternalServices {
  const { baseUrl, ca, profile, unavailable } = service;
  const api = profile?.api ?? DOCUMENTED_API;
  const trace = logger?.trace;
  const client = new ServiceClient({
    ...{ baseUrl, api, ca, unavailable, rules, clock, trace },
    key: key.forOrigin,
  });
  const connections = new Connections({
    exceptions: downloadExceptions(service, api),
    onlyOrigins: downloadOrigins(service, api),
    allowVpnAddresses,
  });
  return {
    service: client,
    download: (request) =>
      download(request, {
        ...{ clock, random, connections, room, locks, trace },
        keyFor: client.keyFor,
      }),
    disks: room,
    connections,
    close: () => client.close(),
  };
}

/** Addresses that need not be public. */
function downloadExceptions(service: ServiceOptions, api: ServiceApi): AllowedOrigin[] {
  const { allowedDownloadOrigin, baseUrl, ca } = service;
  const trust = ca === undefined ? {} : { ca };
  const origins = [
    ...(allowedDownloadOrigin === undefined ? [] : [`https://${allowedDownloadOrigin}`]),
    // The user entered this address, and every other request goes there too.
    ...(isContentOf(api) ? [new URL(baseUrl).origin] : []),
  ];
  return origins.map((origin) => ({ origin, ...trust }));
}

/** All that links may lead to, with the service itself; `null` for no such limit. */
function downloadOrigins({ baseUrl }: ServiceOptions, { linkOrigins }: ServiceApi) {
  return linkOrigins === null ? null : [new URL(baseUrl).origin, ...linkOrigins];
}

/** Whether files come from the service itself. */
function isContentOf({ file }: ServiceApi): boolean {
  return file.kind === 'content' || file.kind === 'content-in-status';
}
