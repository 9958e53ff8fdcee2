import { parse } from 'node:querystring';
import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { ReceivedBody } from '../body-memory.ts';
import { MAX_IMAGE_BYTES } from '../videos/image-store.ts';
import { PageError } from './page-error.ts';

/** A submitted form. Of several fields with the same name, the last one counts. */
export interface Form {
  readonly fields: ReadonlyMap<string, string>;
  /** Uploaded files, by the name of their field. */
  readonly files: ReadonlyMap<string, Buffer>;
}

export const TOKEN_FIELD = 'token';
const MAX_FORM_BYTES = 24 * 1024 * 1024;
const MAX_FIELDS = 600;

/**
 * `querystring` takes linear time; `URLSearchParams` takes four times as long for twice the text.
 */
export function parseUrlEncoded(body: string): Form {
  const values = Object.entries(parse(body, '&', '=', { maxKeys: 0 }));
  const fields = values.map(([name, value]): [string, string] => [
    name,
    (typeof value === 'string' ? value : value?.at(-1)) ?? '',
  ]);
  return { fields: new Map(fields), files: new Map() };
}

/**
 * Reads a form with files.
 *
 * @param isToken checks the form's token, which is its first field; without it, nothing else is read
 * @param body counts the memory that the form takes
 * @throws {PageError}
 */
export async function readMultipart(
  request: FastifyRequest,
  isToken: (token: string) => boolean,
  body: ReceivedBody,
): Promise<Form> {
  const fields = new Map<string, string>();
  const files = new Map<string, Buffer>();
  let bytes = 0;
  const limits = {
    fileSize: MAX_IMAGE_BYTES,
    files: 40,
    fields: MAX_FIELDS,
    parts: MAX_FIELDS,
    fieldSize: 64 * 1024,
  };
  for await (const part of request.parts({ limits })) {
    const isTokenField = part.type === 'field' && part.fieldname === TOKEN_FIELD;
    if (fields.size === 0 && !isTokenField) throw PageError.foreignForm();
    if (part.type === 'field') {
      const value = typeof part.value === 'string' ? part.value : '';
      if (isTokenField && !isToken(value)) throw PageError.foreignForm();
      count(body, value.length);
      fields.set(part.fieldname, value);
      continue;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_FORM_BYTES) throw PageError.tooLarge();
      count(body, chunk.length);
      chunks.push(chunk);
    }
    if (part.file.truncated) throw PageError.tooLarge();
    const content = Buffer.concat(chunks);
    // Browsers send an empty file field as a file without bytes.
    if (content.length > 0) files.set(part.fieldname, content);
  }
  return { fields, files };
}

/** @throws {PageError} when there is no memory for so many bytes */
function count(body: ReceivedBody, bytes: number): void {
  switch (body.add(bytes)) {
    case 'account':
      throw PageError.tooManyUploads();
    case 'total':
      throw PageError.busy();
    case undefined:
  }
}
