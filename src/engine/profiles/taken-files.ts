/** Says which files of rows a service takes. */
import { DOCUMENTED_API } from '../../contract/service-profile.ts';
import type { TakesFiles } from '../intake/check-files.ts';
import type { Profile } from './profile.ts';

/** @param isLocal a service on this computer takes every file before its request */
export function takesFiles({ api = DOCUMENTED_API }: Profile, isLocal: boolean): TakesFiles {
  return ({ holds, send }) => {
    if (isLocal || holds === 'captions' || holds === 'brand') return true;
    // Too large for a request, and for the memory in which other uploads are.
    if (holds === 'clip' || holds === 'sound') return false;
    return send !== 'upload' || api.upload !== null;
  };
}
