/** Requests within the process. */

export type { MetadataEvent, MetadataWatch } from './in-process/watch-metadata.ts';
