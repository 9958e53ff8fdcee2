import {
  ServiceClient,
  type ServiceClientOptions,
} from '../../src/engine/service/service-client.ts';
import { usualRules } from '../../src/engine/service/vocabularies.ts';
import { systemClock } from '../../src/engine/system-clock.ts';

export const TEST_KEY = 'svc_live_0123456789abcdefghijKLMNOP';

/** The engine's client of a service, with the usual rules and a key. */
export function testClient(
  { url, ca }: { readonly url: string; readonly ca: string },
  options: Partial<ServiceClientOptions> = {},
): ServiceClient {
  return new ServiceClient({
    baseUrl: url,
    key: () => TEST_KEY,
    rules: usualRules,
    clock: systemClock,
    ca,
    ...options,
  });
}
