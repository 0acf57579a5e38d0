/** Requests within the process. */

export { Loopback } from './in-process/loopback.ts';
export type { MetadataEvent, MetadataWatch } from './in-process/watch-metadata.ts';
