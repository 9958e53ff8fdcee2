/** Changes the rows of jobs that have not been sent, or that the service refused: one, or many. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Changed } from '../../contract/contract.ts';
import type { JobDetails, RowEdit, RowsDetails, RowsEdit } from '../../contract/job.ts';
import type { RowField } from '../../contract/row-field.ts';
import { userMessage } from '../../contract/user-message.ts';
import { EngineError, NotPossibleNowError } from '../engine-error.ts';
import { cellText } from '../intake/cell.ts';
import type { Column } from '../intake/column.ts';
import { describeField } from '../intake/describe-fields.ts';
import { storedRow, type StoredRow } from '../intake/edited-row.ts';
import type { RequestTemplate } from '../intake/request-template.ts';
import type { JobRow } from '../jobs/job-row.ts';
import { assertUnsent, jobIdOf } from './by-id.ts';
import type { CommandContext, Needs } from './command-context.ts';
import { planEdits, readEdit, rowReader, storeEdit, type WantedEdit } from './edit-row.ts';
import type { Commands } from './handlers.ts';

/** Rows that are checked at a time, so that other work is not delayed. */
const AT_A_TIME = 100;

type EditCommands = Pick<Commands['jobs'], 'edit' | 'editMany' | 'planEdit' | 'describeRows'>;

export function editCommands(
  context: Needs<'store' | 'clock' | 'naming' | 'view' | 'profile' | 'serviceInfo' | 'readings'>,
): EditCommands {
  const { store, clock, naming, view } = context;

  /** @throws {NotPossibleNowError} for a job that was sent: nothing of it can be changed */
  const editable = (id: number): JobRow => {
    const job = store.jobs.get(id);
    // A refused request was not executed; the user changes it and retries it.
    if (job.state !== 'rejected') assertUnsent(job, userMessage('edit-too-late'));
    return job;
  };

  const editMany = async ({ ids, values, replace }: RowsEdit): Promise<Changed> => {
    const rowOf = rowReader(store);
    const undo = store.undo.begin('edit', clock.now());
    const refused: Changed['refused'] = [];
    const refuse = (id: string, error: unknown): void => {
      if (!(error instanceof EngineError)) throw error;
      refused.push({ id, failure: error.failure });
    };
    let changed = 0;
    const unique = [...new Set(ids)];
    for (let start = 0; start < unique.length; start += AT_A_TIME) {
      const wanted: WantedEdit[] = [];
      for (const id of unique.slice(start, start + AT_A_TIME)) {
        try {
          const job = editable(jobIdOf(id));
          wanted.push({ job, edit: replacing(rowOf(job.id), { values }, replace) });
        } catch (error) {
          refuse(id, error);
        }
      }
      const planned = await planEdits(wanted, { ...context, rowOf });
      store.transactions.write(() => {
        for (const [id, edited] of planned) {
          try {
            if (edited instanceof EngineError) throw edited;
            // It may have been sent while names of files were chosen.
            if (edited === null) continue;
            editable(id);
            undo.change([id], () => storeEdit(id, edited, store));
            changed += 1;
          } catch (error) {
            refuse(String(id), error);
          }
        }
      });
      await nextTurn();
    }
    return { changed, refused, step: undo.id };
  };

  return {
    // One after the other with batches that are added, so that equal requests are recognised.
    edit: ({ id, ...edit }) =>
      naming.run(async () => {
        const number = jobIdOf(id);
        const undo = store.undo.begin('edit', clock.now());
        const planned = await planEdits([{ job: editable(number), edit }], {
          ...context,
          rowOf: rowReader(store),
        });
        const edited = planned.get(number) ?? null;
        if (edited instanceof EngineError) throw edited;
        // It may have been sent while its file's name was chosen.
        editable(number);
        if (edited !== null) undo.change([number], () => storeEdit(number, edited, store));
        return { job: view.job(store.jobs.get(number)), step: undo.id };
      }),

    editMany: (edit) => naming.run(() => editMany(edit)),

    async planEdit({ id, replace, ...values }) {
      const job = store.jobs.get(jobIdOf(id));
      const rowOf = rowReader(store);
      const edit = replacing(rowOf(job.id), values, replace);
      const { request } = await readEdit(job.id, edit, { ...context, rowOf });
      return {
        title: request.title ?? job.title,
        request: JSON.parse(request.body) as JobDetails['request'],
      };
    },

    async describeRows({ ids }) {
      const common = new CommonRow(context.profile.request);
      for (const [index, id] of ids.entries()) {
        if (index > 0 && index % AT_A_TIME === 0) await nextTurn();
        common.add(store.jobs.row(store.jobs.get(jobIdOf(id)).id));
      }
      return common.details;
    },
  };
}

/** What rows have in common. */
class CommonRow {
  #fields: RowsDetails['fields'] | null = null;
  readonly #values = new Map<string, string>();
  readonly #various = new Set<string>();
  /** Rows of one batch share their template. */
  #template = '';
  readonly #profile: RequestTemplate;

  /** @param profile names the columns that files name differently */
  constructor(profile: RequestTemplate) {
    this.#profile = profile;
  }

  add(row: ReturnType<CommandContext['store']['jobs']['row']>): void {
    const texts = new Map(row.values.map(([name, value]) => [name, cellText(value)]));
    if (row.template !== this.#template) this.#addFields(row, texts);
    this.#template = row.template;
    for (const { name } of this.#fields ?? [])
      if (this.#values.get(name) !== (texts.get(name) ?? '')) this.#various.add(name);
  }

  #addFields(
    row: ReturnType<CommandContext['store']['jobs']['row']>,
    texts: ReadonlyMap<string, string>,
  ): void {
    const { columns } = storedRow(row).template;
    if (this.#fields === null) {
      this.#fields = Object.entries(columns).map(([name, each]) => describeField(name, each));
      for (const { name } of this.#fields) this.#values.set(name, texts.get(name) ?? '');
    } else
      this.#fields = this.#fields.flatMap((field) => {
        const column = columns[field.name];
        return column === undefined ? [] : [this.#labelled(field, column)];
      });
  }

  #labelled({ label, ...field }: RowField, other: Column): RowField {
    const common = isDeepStrictEqual(label, other.label)
      ? label
      : this.#profile.columns[field.name]?.label;
    return common === undefined ? field : { ...field, label: common };
  }

  get details(): RowsDetails {
    const fields = this.#fields ?? [];
    const names = fields.map(({ name }) => name);
    const same = names.filter((name) => !this.#various.has(name) && this.#values.get(name) !== '');
    return {
      fields,
      values: Object.fromEntries(same.map((name) => [name, this.#values.get(name) ?? ''])),
      various: names.filter((name) => this.#various.has(name)),
    };
  }
}

/**
 * The edit of a row, with the text that is replaced in a column.
 * @throws {NotPossibleNowError} if the row has no such column
 */
function replacing(
  { template, values }: StoredRow,
  edit: RowEdit,
  replace: RowsEdit['replace'],
): RowEdit {
  if (replace === undefined) return edit;
  const { field, find, with: replacement, exact } = replace;
  if (!Object.hasOwn(template.columns, field))
    throw new NotPossibleNowError(userMessage('field-unknown', { name: field }));
  const value = values.find(([name]) => name === field)?.[1];
  const before = value === undefined ? '' : cellText(value);
  const pattern = new RegExp(
    find.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`),
    exact ? 'gu' : 'giu',
  );
  const after = before.replaceAll(pattern, () => replacement);
  return after === before ? edit : { ...edit, values: { ...edit.values, [field]: after } };
}
