import { inEnglish } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Profile } from '../engine/profiles/profile.ts';
import {
  builtInProfile,
  builtInServices,
  type BuiltInService,
} from '../engine/profiles/services.ts';
import { nearestName } from './nearest-name.ts';

/** Built-in services that are named on the command line, other than the one on this computer. */
export const serviceNames: readonly BuiltInService[] = builtInServices.filter(
  (name) => name !== 'documented' && name !== 'this-computer',
);

/** The service is not built in. */
class ServiceNameError extends EngineError {
  constructor(words: string) {
    super({ code: 'value-invalid', ...inEnglish(words) });
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

function unknownName(name: string): string {
  const nearest = nearestName(name, ['local', ...serviceNames]);
  const meant = nearest === null ? '' : ` Did you mean ${nearest}?`;
  const names = ['local', ...serviceNames].join(', ');
  return `There is no service “${name}”.${meant} Use one of ${names}, or an https address.`;
}
