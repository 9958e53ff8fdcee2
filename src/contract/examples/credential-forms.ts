/**
 * What keys look like: their names, their formats at various services, and randomness. A text in
 * which none of these is recognised may still contain one.
 */

const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'jwt',
  'key',
  'passphrase',
  'passwd',
  'password',
  'pwd',
  'secret',
  'session',
  'sig',
  'signature',
  'token',
]);

/** Names in one word: `xapikey`, `accesstoken`. */
const CREDENTIAL_END = /(?:key|token|secret|password|accesskeyid)$/;

/** Formats of services' keys, anywhere in a text. A field's name contains no digit. */
const KEY_FORMS = [
  /\b(?:sk|pk|rk|key|tok|svc_live|svc_test)[-_](?=[\w-]{0,80}\d)[\w-]{16,}/g,
  /\b(?:r8|hf)_\w{20,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}:[\da-f]{16,}/g,
];

/** JSON Web Tokens, which are keys at some services and part of signed links at others. */
const WEB_TOKEN = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A name and a value in any notation: a header, parameter, variable, field, item or pair. */
const NAMED_VALUE =
  /(?<![\w-])([\w-]{2,60})["'\\\]]{0,3}[ \t]{0,4}(?:[:=]|,(?=[ \t]{0,4}["']))[ \t]{0,4}["'\\]{0,3}(?:(?:Bearer|Basic|Token|Key)[ \t]{1,4})?([\w+/=~.-]{16,8000})/gi;

/**
 * The password of a login, as Python writes it: `auth=("me", "…")`, `auth=HTTPBasicAuth("me",
 * "…")`.
 */
const LOGIN =
  /\bauth[ \t]{0,4}=[ \t]{0,4}[\w.]{0,60}\([ \t]{0,4}["'][^"'\n]{0,200}["'][ \t]{0,4},[ \t]{0,4}["']([^"'\n]{6,500})["']/g;

/** `KEY=…`, `export KEY=…`, `$env:KEY = "…"`, `os.environ["KEY"] = "…"`, `const key = "…"`. */
const ASSIGNMENT =
  /(?<![\w?&.%-])([A-Za-z_][\w.]{1,60})(?:\[["']([\w-]{2,60})["']\])?[ \t]{0,4}=[ \t]{0,4}(?:"([^"\n]{3,8000})"|'([^'\n]{3,8000})'|([^\s"'`;)]{3,8000}))/g;

/** `"X-Api-Key": "…"` and its kin in code that is not read. */
const QUOTED_PAIR =
  /["'`]([\w-]{2,60})["'`]\]?[ \t]{0,4}(?::|=>?|,)[ \t]{0,4}[fbru]?["'`](?:(?:Bearer|Basic|Token|Key)[ \t]{1,4})?([^"'`\n]{3,8000})["'`]/gi;

/** A private key, also on one line with `\n`, and one whose end was not copied. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

/** A key after its scheme, in a header or another text. */
const WITH_SCHEME = /\b(?:Bearer|Basic)[ \t]{1,4}([\w+/=~.-]{16,8000})/gi;

/** Whether a name of a header, parameter or field says that its value is secret. */
export function isCredentialName(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return (
    words.some((word) => CREDENTIAL_WORDS.has(word) || CREDENTIAL_END.test(word)) &&
    !words.includes('idempotency')
  );
}

const REFERENCE =
  /^(?:(?:process|import\.meta|Deno|Bun)\.)?(?:env|os|config|settings|options|secrets|credentials|self|this)\.[a-z_][\w.?]*$|^await$/i;

/** Whether code without quotation marks says where the key is: `process.env.KEY`, `settings.KEY`. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value.trim());
}

/** No placeholder is longer, in characters. */
const MAX_PLACEHOLDER = 200;

/** Whether a value is only a placeholder, a name in code or a scheme: `$API_KEY`, `<token>`, `YOUR_API_KEY`, `sk-…`, `Bearer `. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim().replace(/^(["'])(.*)\1$/s, '$2');
  if (text.length > MAX_PLACEHOLDER) return false;
  return (
    text === '' ||
    /^(?:\$(?:[A-Za-z_{(]|$)|%\w+%$)|[<>{}[\]*]|\.{3}|…|x{4,}|\byour|your[-_ ]|\bmy[-_ ]/i.test(
      text,
    ) ||
    /^(?:[A-Z]+_)*(?:APIKEY|KEY|TOKEN|SECRET|PASSWORD|ID)(?:_[A-Z]+)*$/.test(text) ||
    /^(?:bearer|basic)$|^(?:(?:api|access|secret)[-_ ]?)*(?:key|token|secret)(?:[-_ ]here)?$/i.test(
      text,
    )
  );
}

/** Whether a text contains something that looks like a key. */
export function hasKey(text: string): boolean {
  return [PRIVATE_KEY, ...KEY_FORMS, WEB_TOKEN].some((form) => text.search(form) !== -1);
}

/** Removes everything that has the format of a key. */
export function withoutKeyForms(
  text: string,
  replacement: string,
): { readonly cleaned: string; readonly hadKey: boolean } {
  const cleaned = [PRIVATE_KEY, ...KEY_FORMS].reduce(
    (each, form) => each.replace(form, replacement),
    text,
  );
  // A token in a signed link is not the user's key.
  return { cleaned: cleaned.replace(WEB_TOKEN, replacement), hadKey: cleaned !== text };
}

/** Whether a value looks generated: a UUID, or a long run of mixed letters and digits. */
export function looksRandom(value: string): boolean {
  if (UUID.test(value)) return true;
  if (!/^[\w+/=~.-]{16,8000}$/.test(value) || value.replace(/\D/g, '').length < 2) return false;
  return (/[a-z]/.test(value) && /[A-Z]/.test(value)) || /[a-z\d]{20,}/i.test(value);
}

/** Passwords, and values in any text that follow the name of a key and look like one. */
export function namedSecretsIn(text: string, links: 'with-links' | 'without-links'): string[] {
  const named = [...text.matchAll(NAMED_VALUE)].filter(
    ({ 1: name = '', index }) =>
      isCredentialName(name) && (links === 'with-links' || !/[?&]/.test(text.charAt(index - 1))),
  );
  const random = [...named, ...text.matchAll(WITH_SCHEME)]
    .map((found) => found.at(-1) ?? '')
    .filter(looksRandom);
  const passwords = [...text.matchAll(LOGIN)].map(([, password = '']) => password);
  return [...random.filter((value) => !isReference(value)), ...passwords].filter(
    (value) => !isPlaceholder(value),
  );
}

/**
 * Values that a text assigns to variables that are named as keys, or that are used where a key is.
 * @param keys texts in which keys are used: the values of headers that carry one
 */
export function assignedSecretsIn(text: string, keys: readonly string[]): string[] {
  return [...text.matchAll(ASSIGNMENT)].flatMap((found): string[] => {
    const [, variable = '', item = variable, inDouble, inSingle, bare = ''] = found;
    const value = inDouble ?? inSingle ?? bare;
    const isUsed = keys.some((key) => key.split(/\W+/).includes(item));
    const isCode = /[([]/.test(bare) || isReference(bare);
    return (isCredentialName(item) || isUsed) && !isCode && !isPlaceholder(value) ? [value] : [];
  });
}

/** Values beside the quoted name of a key, in code that is not read as a request. */
export function pairedSecretsIn(text: string): string[] {
  return [...text.matchAll(QUOTED_PAIR)].flatMap(([, name = '', value = '']) =>
    isCredentialName(name) && !isPlaceholder(value) ? [value] : [],
  );
}
