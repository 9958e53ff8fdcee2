/** Derives from examples where a picture is uploaded, and how a request names it afterwards. */
import type { ExampleBody, ExampleRequest } from '../../contract/examples/example-body.ts';
import { readAddress } from './example-addresses.ts';
import { leavesOf, type Leaf } from './propose-rules.ts';

export interface ProposedUpload {
  /** The profile's `api.upload`. */
  readonly endpoint: { readonly path: string; readonly part: string | null; readonly at: string };
  /** Whether a field of the request for a video names the uploaded file. */
  readonly isNamedBy: (name: string, value: string) => boolean;
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
  const values = leavesOf(answer).filter(({ value }) => typeof value === 'string' && value !== '');
  const fields = fieldsOf(generate.body);
  const repeated = values.find(({ value }) => fields.some((field) => field.value === value));
  const named = fields.find(({ name }) => PICTURE_NAME.test(name));
  const at = repeated ?? (named && valueFor(named, values));
  if (at === undefined) return null;
  const part = upload.body.kind === 'form' ? (upload.body.files[0] ?? null) : null;
  return {
    endpoint: { path, part, at: at.path },
    isNamedBy: (name, value) =>
      repeated === undefined
        ? PICTURE_NAME.test(name.replace(/[_-]/g, ''))
        : value === repeated.value,
  };
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
