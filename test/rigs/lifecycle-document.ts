import { isIn, JOB_STATES } from '../../src/contract/job-states.ts';
import { MOVE_NAMES, MOVES } from '../../src/engine/jobs/lifecycle.ts';

/** The page about the lifecycle (`docs/lifecycle.md`): a diagram and a table, both from `MOVES`. */
export function lifecycleDocument(): string {
  const arrows = MOVE_NAMES.flatMap((name) =>
    MOVES[name].from.map((from) => `    ${from} --> ${MOVES[name].to}: ${name}`),
  );
  const rows = MOVE_NAMES.map((name) => {
    const { from, to, by, when, onDiskFirst } = MOVES[name];
    return `| \`${name}\` | ${from.join(', ')} | ${to} | ${by.join(', ')} | ${when} | ${onDiskFirst} |`;
  });
  return [
    '# The life of a job',
    '',
    'Generated from the table in `src/engine/jobs/lifecycle.ts`; a test keeps the two alike',
    '(`npx vitest run test/unit/engine/jobs/lifecycle.test.ts -u` writes it anew).',
    '',
    '```mermaid',
    'stateDiagram-v2',
    '    [*] --> draft',
    '    [*] --> queued',
    '    [*] --> ready',
    ...arrows,
    '```',
    '',
    `Nothing happens by itself to a job that is ${JOB_STATES.filter((state) => !isIn('active', state)).join(', ')}.`,
    `There are ${JOB_STATES.length} states and ${MOVE_NAMES.length} moves.`,
    '',
    '| move | from | to | by | when | on disk first |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
