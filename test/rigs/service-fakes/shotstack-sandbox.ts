import type { ServiceFacts } from './service-facts.ts';
import { shotstack } from './shotstack.ts';

/** The same API at other paths of the same host, with a key of its own. */
export const shotstackSandbox: ServiceFacts = {
  ...shotstack,
  service: 'shotstack-sandbox',
  isComplete: (body, path) => shotstack.isComplete(body, path.replace('/edit/stage/', '/edit/v1/')),
  generatePath: '/edit/stage/render',
  otherGeneratePaths: ['/edit/stage/templates/render'],
  statusPath: (id) => `/edit/stage/render/${id}?data=false`,
  limit: { of: 'all', count: 150, perMs: 60_000 },
};
