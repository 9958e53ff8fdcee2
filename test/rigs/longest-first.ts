import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Approximate seconds of the files that take longest, on two cores. They need not be exact: files
 * that start last decide how long a worker is idle.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/integration/local-service/rendering/render-pool.test.ts': 45,
  'test/integration/cli/run.test.ts': 40,
  'test/soak/year/year.test.ts': 38,
  'test/crash/kill.test.ts': 35,
  'test/integration/cli/full-disk.test.ts': 25,
  'test/integration/host/posters.test.ts': 20,
  'test/integration/local-service/recovery.test.ts': 20,
  'test/crash/downloads.test.ts': 15,
  'test/integration/cli/remote-service.test.ts': 12,
  'test/integration/engine/queue/full-disk.test.ts': 12,
  'test/integration/engine/queue/retries.test.ts': 12,
  'test/integration/engine/queue/service-failures.test.ts': 11,
};

/** Starts with the files that take longest, and ends with many short ones. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || secondsOf(b) - secondsOf(a));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

/** 0 for short files, which stay in their order: files of a project share workers. */
function secondsOf({ project, moduleId }: TestSpecification): number {
  return SECONDS[moduleId.slice(project.config.root.length + 1)] ?? 0;
}
