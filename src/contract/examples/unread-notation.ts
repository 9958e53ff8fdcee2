/** Recognises requests in notations that are not read, so that a message can name them. */

/** Programming languages, by their names. */
const codeLanguages = [
  'Python',
  'JavaScript',
  'Go',
  'PHP',
  'Ruby',
  'Java',
  'Kotlin',
  'C#',
  'Rust',
  'Swift',
  'Dart',
  'C',
] as const;

export type CodeLanguage = (typeof codeLanguages)[number];

/** What a text is that contains no request that can be read. */
export const unreadKinds = [
  ...codeLanguages,
  'powershell',
  'grpc',
  'postman',
  'insomnia',
  'bruno',
  'har',
  'openapi',
  'none',
] as const;

export type UnreadKind = (typeof unreadKinds)[number];

type Notation = readonly [UnreadKind, RegExp];

/** Files that other programs export. In JSON, a text that is quoted has its quotes escaped. */
const FILES: readonly Notation[] = [
  ['har', /^\{\s{0,40}"log"\s{0,40}:\s{0,40}\{/],
  [
    'postman',
    /(?<!\\)"_postman_\w{1,40}"|\bgetpostman\.com\/json\/|(?<!\\)"request"\s{0,40}:\s{0,40}\{\s{0,40}"(?:method|auth|header|url)"/,
  ],
  ['insomnia', /(?<!\\)"__export_format"|^type: \w{1,40}\.insomnia\.rest\//m],
  ['bruno', /^meta \{\n/m],
  ['openapi', /^["']?(?:openapi|swagger)["']?:|^\{\s{0,40}"(?:openapi|swagger)"\s{0,40}:/m],
];

/** Code and commands, the most certain first: several languages have `var` and `await`. */
const CODE: readonly Notation[] = [
  [
    'Python',
    /^[ \t]*(?:import (?:requests|httpx|aiohttp|http\.client|urllib|json|os)\b|from [\w.]{1,80} import )|\b(?:requests|httpx|aiohttp|urllib)\.\w+|\bhttp\.client\b/m,
  ],
  [
    'powershell',
    /\bInvoke-(?:RestMethod|WebRequest)\b|\b(?:irm|iwr)[ \t]+(?:[-'"$]|https?:)|[ \t]-(?:Uri|Method|Headers|Body|ContentType)[ \t]/i,
  ],
  ['PHP', /<\?php|\bcurl_(?:init|setopt\w*)\(|\$\w{1,60}->\w+\(|\bGuzzleHttp\b|\bHttp::\w+\(/],
  ['C', /\bcurl_easy_\w+\(|^[ \t]*#include[ \t]*</m],
  [
    'Go',
    /^[ \t]*package \w+$|\bhttp\.(?:NewRequest(?:WithContext)?|Post)\(|\bstrings\.NewReader\(/m,
  ],
  ['Ruby', /\bNet::HTTP\b|^[ \t]*require ['"]|\b(?:HTTParty|Faraday|RestClient)\./m],
  ['C#', /\bnew (?:HttpClient|Rest(?:Client|Request))\b|\bHttpRequestMessage\b|^using System/m],
  [
    'Java',
    /\bHttpRequest\.newBuilder\(|\bHttpClient\.new\w+\(|\bUnirest\.|\bnew (?:OkHttpClient|Request\.Builder)\b/,
  ],
  ['Kotlin', /^[ \t]*val \w{1,60} = |\bOkHttpClient\(/m],
  ['Rust', /\b(?:reqwest|ureq)::/],
  ['Swift', /\bURLRequest\(|\bURLSession\b/],
  ['Dart', /\bUri\.parse\(|\bhttp\.(?:Multipart)?Request\(/],
  ['grpc', /^[^\n]{0,80}\bgrpcurl[ \t]/m],
  [
    'JavaScript',
    /\b(?:fetch|axios(?:\.\w+)?|require)\(|\bXMLHttpRequest\b|\$\.(?:ajax|get|post)\(|\bhttps?\.request\(|^[ \t]*import [^\n]{1,200} from ['"]|\bawait [\w.]{1,80}\(|^[ \t]*const \w{1,60} = /m,
  ],
];

/** @param text without invisible characters */
export function unreadKindOf(text: string): UnreadKind {
  // What is in quotation marks may be any text.
  const code = text.replace(/"(?:[^"\\\n]|\\.)*"?/g, '""');
  const isIn = (searched: string): ((notation: Notation) => boolean) => {
    return ([, form]) => form.test(searched);
  };
  const [kind = 'none'] = FILES.find(isIn(text)) ?? CODE.find(isIn(code)) ?? [];
  return kind;
}
