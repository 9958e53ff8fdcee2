/** Prints a table to start from, for a service. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { userMessage } from '../../contract/user-message.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { templateFile } from '../../engine/intake/template-table.ts';
import type { CommandContext } from '../command-context.ts';
import { relativePath } from '../display/report.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { ExportFileError, writeExport } from '../new-file.ts';
import type { QueueOptions } from '../options.ts';
import { effectiveProfile, resolveQueueSettings } from '../queue-settings.ts';

export interface TemplateOptions extends Pick<QueueOptions, 'dataDir'> {
  /** A new file, CSV or a workbook by its ending; standard output when left out. */
  readonly out?: string;
  /** The path of a profile. */
  readonly profile?: string;
}

/** @param service a name or an address; the one of the settings when left out */
export async function printTemplate(
  service: string | undefined,
  { out, dataDir, profile }: TemplateOptions,
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
  if (extension === '.xlsx' && out !== undefined) {
    const file = path.resolve(context.cwd, out);
    const { bytes } = await templateFile(request, 'xlsx', 'en');
    await writeFile(file, bytes, { flag: 'wx' }).catch((error: unknown) => {
      throw new ExportFileError(file, error);
    });
    context.stdout.write(`Written to ${relativePath(file, context.cwd)}.\n`);
    return EXIT.allSaved;
  }
  if (extension !== '.csv') {
    throw new EngineError({ code: 'value-invalid', ...userMessage('template-kind-unknown') });
  }
  const { bytes } = await templateFile(request, 'csv', 'en');
  await writeExport(out, [new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)], context);
  return EXIT.allSaved;
}
