/** The prefix of every key of the service (service-api.md §2.1). */
export const KEY_PREFIX = 'svc_live_';
