/** Routes beside those of resources, and resources that come and go. */

export { indexBytes, indexPaths, indexResponse, isIndex } from './index-route.ts';
export type { ResourcePlace } from './route-table.ts';
export { oneRoute, type Route } from './router.ts';
