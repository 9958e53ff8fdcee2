/**
 * Removes values from the places of a text in which keys stand, whatever they look like: also in
 * comments, in a second request, and in notations that are not read. Each value is removed in its
 * place only, because it may be a common word.
 */
import { isCredentialName, isPlaceholder, isReference } from './credential-forms.ts';

/**
 * Not a variable, a call, nor the start of an object. A backslash before a quotation mark belongs to
 * the mark.
 */
const VALUE = /((?![<{[(@]|\$[A-Za-z_{(])(?:[^\s"'`\\,;)}&]|\\(?!["'`n])){3,8000})/;
const QUOTE = /["'`\\]{0,4}/;
const SCHEME = /(?:(?:Bearer|Basic|Token|Key)[ \t]{1,4})?/;
/** Other names are skipped, so that `header="X-Api-Key: …"` is not one with a value. */
const NAME =
  /(?<![\w-])(?=[\w-]{0,60}?(?:key|token|secret|pass|pwd|auth|cookie|credential|jwt|session|sig|bearer))([\w-]{2,60})/;
const SPACE = /[ \t]{0,4}/;
const OR = /(?:\|\||\?\?|\?:|\bor\b)/;

/** One pattern of several parts. */
function form(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(''), 'gim');
}

/** The first group is the name, the second one the value. */
const NAMED_PLACES = [
  // `"api_key": "…"`, `X-Api-Key: …`, `api_key=…`, `apiKey: '…'`, `["api_key"] = '…'`
  form(NAME, QUOTE, /\]?/, SPACE, /(?::=?|={1,2})/, SPACE, QUOTE, SCHEME, VALUE),
  // `"auth": { "value": "…" }`, also in a list
  form(
    NAME,
    QUOTE,
    SPACE,
    /[:=][\s[]{0,20}\{[^{}]{0,200}?\bvalue["'\\]{0,3}[ \t]{0,4}:/,
    SPACE,
    QUOTE,
    SCHEME,
    VALUE,
  ),
  // `setAPIKey("…")`, and `"x-api-key" "…"` of Clojure
  form(NAME, /(?:\([ \t]{0,4}|["'][ \t]{1,4})["'`]/, SCHEME, VALUE),
  // `"X-Api-Key" to "…"` of Kotlin, `->` of Scala, `:api_key => "…"` of Ruby
  form(NAME, /(?:["'][ \t]{0,4}(?:->|to[ \t])|[ \t]{0,4}=>)[ \t]{0,4}["'`]/, SCHEME, VALUE),
  // `"X-Api-Key": {"…"}` and `[]string{"…"}` of Go
  form(
    NAME,
    /["`][ \t]{0,4}:[ \t]{0,4}(?:\[\]string)?\{[ \t]{0,4}["`]/,
    SCHEME,
    VALUE,
    /(?=["`][ \t]{0,4}[,}])/,
  ),
  // What another value falls back to: `apiKey = process.env.ACME ?? "…"`
  form(NAME, QUOTE, /\]?/, SPACE, /(?::=?|=)[^\n,;]{1,120}?/, OR, SPACE, /["'`]/, VALUE),
  // `process.env.ACME_KEY || "…"`, `os.getenv("ACME_KEY") or "…"`
  form(
    /(?<![a-z\d])(?:env|environ|getenv)(?:\.get|\.fetch)?[.(["']{1,2}([\w-]{2,60})["')\]!]{0,3}[ \t]{0,4}/,
    /(?:,|\|\||\?\?|\?:|\bor\b)/,
    SPACE,
    /["'`]/,
    VALUE,
  ),
  // The value is on the line below.
  form(NAME, QUOTE, SPACE, /[:=][ \t]{0,4}\r?\n[ \t]{0,40}["'`]/, VALUE),
  form(NAME, QUOTE, SPACE, /:[ \t]{0,4}[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,40}/, VALUE),
  // `<apiKey>…</apiKey>`
  form(/<([\w-]{2,60})>\s{0,40}([^\s<>]{3,8000})(?=\s{0,40}<\/)/),
  // `setenv KEY …`, `set -x KEY …`, `setx KEY …`
  form(/\b(?:setenv|setx|set[ \t]{1,4}-\w{1,4})[ \t]{1,4}(\w{2,60})[ \t]{1,4}/, QUOTE, VALUE),
  // `"key": "X-Api-Key", "value": "…"`, also with another pair between them
  form(
    /\b(?:key|name)["']?[ \t]{0,4}:[ \t]{0,4}["']?([\w-]{2,60})["']?[\s,]{1,40}/,
    /(?:["']?\w{1,20}["']?[ \t]{0,4}:[ \t]{0,4}["']?\w{1,20}["']?[\s,]{1,40})?["']?value["']?[ \t]{0,4}:/,
    SPACE,
    QUOTE,
    SCHEME,
    VALUE,
  ),
  // A field of a form with several parts.
  form(/\bname="([\w-]{2,60})"[^\n]{0,200}\n(?:[\w-]{2,60}:[^\n]{0,200}\n){0,5}\r?\n/, VALUE),
];

/** Places of values without a name. */
const PLACES = [
  // The password of an address.
  form(/\/\/[^\s/@:"']{0,200}:([^\s/@"']{3,8000})(?=@)/),
  // `--bearer …`, `--password=…`, `--auth me:…`
  form(/(?:^|\s)--[a-z-]{0,30}(?:password|bearer|auth|token|api-key)[ =]/, QUOTE, VALUE),
  // HTTPie's login; `-A bearer` is its kind.
  form(
    /^[^\n]{0,80}\b(?:https?|xhs?)(?=[ \t])[^\n]{0,2000}?[ \t]-a[ \t]{0,4}(?!(?:bearer|basic|digest)\b)/,
    QUOTE,
    VALUE,
  ),
  // `Client(key="…")`, `new Client("…")`, `NewClient("…")`, and the two keys that sign: `ak = "…"`
  form(/[(,]\s{0,40}key[ \t]{0,4}=[ \t]{0,4}["']/, VALUE),
  form(
    /\bnew(?:[ \t](?!(?:URL|Request|Headers|Error|Date|RegExp|Blob|File)\()[a-z]\w{1,60}|\w{0,40}Client)\([ \t]{0,4}["'`]/,
    /(?![^"'`\s]{0,2000}[:/])/,
    VALUE,
    /(?=["'`][ \t]{0,4}[,)])/,
  ),
  form(/(?<![\w.-])[as]k[ \t]{0,4}=[ \t]{0,4}["']/, VALUE),
  // `setValue("…", forHTTPHeaderField: "X-Api-Key")` of Swift, and of Objective-C with colons
  form(
    /\b(?:set|add)Value[(:][ \t]{0,4}@?"/,
    SCHEME,
    VALUE,
    /(?=",?[ \t]{1,4}forHTTPHeaderField:[ \t]{0,4}@?"(?:[\w-]{0,40}-)?(?:key|token|secret|authorization)")/,
  ),
  // A header of any scheme.
  form(/\bauthorization/, QUOTE, SPACE, /:/, SPACE, QUOTE, /[\w-]{2,40}[ \t]{1,4}/, VALUE),
  // `"Bearer " + "…"`, also with the dot of PHP
  form(/\b(?:Bearer|Basic|Token|Key)[ \t]{0,4}["'`][ \t]{0,4}[+.][ \t]{0,4}["'`]/, VALUE),
  // `"value": "…", "key": "X-Api-Key"`
  form(
    /["']value["'][ \t]{0,4}:[ \t]{0,4}["']/,
    /(?=[^"'\n]{3,8000}["'][\s,]{1,40}["'](?:key|name)["'][ \t]{0,4}:[ \t]{0,4}["'](?:[\w-]{0,40}[-_])?(?:key|token|secret|password|authorization)["'])/,
    SCHEME,
    VALUE,
  ),
  // PHP's login.
  form(/\bCURLOPT_(?:PROXY)?USERPWD[ \t]{0,4}(?:,|=>)[ \t]{0,4}["'][^\s:"']{0,200}:/, VALUE),
  // Python's login.
  form(/\bauth[ \t]{0,4}=[ \t]{0,4}[\w.]{0,60}\([^,()\n]{0,200},[ \t]{0,4}["']/, VALUE),
  // A login or a token as methods take it: `.SetBasicAuth("me", "…")`, `.bearer_auth("…")`
  form(
    /(?:basic|bearer)_?auth[( ][ \t]{0,4}(?:["'`][^"'`\n]{0,200}["'`][ \t]{0,4},[ \t]{0,4})?(?:Some\()?["'`]/,
    VALUE,
  ),
  form(/\blogin[ \t]{1,4}\S{1,200}\s{1,4}password[ \t]{1,4}/, VALUE),
  form(/\bConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?/, QUOTE, VALUE),
  form(
    /\b(?:my|api|access|secret)[ \t](?:api[ \t])?(?:key|token|secret|password)[ \t]{0,4}[:=]/,
    SPACE,
    QUOTE,
    VALUE,
  ),
  // A sentence names a key, rather than a word about it such as `5-star`.
  form(
    /\b(?:key|token|secret|password)[ \t]is[ \t]/,
    QUOTE,
    /(?!\d{1,4}-[a-z]{2,20}\b)(?=\S{0,80}[\d-])/,
    VALUE,
  ),
];

/** Digits and literals. */
const NO_KEY = /^(?:\d+|true|false|null|none|undefined|string|bearer|basic)$/i;

/** @param replacement a placeholder */
export function withoutKeysInPlaces(text: string, replacement: string): string {
  const replaced = (whole: string, value: string): string => {
    const before = whole.slice(0, whole.length - value.length);
    // Without quotation marks, a call or a reference says where the key is.
    const isCall = /[([]/.test(value) && !/["'`]/.test(before.slice(before.lastIndexOf('\n') + 1));
    const isCode = isCall || (isReference(value) && !/["'`]$/.test(before));
    return NO_KEY.test(value) || isCode || isPlaceholder(value) ? whole : `${before}${replacement}`;
  };
  const named = NAMED_PLACES.reduce(
    (each, place) =>
      each.replace(place, (whole: string, name: string, value: string) =>
        // `{"key": "title"}` is a pair of a name and a value.
        isCredentialName(name) && name.toLowerCase() !== 'key' ? replaced(whole, value) : whole,
      ),
    text,
  );
  return PLACES.reduce(
    (each, place) => each.replace(place, (whole: string, value: string) => replaced(whole, value)),
    named,
  );
}
