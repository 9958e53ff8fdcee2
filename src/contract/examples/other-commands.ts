/** Says in words of curl what a command of wget, HTTPie or xh requests. */
import type { ShellCommand } from './shell-words.ts';

/** Commands of curl stay as they are. */
export function asCurl(command: ShellCommand): ShellCommand {
  const [program = '', ...words] = command.words;
  const name = program.replace(/\.exe$/i, '').toLowerCase();
  if (name === 'curl') return command;
  const asWords = name === 'wget' ? curlOfWget(words) : curlOfHttpie(words, command.input);
  return { ...command, words: ['curl', ...asWords] };
}

interface Split {
  /** Options, without dashes, and their values; empty for a flag. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly others: readonly string[];
}

/**
 * @param short options of one letter with a value, which may follow at once: `-qO-`
 * @param long other options with a value, which follows `=` or is the next word
 */
function splitOptions(words: readonly string[], short: string, long: ReadonlySet<string>): Split {
  const options: (readonly [string, string])[] = [];
  const others: string[] = [];
  let at = 0;
  const next = (): string => words[at++] ?? '';
  while (at < words.length) {
    const word = next();
    if (word.startsWith('--')) {
      const [name = '', inOne] = word.slice(2).split(/=(.*)/s);
      options.push([name, inOne ?? (long.has(name) ? next() : '')]);
    } else if (/^-[A-Za-z]/.test(word)) {
      const letters = word.slice(1).split('');
      const withValue = letters.findIndex((letter) => short.includes(letter));
      const flags = withValue === -1 ? letters : letters.slice(0, withValue);
      for (const flag of flags) options.push([flag, '']);
      if (withValue === -1) continue;
      const inOne = letters.slice(withValue + 1).join('');
      options.push([letters[withValue] ?? '', inOne === '' ? next() : inOne]);
    } else {
      others.push(word);
    }
  }
  return { options, others };
}

const WGET_WITH_VALUE: ReadonlySet<string> = new Set(
  `header post-data body-data post-file body-file method user http-user password http-password
  referer user-agent output-document output-file timeout tries certificate private-key`.split(
    /\s+/,
  ),
);

function curlOfWget(words: readonly string[]): string[] {
  const { options, others } = splitOptions(words, 'aoeBitOTwQPUlARDIX', WGET_WITH_VALUE);
  const last = (...names: readonly string[]): string | undefined =>
    options.findLast(([name]) => names.includes(name))?.[1];
  const user = last('user', 'http-user');
  const ofOptions = options.flatMap(([name, value]): string[] => {
    if (name === 'header') return ['-H', value];
    if (name === 'method') return ['-X', value];
    if (name === 'post-data' || name === 'body-data') return ['--data-raw', value];
    return name === 'post-file' || name === 'body-file' ? ['-d', `@${value}`] : [];
  });
  const login =
    user === undefined ? [] : ['-u', `${user}:${last('password', 'http-password') ?? ''}`];
  return [...ofOptions, ...login, ...others];
}

const HTTPIE_WITH_VALUE: ReadonlySet<string> = new Set(
  `auth auth-type bearer boundary cert cert-key cert-key-pass ciphers default-scheme format-options
  history-print http-version max-headers max-redirects output pretty print proxy raw
  response-charset response-mime session session-read-only ssl style timeout verify`.split(/\s+/),
);

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i;

/** A name, where `\` before a separator belongs to it, the separator and the value. */
const ITEM = /^((?:[^\\:=@;]|\\[^])+)(:=@?|==@?|=@|:@?|=|@|;)([^]*)$/;

/** What a request of HTTPie sends: headers, parameters, fields and files. */
interface Item {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
}

function curlOfHttpie(words: readonly string[], input: string | null): string[] {
  const { options, others } = splitOptions(words, 'aApPos', HTTPIE_WITH_VALUE);
  const has = (...names: readonly string[]): boolean =>
    options.some(([name]) => names.includes(name));
  const valueOf = (...names: readonly string[]): string | undefined =>
    options.findLast(([name]) => names.includes(name))?.[1];
  const hasMethod = METHOD.test(others[0] ?? '');
  const [url = '', ...rest] = hasMethod ? others.slice(1) : others;
  const items = rest.flatMap((word): Item[] => {
    const [, name = '', kind = '', value = ''] = ITEM.exec(word) ?? [];
    return name === '' ? [] : [{ name: name.replace(/\\([:=@;\\])/g, '$1'), kind, value }];
  });
  const auth = valueOf('a', 'auth');
  const isBearer = valueOf('A', 'auth-type')?.toLowerCase() === 'bearer';
  const bearer = valueOf('bearer') ?? (isBearer ? auth : undefined);
  const raw = valueOf('raw');
  const fields = fieldsOf(items, { isForm: has('f', 'form'), isMultipart: has('multipart') });
  const piped = fields.length === 0 && input !== null ? ['-d', '@-'] : [];
  return [
    ...(hasMethod ? ['-X', others[0] ?? ''] : []),
    // `:3000/v1` is an address of this computer.
    url.replace(/^:\/\//, '').replace(/^:/, 'localhost:'),
    ...items.flatMap(({ name, kind, value }) => {
      if (kind === '==') return ['--url-query', `${name}=${value}`];
      return kind === ':' && value !== '' ? ['-H', `${name}: ${value}`] : [];
    }),
    ...(bearer !== undefined
      ? ['--oauth2-bearer', bearer]
      : auth !== undefined
        ? ['-u', auth]
        : []),
    ...(raw === undefined ? [] : ['--data-raw', raw]),
    ...fields,
    ...piped,
  ];
}

function fieldsOf(
  items: readonly Item[],
  { isForm, isMultipart }: { readonly isForm: boolean; readonly isMultipart: boolean },
): string[] {
  const fields = items.filter(({ kind }) => /^:?=@?$/.test(kind));
  const files = items.filter(({ kind }) => kind === '@');
  if (isMultipart || files.length > 0) {
    return [
      ...fields.flatMap((field) => ['--form-string', `${field.name}=${textOf(field)}`]),
      ...files.flatMap(({ name, value }) => ['-F', `${name}=@${value}`]),
    ];
  }
  if (fields.length === 0) return [];
  return isForm
    ? fields.flatMap((field) => ['--data-urlencode', `${field.name}=${textOf(field)}`])
    : ['--json', jsonOf(fields)];
}

/** A text in a file keeps the file's name, as it does with curl. */
function textOf({ kind, value }: Item): string {
  return kind.endsWith('@') ? `@${value}` : value;
}

/** JSON, or an object or a list with its values by their names or places. */
type Branch = string | Map<string, Branch>;

/** The names of fields say where they are, at up to 20 levels: `scenes[0][text]`, `tags[]`. */
function jsonOf(fields: readonly Item[]): string {
  const root = new Map<string, Branch>();
  for (const field of fields) {
    const [, first = '', inner = ''] = /^([^[]*)((?:\[[^\]]*\]){0,20})$/.exec(field.name) ?? [
      '',
      field.name,
    ];
    const path = [first, ...[...inner.matchAll(/\[([^\]]*)\]/g)].map(([, name = '']) => name)];
    const last = path.pop() ?? '';
    let within = root;
    for (const name of path) {
      const known = within.get(name);
      const branch = known instanceof Map ? known : new Map<string, Branch>();
      within.set(name === '' ? String(within.size) : name, branch);
      within = branch;
    }
    const isText = field.kind !== ':=';
    within.set(
      last === '' ? String(within.size) : last,
      isText ? JSON.stringify(textOf(field)) : field.value,
    );
  }
  return textOfBranch(root, 'object');
}

function textOfBranch(branch: Branch, kind: 'object' | 'any'): string {
  if (typeof branch === 'string') return branch;
  const isList = kind === 'any' && [...branch.keys()].every((name) => /^\d+$/.test(name));
  const values = [...branch].map(([name, value]) => {
    const text = textOfBranch(value, 'any');
    return isList ? text : `${JSON.stringify(name)}:${text}`;
  });
  return isList ? `[${values.join(',')}]` : `{${values.join(',')}}`;
}
