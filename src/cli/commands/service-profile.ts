import path from 'node:path';
import type { ProfileChecked } from '../../contract/service-offer.ts';
import { escapedJson } from '../../engine/json.ts';
import { userMessage } from '../../contract/user-message.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { profileSchema } from '../../engine/profiles/profile.ts';
import { builtInProfile } from '../../engine/profiles/services.ts';
import { FIRST_OF_MONTH } from '../../engine/pacing/quota.ts';
import { MemoryKeyStore } from '../../engine/keys/key-store.ts';
import { readSmallText } from '../../host/bounded-file.ts';
import { linkService, type ServiceChoice } from '../../host/service-link.ts';
import { answersIn } from '../../host/settings/example-answers.ts';
import { checkProfile, serviceOffers } from '../../host/settings/service-offers.ts';
import type { CommandContext } from '../command-context.ts';
import { canvasOf } from '../display/canvas.ts';
import { costWords, fileWords, limitWords, triedWords } from '../display/service-words.ts';
import { table } from '../display/table.ts';
import { plainText } from '../display/safe-text.ts';
import { environmentProxy } from '../../engine/proxy.ts';
import { checkKey } from '../doctor/check-service.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { isServiceName, namedService } from '../named-service.ts';
import { openKeys } from '../open-queue.ts';
import { writeEvent } from '../write-event.ts';

export interface ListOptions {
  readonly json?: boolean;
}

export interface CheckOptions extends ListOptions {
  readonly dataDir: string;
  /** The path of a file with the service's responses. */
  readonly examples?: string;
  readonly withKey?: boolean;
  /** An address. */
  readonly service?: string;
  readonly ca?: string;
}

/** A file that a command names cannot be read. */
class FileUnusableError extends EngineError {
  constructor(file: string, cause: unknown) {
    super({ code: 'value-invalid', ...userMessage('file-not-readable', { file }) }, { cause });
  }
}

/** Lists the services that Spool knows. */
export function listProfiles({ json }: ListOptions, context: CommandContext): ExitCode {
  const { stdout } = context;
  const offers = serviceOffers().filter(({ id }) => id !== 'this-computer');
  if (json) {
    for (const { id, origin, profile } of offers) {
      const { about, cost, file, limits } = profile.api ?? {};
      writeEvent(context, {
        event: 'service',
        id,
        name: profile.name,
        origin,
        about,
        cost,
        file,
        limits,
      });
    }
    return EXIT.allSaved;
  }
  const rows = offers.map(({ id, profile: { api } }) => [
    id === 'documented' ? 'any URL' : id,
    costWords(api),
    fileWords(api),
    limitWords(api),
    id === 'documented' ? '–' : triedWords(api),
  ]);
  const head = ['service', 'estimated cost', 'file', 'limits', 'tested'];
  stdout.write(`${table(head, rows, canvasOf(stdout)).join('\n')}\n`);
  stdout.write(
    'Untested profiles follow the services’ documentation and have not been used with the real service yet (docs/services.md).\n',
  );
  return EXIT.allSaved;
}

/** Prints a built-in profile in the form of a profile file, to be adapted. */
export function showProfile(
  name: string,
  { json }: ListOptions,
  { stdout }: CommandContext,
): ExitCode {
  const profile = isServiceName(name) ? builtInProfile(name) : namedService(name).profile;
  stdout.write(`${json ? escapedJson(profile) : JSON.stringify(profile, null, 2)}\n`);
  return EXIT.allSaved;
}

/** Validates a profile, reads examples by it, and makes one request to its service with a key. */
export async function checkProfileFile(
  file: string,
  options: CheckOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { cwd, stdout, stderr } = context;
  const { json, service = null } = options;
  const entered = await readProfile(file, cwd);
  const examples =
    options.examples === undefined ? {} : await readExamples(path.resolve(cwd, options.examples));
  const checked = checkProfile({ profile: entered, baseUrl: service, examples });
  if (json) writeEvent(context, { event: 'checked', ...checked });
  if (checked.errors.length > 0) {
    stderr.write(`${plainText(file)} has errors:\n${errorLines(checked)}`);
    return EXIT.usage;
  }
  if (!json) stdout.write(reportOf(file, checked));
  if (!options.withKey) return EXIT.allSaved;
  const { origin } = checked;
  if (origin === null) {
    stderr.write('The profile has no address. Give it with --service.\n');
    return EXIT.usage;
  }
  return tryKey(entered, service ?? origin, options, context);
}

async function tryKey(
  entered: unknown,
  baseUrl: string,
  { dataDir, ca, json }: CheckOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { cwd, serviceProgram, stdout } = context;
  const choice: ServiceChoice = {
    kind: 'remote',
    baseUrl,
    ca: ca === undefined ? undefined : { file: path.resolve(cwd, ca) },
    plan: { name: 'free', anchor: FIRST_OF_MONTH },
  };
  const link = await linkService(choice, { dataDir, serviceProgram, keys: new MemoryKeyStore() });
  const keys = await openKeys(choice, context);
  const profile = profileSchema.parse(entered);
  const findProxy = environmentProxy(context.proxySettings);
  const { state, message, advice } = await checkKey(link, profile, keys, findProxy);
  if (json) writeEvent(context, { event: 'key', state, message });
  else stdout.write(`${plainText(message)}${advice === undefined ? '' : ` ${advice}`}\n`);
  switch (state) {
    case 'good':
      return EXIT.allSaved;
    case 'bad':
      return EXIT.keyRefused;
    // The service did not answer this.
    case 'note':
      return EXIT.someFailed;
  }
}

async function readProfile(file: string, cwd: string): Promise<unknown> {
  if (isServiceName(file)) return builtInProfile(file);
  try {
    return JSON.parse(await readSmallText(path.resolve(cwd, file)));
  } catch (error) {
    throw new FileUnusableError(file, error);
  }
}

/**
 * Responses as JSON with the members `generate`, `status` and `download`, each a response or a list
 * of them; or any text with responses for the status in it.
 */
async function readExamples(file: string) {
  let text: string;
  try {
    text = await readSmallText(file);
  } catch (error) {
    throw new FileUnusableError(file, error);
  }
  const [first] = answersIn(text);
  const named = first as Readonly<Record<string, unknown>> | undefined;
  const names = ['generate', 'status', 'download'] as const;
  if (named === undefined || !names.some((name) => isAnswers(named[name]))) {
    return { status: text };
  }
  return Object.fromEntries(
    names.flatMap((name) => (name in named ? [[name, asText(named[name])]] : [])),
  );
}

/** A response or several, rather than a status word. */
function isAnswers(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function asText(responses: unknown): string {
  return [responses]
    .flat()
    .map((response) => JSON.stringify(response))
    .join('\n');
}

function errorLines({ errors }: ProfileChecked): string {
  return errors
    .map(
      ({ field, message }) =>
        `  ${field === '' ? '' : `${plainText(field)}: `}${plainText(message)}\n`,
    )
    .join('');
}

function reportOf(file: string, { origin, destinations, reading }: ProfileChecked): string {
  const lines = [`${plainText(file)} is valid.`];
  if (origin === null) lines.push('It has no address: the user enters it.');
  for (const { message } of destinations) lines.push(`  ${plainText(message)}`);
  if (reading === null) return `${lines.join('\n')}\n`;
  const { id, statuses, link } = reading;
  if (id !== null) lines.push(`Example: the video’s identifier is ${plainText(id)}.`);
  for (const { word, state } of statuses) {
    lines.push(
      word === null
        ? 'Example: no status is found.'
        : state === null
          ? `Example: the profile does not define “${plainText(word)}”.`
          : `Example: “${plainText(word)}” means ${state}.`,
    );
  }
  if (link?.kind === 'link') lines.push('Example: the link is found.');
  if (link?.kind === 'not-ready') lines.push('Example: there is no link yet.');
  if (link?.kind === 'unreadable') lines.push(`Example: ${plainText(link.why.message)}`);
  return `${lines.join('\n')}\n`;
}
