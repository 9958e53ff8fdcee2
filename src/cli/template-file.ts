import { z } from 'zod';
import { ownTemplateSchema, type OwnTemplate } from '../contract/batch.ts';
import { parseTemplate } from '../contract/json-text.ts';
import { userMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { readSmallText } from '../host/bounded-file.ts';

/** A request template cannot be read or is not a JSON object. */
export class TemplateUnusableError extends EngineError {
  constructor(file: string, detail: string, cause: unknown) {
    const message = userMessage('template-file-unusable', { file });
    super({ code: 'template-invalid', ...message, detail: detail.slice(0, 2000) }, { cause });
  }
}

/**
 * The body of a request template, in which each row replaces `{{column}}`.
 *
 * @throws {TemplateUnusableError}
 */
export async function readTemplateFile(file: string): Promise<OwnTemplate['body']> {
  try {
    return ownTemplateSchema.shape.body.parse(parseTemplate(await readSmallText(file)));
  } catch (error) {
    const detail = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new TemplateUnusableError(file, detail, error);
  }
}
