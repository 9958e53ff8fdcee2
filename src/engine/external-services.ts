import { DOCUMENTED_API, type ServiceApi } from '../contract/service-profile.ts';
import type { AllowedOrigin } from './downloads/address-policy.ts';
import { Connections } from './downloads/connections.ts';
import { download } from './downloads/download.ts';
import type { CreateExternalServices, ServiceOptions } from './engine-options.ts';
import { ServiceClient } from './service/service-client.ts';

/** The service's API over HTTPS, and downloads from wherever its links lead. */
export const createExternalServices: CreateExternalServices = (service, key, rules, shared) => {
  const { clock, random, logger, room, locks, findProxy } = shared;
  const { baseUrl, ca, profile, unavailable } = service;
  const api = profile?.api ?? DOCUMENTED_API;
  const trace = logger?.trace;
  const client = new ServiceClient({
    baseUrl,
    api,
    ca,
    findProxy,
    unavailable,
    rules,
    clock,
    trace,
    key: key.forOrigin,
  });
  const policy = {
    exceptions: downloadExceptions(service, api),
    onlyOrigins: downloadOrigins(service, api),
    allowVpnAddresses: shared.settings.allowVpnAddresses ?? false,
  };
  const connections = new Connections(policy, { findProxy });
  const { keyFor } = client;
  const deps = { clock, random, connections, room, locks, trace, keyFor };
  return {
    service: client,
    upload: client.upload,
    download: (request) => download(request, deps),
    disks: room,
    connections,
    close: () => client.close(),
  };
};

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
