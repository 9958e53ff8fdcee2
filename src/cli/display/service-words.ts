import { sizesIn } from '../../contract/sizes.ts';
import { isCostKnown } from '../../contract/service-cost.ts';
import { DOCUMENTED_API, type ServiceApi } from '../../contract/service-profile.ts';
import { formatDuration } from './numbers.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const SPANS: readonly (readonly [number, string])[] = [
  [1000, 'second'],
  [60_000, 'minute'],
  [HOUR_MS, 'hour'],
  [DAY_MS, 'day'],
];

/** What a video costs: `12 credits × seconds`. The heading says that it is an estimate. */
export function costWords(api: ServiceApi = DOCUMENTED_API): string {
  if (!isCostKnown(api)) return 'not known';
  const { unit, currency, rule } = api.cost;
  const parts = rule.fixed > 0 ? [amountWords(rule.fixed, unit, currency)] : [];
  if (rule.perColumn !== null) {
    const { column, each, cases } = rule.perColumn;
    const amounts = [each, ...cases.flatMap((one) => one.each ?? [])];
    const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
    const from = least === most ? '' : `${amountWords(least, unit, currency)} to `;
    const isPlain = unit === 'second' && each === 1;
    parts.push(
      isPlain ? `its ${column}` : `${from}${amountWords(most, unit, currency)} × ${column}`,
    );
  }
  return parts.length === 0 ? 'nothing' : parts.join(' + ');
}

/** `14 credits`, `0.40 USD`, `3 seconds of video`. */
export function amountWords(
  amount: number,
  unit: ServiceApi['cost']['unit'],
  currency: string | null,
): string {
  if (unit === 'money') {
    // Prices per second have up to four decimals; sums are rounded to cents.
    const digits = amount >= 1 || Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6 ? 2 : 4;
    return `${amount.toFixed(digits)} ${currency ?? ''}`;
  }
  const name = unit === 'second' ? 'second' : unit;
  const rounded = Math.round(amount * 100) / 100;
  return `${sizesIn('en-GB').count(rounded)} ${name}${rounded === 1 ? '' : 's'}`;
}

/** Where the file of a video comes from. */
export function fileWords({ file }: ServiceApi = DOCUMENTED_API): string {
  switch (file.kind) {
    case 'link-endpoint':
      return 'link on request';
    case 'in-status':
      return file.lifeMs === null ? 'link' : `link for ${lifeWords(file.lifeMs)}`;
    case 'content':
    case 'content-in-status':
      return 'with the key';
  }
}

/** How many requests for videos a service accepts, and how many it renders at a time. */
export function limitWords({ limits }: ServiceApi = DOCUMENTED_API): string {
  const { windows, concurrent, cap } = limits;
  const sent = windows.find(({ endpoint }) => endpoint === 'generate' || endpoint === 'all');
  const parts = [
    ...(sent === undefined
      ? []
      : [
          `${sizesIn('en-GB').count(sent.count)} per ${spanWords(sent.perMs)}${sent.known === 'assumed' ? ' (assumed)' : ''}`,
        ]),
    ...(concurrent === null ? [] : [`${concurrent.count} at a time`]),
    ...(cap === null ? [] : [`${cap.count} a ${cap.per}`]),
  ];
  return parts.join(', ');
}

/** How far a profile was tested, in the words of the app. */
export function triedWords({ about }: ServiceApi = DOCUMENTED_API): string {
  switch (about.tried) {
    case 'never':
      return 'untested';
    case 'by-examples':
      return 'with examples';
    case 'by-a-finished-video':
      return 'with a video';
  }
}

function lifeWords(ms: number): string {
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`;
}

function spanWords(ms: number): string {
  const span = SPANS.find(([length]) => length === ms);
  return span?.[1] ?? formatDuration(ms);
}
