import { userMessage, type UserMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Profile } from '../engine/profiles/profile.ts';
import {
  builtInProfile,
  builtInServices,
  type BuiltInService,
} from '../engine/profiles/services.ts';
import { nearestName } from '../contract/nearest-name.ts';

/** Built-in services that are named on the command line, other than the one on this computer. */
export const serviceNames: readonly BuiltInService[] = builtInServices.filter(
  (name) => name !== 'documented' && name !== 'this-computer',
);

/** The service is not built in. */
class ServiceNameError extends EngineError {
  constructor(message: UserMessage) {
    super({ code: 'value-invalid', ...message });
  }
}

export function isServiceName(name: string): name is BuiltInService {
  return serviceNames.some((known) => known === name);
}

/**
 * The profile of a built-in service and the address that it names.
 * @throws {ServiceNameError}
 */
export function namedService(name: string): {
  readonly baseUrl: string;
  readonly profile: Profile;
} {
  if (!isServiceName(name)) throw new ServiceNameError(unknownName(name));
  const profile = builtInProfile(name);
  const baseUrl = profile.api?.origin ?? null;
  if (baseUrl === null) throw new Error(`The profile of ${name} has no address.`);
  return { baseUrl, profile };
}

function unknownName(name: string): UserMessage {
  const nearest = nearestName(name, ['local', ...serviceNames]);
  const names = ['local', ...serviceNames].join(', ');
  return nearest === null
    ? userMessage('service-name-unknown', { name, names })
    : userMessage('service-name-meant', { name, nearest, names });
}
