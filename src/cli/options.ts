import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { hasNumberAsHost, isBaseAddress } from '../contract/base-address.ts';
import { MAX_NAME_TEMPLATE, MAX_REMOTE_ID, MAX_SEARCH } from '../contract/text-limits.ts';
import { isSeparator } from '../contract/text-reading.ts';
import { userMessage } from '../contract/user-message.ts';
import { PLAN_QUOTAS } from '../engine/pacing/quota.ts';
import { defaultDataFolder } from '../host/data-folder.ts';
import { LOG_LEVELS, type LogLevel } from '../host/log-level.ts';

/** The options of every command that opens the queue, as given. */
export interface QueueOptions {
  readonly dataDir: string;
  /** `local`, a built-in service's name or an address; the settings apply when left out. */
  readonly service?: string;
  readonly ca?: string;
  readonly profile?: string;
  readonly accountPlan?: string;
  readonly billingDate?: string;
  readonly logLevel?: LogLevel;
}

export function withQueueOptions(command: Command): Command {
  return withAccountOptions(
    command.addOption(dataDirOption()).addOption(serviceOption()),
  ).addOption(
    new Option(
      '--log-level <level>',
      'what to write to logs/spool.log in the data folder; trace adds every request, response and decision',
    )
      .choices(LOG_LEVELS)
      .env('SPOOL_LOG')
      .default('info' satisfies LogLevel),
  );
}

/** Options that describe a service and the account there. */
export function withAccountOptions(command: Command): Command {
  return command
    .option('--profile <file|name>', 'service profile: a JSON file, or the name of a built-in one')
    .option('--ca <file>', 'certificate authority (PEM) to trust for the service only')
    .option(
      '--account-plan <plan>',
      'plan of your account, or its videos a month if negotiated; with --service local: practise with this plan’s limits',
      parsePlan,
    )
    .option(
      '--billing-date <date>',
      'a day on which the quota resets, such as 2026-03-17 (default: the first of the month)',
      parseDate,
    );
}

export function serviceOption(): Option {
  return new Option(
    '--service <local|name|URL>',
    'the service to use instead of the one in the settings (names: spool service-profile list)',
  ).argParser(parseService);
}

export function dataDirOption(): Option {
  return new Option('--data-dir <folder>', 'data folder')
    .default(defaultDataFolder(), 'the platform’s default folder')
    .argParser((folder) => path.resolve(parseFolder(folder)));
}

/** An empty path would be the current folder, such as after a mistyped variable in a script. */
export function parseFolder(folder: string): string {
  if (folder !== '') return folder;
  throw new InvalidArgumentError('The path is empty. For the current folder, write a dot.');
}

export function parseNameTemplate(text: string): string {
  if (text !== '' && text.length <= MAX_NAME_TEMPLATE) return text;
  throw new InvalidArgumentError(`A file name template has 1 to ${MAX_NAME_TEMPLATE} characters.`);
}

/** What the user can type for a separator. Shells treat some of the characters specially. */
export const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
  none: 'none',
};

/** The separator that a user means by its name or by the character itself. */
export function parseSeparator(text: string): string {
  const named = SEPARATOR_NAMES[text];
  if (named !== undefined) return named;
  if (isSeparator(text)) return text;
  const names = Object.keys(SEPARATOR_NAMES).join(', ');
  throw new InvalidArgumentError(`Write ${names}, or a single character such as ^.`);
}

export function parseSearch(text: string): string {
  if (text.length <= MAX_SEARCH) return text;
  throw new InvalidArgumentError(`A search has up to ${MAX_SEARCH} characters.`);
}

export function parseRemoteId(text: string): string {
  if (text !== '' && text.length <= MAX_REMOTE_ID) return text;
  throw new InvalidArgumentError(`An identifier has 1 to ${MAX_REMOTE_ID} characters.`);
}

/**
 * `local`, an address, or else the name of a built-in service, which is looked up when the command
 * runs: the profiles take a while to load.
 */
export function parseService(text: string): string {
  return /^[a-z][\w-]*$/i.test(text) ? text.toLowerCase() : parseRemote(text);
}

/** A service's base address, without a trailing slash. */
export function parseRemote(text: string): string {
  if (/^\d+$/.test(text) || hasNumberAsHost(text))
    throw new InvalidArgumentError(userMessage('address-is-number').message);
  if (URL.parse(text)?.protocol !== 'https:') {
    throw new InvalidArgumentError(
      'Use local, the name of a built-in service or an https address.',
    );
  }
  if (!isBaseAddress(text))
    throw new InvalidArgumentError(userMessage('address-with-more').message);
  return text.replace(/\/+$/, '');
}

export function parseHostAndPort(text: string): string {
  if (URL.parse(`https://${text}`)?.host === text) return text;
  throw new InvalidArgumentError('Write it as 127.0.0.1:8080.');
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('A port is a number from 1 to 65535.');
}

/** The largest negotiated plan, as in the settings. */
const MAX_PLAN_VIDEOS = 1_000_000;

function parsePlan(text: string): string {
  const plan = text.toLowerCase();
  if (Object.hasOwn(PLAN_QUOTAS, plan)) return plan;
  const videos = /^\d{1,7}$/.test(plan) ? Number(plan) : 0;
  if (videos > 0 && videos <= MAX_PLAN_VIDEOS) return plan;
  const names = Object.keys(PLAN_QUOTAS).join(', ');
  throw new InvalidArgumentError(`A plan is one of ${names}, or 1 to 1,000,000 videos a month.`);
}

function parseDate(text: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // 30 February is read as 2 March.
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('Enter a date such as 2026-03-17.');
}
