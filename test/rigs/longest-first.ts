import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds of the files that take longest, on two cores that do nothing else. They need not be exact: what
 * begins last decides how long a worker has nothing left to do.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/crash/kill.test.ts': 35,
};

/** Begins with the files that take longest, and ends with many that take little. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || secondsOf(b) - secondsOf(a));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

/** 0 for those that take little, which stay in their order: files of a project share workers. */
function secondsOf({ project, moduleId }: TestSpecification): number {
  return SECONDS[moduleId.slice(project.config.root.length + 1)] ?? 0;
}
