import {
  isCostKnown,
  isDocumentedService,
  type CostEstimate,
} from '../../contract/service-cost.ts';
import { DOCUMENTED_API, type ServiceApi } from '../../contract/service-profile.ts';
import type { Amount } from '../../contract/amount.ts';
import type { CellValue } from '../intake/cell.ts';
import { fulfils } from '../intake/cell-limits.ts';
import { completeValues, type RowValues } from '../intake/row-values.ts';
import type { Profile } from './profile.ts';

/**
 * The cost of videos by a profile's rule, from the values of their rows; `null` if the quota counts
 * videos, as in the documented API.
 */
export function estimateCost(
  { api = DOCUMENTED_API, request }: Pick<Profile, 'api' | 'request'>,
  rows: readonly RowValues[],
): CostEstimate | null {
  if (isDocumentedService(api)) return null;
  const { unit, currency, rule } = api.cost;
  if (!isCostKnown(api)) return { unit, currency, amount: null, unknown: rows.length };
  const costs = rows.map((row) => costOf(rule, completeValues(request, row)));
  const known = costs.filter((cost) => cost !== null);
  return {
    unit,
    currency,
    amount: known.reduce((sum, cost) => sum + cost, 0),
    unknown: costs.length - known.length,
  };
}

/** What one video costs by the profile's rule; `null` if it does not say, or the quota counts. */
export function estimateOne(
  profile: Pick<Profile, 'api' | 'request'>,
  row: RowValues,
): Amount | null {
  const estimate = estimateCost(profile, [row]);
  if (estimate?.unknown !== 0 || estimate.amount === null) return null;
  const { amount, unit, currency } = estimate;
  return { amount, unit, currency };
}

/** `null` when the row lacks a value that the rule needs. */
function costOf(
  { fixed, perColumn }: ServiceApi['cost']['rule'],
  values: ReadonlyMap<string, CellValue>,
): number | null {
  if (perColumn === null) return fixed;
  const units = Number(values.get(perColumn.column) ?? Number.NaN);
  const found = perColumn.cases.find(({ when }) =>
    when.every((condition) => fulfils(condition, values.get(condition.column))),
  );
  const each = found === undefined ? perColumn.each : found.each;
  return Number.isFinite(units) && each !== null ? fixed + units * each : null;
}
