/**
 * Keeps an installer from being made without what the licence of its encoder requires
 * (docs/decisions/0017-the-encoders-licence.md).
 */

/**
 * The address of the encoder's complete source, from `SPOOL_ENCODER_SOURCE`.
 *
 * @throws {TypeError} for anything but an https address
 */
export function encoderSource(env: NodeJS.ProcessEnv): string {
  const given = env.SPOOL_ENCODER_SOURCE ?? '';
  if (URL.parse(given)?.protocol === 'https:') return given;
  throw new TypeError(
    'An installer contains an encoder under GPL 3: SPOOL_ENCODER_SOURCE should be the https address ' +
      'of its complete source. docs/decisions/0017-the-encoders-licence.md explains it.',
  );
}
