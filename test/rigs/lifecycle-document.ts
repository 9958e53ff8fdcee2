import { isIn, JOB_STATES } from '../../src/contract/job-states.ts';
import { MOVE_NAMES, MOVES } from '../../src/engine/jobs/lifecycle.ts';

/** The text of `docs/lifecycle.md`: a diagram and a table, both from `MOVES`. */
export function lifecycleDocument(): string {
  const arrows = MOVE_NAMES.flatMap((name) =>
    MOVES[name].from.map((from) => `    ${from} --> ${MOVES[name].to}: ${name}`),
  );
  const rows = MOVE_NAMES.map((name) => {
    const { from, to, by, event, when, onDiskFirst } = MOVES[name];
    return `| \`${name}\` | ${from.join(', ')} | ${to} | ${by.join(', ')} | ${event} | ${when} | ${onDiskFirst} |`;
  });
  return [
    '# Job lifecycle',
    '',
    'Generated from the table in `src/engine/jobs/lifecycle.ts`; a test keeps them in step',
    '(`npx vitest run test/unit/engine/jobs/lifecycle.test.ts -u` updates it).',
    '',
    '```mermaid',
    'stateDiagram-v2',
    '    [*] --> queued',
    '    [*] --> ready',
    ...arrows,
    '```',
    '',
    `Jobs in these states move only when the user acts: ${JOB_STATES.filter((state) => !isIn('active', state)).join(', ')}.`,
    'An uncertain one also moves automatically where Spool can find out its outcome from the service.',
    `There are ${JOB_STATES.length} states and ${MOVE_NAMES.length} moves.`,
    '',
    '| move | from | to | by | in the history | when | on disk first |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
