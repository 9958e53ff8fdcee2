import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Approximate seconds of the files that take longest, on two cores. They need not be exact: files
 * that start last decide how long a worker is idle.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/integration/local-service/rendering/render-pool.test.ts': 105,
  'test/crash/kill.test.ts': 70,
  'test/integration/local-service/rendering/looks.test.ts': 70,
  'test/soak/year/year.test.ts': 65,
  'test/e2e/renderer/for-everyone.test.ts': 65,
  'test/e2e/renderer/queue.test.ts': 60,
  'test/e2e/app/desktop.test.ts': 55,
  'test/integration/cli/run.test.ts': 55,
  'test/e2e/renderer/welcome.test.ts': 50,
  'test/crash/pictures.test.ts': 45,
  'test/integration/cli/lost-folder.test.ts': 45,
  'test/e2e/renderer/add.test.ts': 45,
  'test/integration/host/this-computer.test.ts': 45,
  'test/integration/engine/queue/renders-here.test.ts': 40,
  'test/integration/local-service/rendering/golden-pictures.test.ts': 40,
  'test/e2e/studio/making.test.ts': 35,
  'test/integration/engine/services/services.test.ts': 35,
  'test/crash/lost-answers.test.ts': 35,
  'test/integration/local-service/recovery.test.ts': 35,
  'test/integration/host/posters.test.ts': 30,
  'test/unit/engine/intake/batch-limits.test.ts': 30,
  'test/integration/local-service/stores/workers.test.ts': 30,
  'test/integration/cli/several-files.test.ts': 30,
  'test/integration/engine/queue/full-disk.test.ts': 25,
  'test/crash/damaged-folder.test.ts': 25,
  'test/integration/local-service/storage/s3-uploads.test.ts': 25,
  'test/integration/engine/intake/libreoffice.test.ts': 25,
  'test/integration/engine/queue/retries.test.ts': 25,
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
