/** The conditional and range headers of a request (RFC 9110 §13, §14). */
export interface ConditionalHeaders {
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** The current version of a file. `etag` is a strong validator, quotes included. */
export interface Representation {
  readonly size: number;
  readonly etag: string;
}

/** The response to a request for a file. `first` and `last` are byte offsets, both inclusive. */
export type FileResponse =
  | { readonly status: 200 }
  | { readonly status: 206; readonly first: number; readonly last: number }
  | { readonly status: 304 }
  | { readonly status: 412 }
  | { readonly status: 416 };

/**
 * Decides how to answer a request for a file, in the order of RFC 9110 §13.2.2. A Range header that
 * is malformed, has several ranges, or comes with an If-Range that does not match is ignored, as
 * RFC 9110 §14.2 allows: the client gets the whole file.
 */
export function responseFor(file: Representation, headers: ConditionalHeaders): FileResponse {
  if (headers.ifMatch !== undefined && !includesEtag(headers.ifMatch, file.etag, 'strong')) {
    return { status: 412 };
  }
  if (headers.ifNoneMatch !== undefined && includesEtag(headers.ifNoneMatch, file.etag, 'weak')) {
    return { status: 304 };
  }
  // Only the exact validator matches: the service sends no dates that could be compared.
  if (headers.ifRange !== undefined && headers.ifRange.trim() !== file.etag) return { status: 200 };
  return headers.range === undefined ? { status: 200 } : rangeOf(headers.range, file.size);
}

function rangeOf(header: string, size: number): FileResponse {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header.trim());
  const [, from = '', to = ''] = match ?? [];
  if (!match || (from === '' && to === '')) return { status: 200 };

  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? { status: 416 } : { status: 206, first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return { status: 200 };
  return first >= size ? { status: 416 } : { status: 206, first, last };
}

function includesEtag(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  return header
    .split(',')
    .map((entry) => entry.trim())
    .some(
      (entry) =>
        entry === '*' || entry === etag || (comparison === 'weak' && entry === `W/${etag}`),
    );
}
