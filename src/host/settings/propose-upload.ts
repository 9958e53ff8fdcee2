/** Derives from examples where a picture is uploaded, and how a request names it afterwards. */
import type { ExampleBody, ExampleRequest } from '../../contract/examples/example-body.ts';
import { readAddress } from './example-addresses.ts';
import { leavesOf, type Leaf } from './propose-rules.ts';

export interface ProposedUpload {
  /** The profile's `api.upload`. */
  readonly endpoint: {
    readonly path: string;
    readonly part: string | null;
    readonly at: string;
    readonly as?: 'number';
  };
  /** Whether a field of the request for a video names the uploaded file. */
  readonly isNamedBy: (name: string, value: string | number) => boolean;
}

/** Fields that name a picture; without `_` and `-`. */
const PICTURE_NAME = /(?:image|picture|photo|frame|asset|media|file)(?:id|url|uri)?$/i;

/** What services call an uploaded file, the most certain first. */
const IDENTIFIERS = ['id', 'fileid', 'assetid', 'imageid', 'mediaid', 'uploadid', 'name'];
const ADDRESSES = ['url', 'uri', 'fileurl', 'get', 'href', 'location'];

/**
 * @param answer the response to the upload
 * @returns `null` unless the request names what the response contains. An upload to another origin
 *   than the service's is not proposed either: the key would go there.
 */
export function proposeUpload(
  upload: ExampleRequest | null,
  answer: unknown,
  generate: ExampleRequest | null,
): ProposedUpload | null {
  if (upload === null || generate === null) return null;
  const { origin, path } = readAddress(upload.url);
  if (origin !== null && origin !== readAddress(generate.url).origin) return null;
  const values = leavesOf(answer).filter(isName);
  const fields = fieldsOf(generate.body);
  const naming = (value: unknown): Leaf | undefined =>
    fields.find((field) => isSame(value, field.name, field.value));
  const repeated = values.find(({ value }) => naming(value) !== undefined);
  const named = fields.find(({ name }) => PICTURE_NAME.test(name));
  const at = repeated ?? (named && valueFor(named, values));
  if (at === undefined) return null;
  const part = upload.body.kind === 'form' ? (upload.body.files[0] ?? null) : null;
  return {
    endpoint: {
      ...{ path, part, at: at.path },
      ...(typeof naming(at.value)?.value === 'number' && { as: 'number' }),
    },
    isNamedBy: (name, value) =>
      repeated === undefined
        ? typeof value === 'string' && isPictureName(name)
        : isSame(repeated.value, name, value),
  };
}

function isPictureName(name: string): boolean {
  return PICTURE_NAME.test(name.replace(/[_-]/g, ''));
}

/** Whether a part of the response may be what the service calls the file. */
function isName({ name, value }: Leaf): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && IDENTIFIERS.includes(name);
  return typeof value === 'string' && value !== '';
}

/** Whether a field has a value of the response. Equal numbers may be chance, so its name decides. */
function isSame(value: unknown, name: string, inField: unknown): boolean {
  return typeof value === 'number'
    ? String(inField) === String(value) && isPictureName(name)
    : inField === value;
}

function fieldsOf(body: ExampleBody): Leaf[] {
  if (body.kind === 'json') return leavesOf(body.value);
  return body.kind === 'form' ? leavesOf(Object.fromEntries(body.fields)) : [];
}

/** The part of the response that has the field's name, or is what the field's name says. */
function valueFor({ name }: Leaf, values: readonly Leaf[]): Leaf | undefined {
  const byName = name.endsWith('id')
    ? [...IDENTIFIERS, ...ADDRESSES]
    : [...ADDRESSES, ...IDENTIFIERS];
  return [name, ...byName]
    .map((wanted) => values.find((leaf) => leaf.name === wanted))
    .find((leaf) => leaf !== undefined);
}
