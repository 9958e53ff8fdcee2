import type {
  BatchOptions,
  BatchPlan,
  DuplicateMatch,
  PlannedRow,
} from '../../src/contract/batch.ts';
import { duplicatesSchema } from '../../src/contract/batch.ts';
import type { JobState } from '../../src/contract/job-states.ts';
import { textsOf } from '../../src/engine/intake/cell.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import { repeatedRows } from '../../src/engine/commands/repeated-rows.ts';
import { unusedColumns } from '../../src/engine/intake/likely-mistakes.ts';
import { readBatch } from '../../src/engine/intake/read-batch.ts';
import type { TableSource } from '../../src/engine/intake/tables/table-source.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';

const MINUTE = 60_000;
const DEFAULT_TEMPLATE = '{batch}/{index} {title}.mp4';

const PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * A plan whose rows are read as the engine reads them, for a queue that sends one video every
 * `everyMs` and recognises earlier ones by their titles.
 */
export function fakePlan(
  {
    source,
    options,
    show,
  }: Omit<Parameters<Commands['batches']['plan']>[0], 'source'> & { readonly source: TableSource },
  now: number,
  {
    quotaLeft,
    quotaResetAt,
    everyMs,
  }: { readonly quotaLeft: number; readonly quotaResetAt: number; readonly everyMs: number },
  elsewhere: (title: string) => JobState | undefined,
  stateInBatch: (batch: string, row: number, title: string) => JobState | undefined = () =>
    undefined,
): BatchPlan {
  const reading = readBatch(source, storyboardProfile.request, { ...options, show });
  const nameTemplate = options.nameTemplate ?? DEFAULT_TEMPLATE;
  const placeholders = [...new Set([...reading.columns, 'row', 'batch', 'title', 'index'])];
  const firstRows = new Map<string, number>();
  let sent = 0;
  const rows = reading.rows.map(
    ({ row, rowInFile, index, title, body, values: ofColumns }): PlannedRow => {
      const firstRow = firstRows.get(body);
      firstRows.set(body, firstRow ?? row);
      const other = elsewhere(title);
      const like: DuplicateMatch | null = other
        ? { of: 'job', batch: 'Launch week', state: other }
        : firstRow === undefined
          ? null
          : { of: 'row', row: firstRow };
      const here = stateInBatch(reading.name, row, title);
      const outcome = here
        ? outcomeInBatch(here)
        : outcomeOf(like, options.duplicateRows?.[String(row)] ?? options.duplicates);
      const fits = outcome !== 'new' || sent < quotaLeft;
      const sendAt = fits ? now + sent * everyMs : quotaResetAt + (sent - quotaLeft) * everyMs;
      const savedAt = outcome === 'downloaded-again' ? now + MINUTE : sendAt + 3 * MINUTE;
      if (outcome === 'new') sent += 1;
      const number = String(index).padStart(String(reading.rowCount).length, '0');
      const values = {
        ...textsOf(ofColumns),
        row: rowInFile,
        batch: reading.name,
        title,
        index: number,
      };
      return {
        row,
        title,
        fileName:
          outcome === 'duplicate-skipped' || outcome === 'in-other-batch'
            ? ''
            : fillTemplate(nameTemplate, values),
        outcome,
        like,
        choices:
          like === null
            ? []
            : duplicatesSchema.options.map((choice) => ({
                duplicates: choice,
                outcome: outcomeOf(like, choice),
              })),
        wait:
          outcome !== 'new'
            ? null
            : fits
              ? { reason: 'turn', until: savedAt - 3 * MINUTE }
              : { reason: 'quota', until: quotaResetAt },
        forecast:
          outcome !== 'duplicate-skipped'
            ? { sendAt: savedAt - 3 * MINUTE, readyAt: savedAt - MINUTE, savedAt }
            : { sendAt: null, readyAt: null, savedAt: null },
      };
    },
  );
  const coming = rows.flatMap(({ forecast }) => forecast.savedAt ?? []);
  return {
    origin: 'https://service.example',
    name: reading.name,
    files: [...reading.files],
    columns: [...reading.columns],
    fileColumns: [...reading.fileColumns],
    fields: [...reading.fields],
    sentAsNumbers: [...reading.sentAsNumbers],
    samples: [...reading.samples],
    template: reading.template,
    naming: {
      folder: options.folder ?? '/home/ana/Videos',
      nameTemplate,
      onCollision: options.onCollision ?? 'number',
      placeholders,
      unknown: [...nameTemplate.matchAll(PLACEHOLDER)].flatMap(([, name = '']) =>
        placeholders.includes(name) ? [] : [name],
      ),
    },
    rows,
    issues: [
      ...reading.errors,
      ...unusedColumns(
        { columns: reading.fileColumns, repeated: reading.matched.repeated },
        reading.rowTemplate,
        reading.matched,
        nameTemplate,
      ),
      ...repeatedRows(
        rows.map(({ row, title, like, outcome }) => ({
          row,
          title,
          earlier: like?.of === 'row' ? like.row : null,
          outcome,
        })),
        reading,
        options,
      ),
    ],
    invalidRows: [...reading.invalidRows],
    leftOut: [...reading.leftOut],
    savedBy: coming.length === 0 ? null : Math.max(...coming),
    savedBetween: null,
    cost: null,
    balance: null,
    notThisCycle: Math.max(0, sent - quotaLeft),
  };
}

function outcomeOf(
  like: DuplicateMatch | null,
  duplicates: BatchOptions['duplicates'] = 'reuse',
): PlannedRow['outcome'] {
  if (like !== null && duplicates === 'skip') return 'duplicate-skipped';
  if (like === null || duplicates !== 'reuse') return 'new';
  if (like.of === 'row') return 'duplicate-skipped';
  return like.state === 'done' ? 'downloaded-again' : 'in-other-batch';
}

/** For a row that is in this batch already. */
function outcomeInBatch(state: JobState): PlannedRow['outcome'] {
  return state === 'done' ? 'saved' : 'already-queued';
}

/** Does not make names valid, because no file is saved under them. */
function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  const name = template.replace(PLACEHOLDER, (_, column: string) => String(values[column] ?? ''));
  return `${name.replace(/\.mp4$/, '')}.mp4`;
}
