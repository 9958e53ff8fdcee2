import { ID_PLACEHOLDER } from '../../contract/service-address.ts';
import { isCredentialName, isPlaceholder } from '../../contract/examples/credential-forms.ts';
import { pairsOf } from '../../contract/examples/example-credentials.ts';

/** An address of a request as documentation shows it, in its parts. */
export interface ExampleAddress {
  /** `null` where it has none, or one with a placeholder. */
  readonly origin: string | null;
  /** With the query, without parameters that carry a key. */
  readonly path: string;
  /** Names of parameters that carry a key. */
  readonly keyParameters: readonly string[];
}

export function readAddress(url: string): ExampleAddress {
  const parts = /^(?:(https?):\/\/([^/?#\s]*))?([^?#\s]*)/i.exec(url);
  const [, scheme, authority = '', pathname = ''] = parts ?? [];
  const pairs = pairsOf(url);
  const isKey = ([name]: readonly [string, string]): boolean => isCredentialName(name);
  const query = pairs.filter((pair) => !isKey(pair)).map(([name, value]) => `${name}=${value}`);
  return {
    origin: scheme === undefined ? null : originOf(authority.replace(/^.*@/s, '')),
    path: (pathname === '' ? '/' : pathname) + (query.length > 0 ? `?${query.join('&')}` : ''),
    keyParameters: pairs.filter(isKey).map(([name]) => name),
  };
}

/** Always https: the key is never sent in the open. */
function originOf(authority: string): string | null {
  if (!/^[\w.:-]{1,260}$/.test(authority) || isPlaceholder(authority)) return null;
  const url = URL.parse(`https://${authority}`);
  return url === null || url.hostname === '' ? null : url.origin;
}

/** What stands for an identifier: `{id}`, `:id`, `<id>`, `[id]`, `$ID`, `${id}`, `VIDEO_ID`. */
const VARIABLE =
  /^(?:\$?\{[^{}]*\}|\{\{[^{}]*\}\}|:[A-Za-z]\w*|<[^<>]*>|\[[^[\]]*\]|\$\w+|[A-Z]+(?:_[A-Z]+)*_ID)$/;

/** Made by a service and not written by a person: has a digit and is long, or is a UUID. */
const GENERATED = /^(?=.*\d)[\w~.-]{8,}$/;

/**
 * A path in which the video's identifier is {@link ID_PLACEHOLDER}: where the address has the
 * identifier of the example, a variable, or else what looks like an identifier.
 * @param id the identifier in the answer to the example
 * @param how `exactly`: nothing but this identifier
 * @returns `null` where there is none
 */
export function pathWithId(
  path: string,
  id: string | null,
  how: 'exactly' | 'by-looks' = 'by-looks',
): string | null {
  const [pathname = '', query] = path.split('?');
  const places = [
    ...pathname
      .split('/')
      .slice(1)
      .map((value) => ({ before: '/', value })),
    ...(query?.split('&') ?? []).map((pair, index) => {
      const at = pair.indexOf('=') + 1;
      return { before: (index === 0 ? '?' : '&') + pair.slice(0, at), value: pair.slice(at) };
    }),
  ];
  const looks = [
    (value: string) => value === id,
    (value: string) => VARIABLE.test(value) || /^your[-_]/i.test(value),
    (value: string) => GENERATED.test(value),
  ];
  for (const isId of how === 'exactly' ? looks.slice(0, 1) : looks) {
    const at = places.findLastIndex(({ value }) => isId(value));
    if (at === -1) continue;
    return places
      .map(({ before, value }, index) => before + (index === at ? ID_PLACEHOLDER : value))
      .join('');
  }
  return null;
}
