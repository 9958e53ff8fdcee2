/** Prints a table to start from, for a service. */
import path from 'node:path';
import { userMessage } from '../../contract/user-message.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { templateFile } from '../../engine/intake/template-table.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeExport, type WrittenExport } from '../new-file.ts';
import type { QueueOptions } from '../options.ts';
import { effectiveProfile, resolveQueueSettings } from '../queue-settings.ts';

/** The file is CSV or a workbook by its ending. */
export interface TemplateOptions extends Pick<QueueOptions, 'dataDir'>, WrittenExport {
  /** The path of a profile. */
  readonly profile?: string;
}

/** @param service a name or an address; the one of the settings when left out */
export async function printTemplate(
  service: string | undefined,
  { out, json, dataDir, profile }: TemplateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { request } = effectiveProfile(
    await resolveQueueSettings({
      dataDir,
      ...(service === undefined ? {} : { service }),
      ...(profile === undefined ? {} : { profile }),
    }),
  );
  const extension = out === undefined ? '.csv' : path.extname(out).toLowerCase();
  if (extension !== '.csv' && extension !== '.xlsx') {
    throw new EngineError({ code: 'value-invalid', ...userMessage('template-kind-unknown') });
  }
  const kind = extension === '.csv' ? 'csv' : 'xlsx';
  const { bytes } = await templateFile(request, kind, 'en');
  await writeExport({ out, json }, [bytes], context);
  return EXIT.allSaved;
}
