/** How every key of the service begins (service-api.md §2.1). */
export const KEY_PREFIX = 'svc_live_';
