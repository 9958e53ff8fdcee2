/** How a package is signed. */
export interface Signing {
  readonly signs: boolean;
  /** Apple checks the app; without that, users must override a warning of macOS to open it. */
  readonly notarises: boolean;
}

/** The variables that electron-builder needs for notarisation: all of one list. */
const NOTARISATION = [
  ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
  ['APPLE_KEYCHAIN_PROFILE'],
] as const;

/**
 * How a build is signed, by the variables that electron-builder reads.
 *
 * @throws {TypeError} where some of them are set and others are missing
 */
export function signingOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Signing {
  const has = (name: string): boolean => (env[name] ?? '') !== '';
  if (platform === 'win32') {
    return { signs: has('WIN_CSC_LINK') || has('CSC_LINK'), notarises: false };
  }
  if (platform !== 'darwin') return { signs: false, notarises: false };
  const started = NOTARISATION.find((names) => names.some(has));
  const missing = started?.filter((name) => !has(name)) ?? [];
  if (missing.length > 0) {
    throw new TypeError(`Notarisation needs ${missing.join(' and ')} as well.`);
  }
  const signs = has('CSC_LINK') || has('CSC_NAME');
  if (started && !signs)
    throw new TypeError('Apple notarises signed apps alone: CSC_LINK is missing.');
  return { signs, notarises: started !== undefined };
}
