import type { GenerateOutcome, Service } from '../../src/engine/service/outcomes.ts';

/** Connects and sends one request for a video, as the engine does. */
export async function generate(
  service: Pick<Service, 'connect'>,
  body: string,
  signal?: AbortSignal,
): Promise<GenerateOutcome> {
  const connected = await service.connect(signal);
  if (connected.kind === 'not-connected') return { kind: 'not-sent', failure: connected.failure };
  return connected.connection.generate(body, signal);
}
