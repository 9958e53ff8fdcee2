import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { CommonOptions, ServiceSetup } from '../../src/engine/engine-options.ts';
import type { StartUp } from '../../src/engine/flow/flow-control.ts';
import type { CreateExternalServices } from '../../src/engine/shared-context.ts';

/** Includes the service that is shown first. */
export interface EngineOptions extends CommonOptions, ServiceSetup {
  /** Whether sending is paused at the start, permanently; unchanged when left out. */
  readonly startUp?: StartUp;
}

/** An engine that shows a service, and is closed where that fails. */
export async function openEngine(
  options: EngineOptions,
  connectTo?: CreateExternalServices,
): Promise<Engine> {
  const engine = await createEngine(options, connectTo);
  try {
    await engine.show(options, options.startUp);
    return engine;
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}
