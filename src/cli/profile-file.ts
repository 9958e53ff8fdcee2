import { z } from 'zod';
import { inEnglish } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { readSmallText } from '../host/bounded-file.ts';
import { profileSchema, type Profile } from '../engine/profiles/profile.ts';

/** A service profile cannot be read or is invalid. */
export class ProfileUnusableError extends EngineError {
  constructor(file: string, detail: string, cause: unknown) {
    const message = `The service profile ${file} cannot be used.`;
    super(
      { code: 'value-invalid', ...inEnglish(message), detail: detail.slice(0, 2000) },
      { cause },
    );
  }
}

/** @throws {ProfileUnusableError} */
export async function readProfileFile(file: string): Promise<Profile> {
  try {
    return profileSchema.parse(JSON.parse(await readSmallText(file)));
  } catch (error) {
    throw new ProfileUnusableError(file, messageOf(error), error);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : '';
}
