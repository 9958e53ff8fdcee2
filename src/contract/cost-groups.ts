/** What spent videos are summed by. No schema library is imported, so that a page can use it. */
export const COST_GROUPS = ['week', 'month', 'batch', 'service'] as const;

export type CostGroup = (typeof COST_GROUPS)[number];
