import { escapedJson } from '../../engine/json.ts';
import path from 'node:path';
import type { ImportPreview, SettingChange, SettingIssue } from '../../contract/settings.ts';
import { userMessage } from '../../contract/user-message.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { readSmallText } from '../../host/bounded-file.ts';
import type { CommandContext } from '../command-context.ts';
import { isConfirmed } from '../confirm.ts';
import { formatCount } from '../display/numbers.ts';
import { plainText } from '../display/safe-text.ts';
import { EXIT, Interruption, type ExitCode } from '../exit-codes.ts';
import { writeExport } from '../new-file.ts';
import { withJobs, type JobsOptions } from './jobs/with-jobs.ts';
import { writeEvent } from '../write-event.ts';

export interface ImportOptions extends JobsOptions {
  /** Changes the settings without asking. */
  readonly yes?: boolean;
}

/** A settings file cannot be read. */
class SettingsFileError extends EngineError {
  constructor(file: string, cause: unknown) {
    super({ code: 'value-invalid', ...userMessage('file-not-readable', { file }) }, { cause });
  }
}

/** Writes all settings except the key. */
export function exportSettings(
  { out, ...options }: JobsOptions & { readonly out?: string },
  context: CommandContext,
): Promise<ExitCode> {
  return withJobs(options, context, async ({ client }) => {
    const { text } = await client.settings.export();
    await writeExport(
      { out },
      [options.json ? `${escapedJson(JSON.parse(text))}\n` : text],
      context,
    );
    return EXIT.allSaved;
  });
}

/** Shows what a settings file would change, asks for confirmation, and applies it. */
export function importSettings(
  name: string,
  { yes, ...options }: ImportOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr, cwd } = context;
  return withJobs(options, context, async ({ client }) => {
    const text = await readSettingsText(path.resolve(cwd, name));
    const preview = await client.settings.previewImport({ text });
    const { changes, errors, confirmation } = preview;
    if (options.json) writeEvent(context, { event: 'preview', changes, errors });
    if (errors.length > 0) {
      stderr.write(`${plainText(name)} was not imported:\n${errorLines(errors)}`);
      return EXIT.usage;
    }
    if (changes.length === 0) {
      if (!options.json) stdout.write(`${plainText(name)} changes nothing.\n`);
      return EXIT.allSaved;
    }
    const shown = options.json ? stderr : stdout;
    shown.write(changeLines(changes));
    try {
      if (
        !yes &&
        !(await isConfirmed(`Change ${formatCount(changes.length, 'setting')}?`, context))
      ) {
        stderr.write('Nothing was changed. Add --yes to import without confirmation.\n');
        return EXIT.usage;
      }
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      stderr.write('Interrupted. Nothing was changed.\n');
      return error.exitCode;
    }
    const { errors: refused } = await client.settings.import({ text, confirmation });
    if (refused.length > 0) {
      if (options.json) writeEvent(context, { event: 'imported', changed: 0, errors: refused });
      stderr.write(`${plainText(name)} was not imported:\n${errorLines(refused)}`);
      return EXIT.usage;
    }
    if (options.json) writeEvent(context, { event: 'imported', changed: changes.length });
    else stdout.write(`${formatCount(changes.length, 'setting')} changed.\n`);
    return EXIT.allSaved;
  });
}

async function readSettingsText(file: string): Promise<string> {
  try {
    return await readSmallText(file);
  } catch (error) {
    throw new SettingsFileError(file, error);
  }
}

/**
 * The most sensitive change is the last line, beside the question: after a long list the terminal
 * no longer shows the first ones (`abuse.md` 49).
 */
function changeLines(changes: readonly SettingChange[]): string {
  const line = ({ name, from, to, isSensitive }: SettingChange): string =>
    `${isSensitive ? '!' : ' '} ${plainText(name.message)}: ${plainText(from.message)} → ${plainText(to.message)}\n`;
  const sensitive = changes.filter(({ isSensitive }) => isSensitive).toReversed();
  const note =
    sensitive.length === 0
      ? ''
      : 'Lines marked ! affect where data is sent, what is trusted and what runs automatically.\n';
  const others = changes.filter(({ isSensitive }) => !isSensitive);
  return others.map(line).join('') + note + sensitive.map(line).join('');
}

/** An error of a setting, with the setting's name where that is known. */
type NamedIssue = SettingIssue & Partial<Pick<ImportPreview['errors'][number], 'name'>>;

function errorLines(errors: readonly NamedIssue[]): string {
  const lines = errors.map(({ name, field, message }) => {
    const of = name?.message ?? field;
    return `  ${of === '' ? '' : `${plainText(of)}: `}${plainText(message)}\n`;
  });
  return lines.join('');
}
