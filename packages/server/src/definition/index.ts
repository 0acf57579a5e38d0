/** Definitions of kinds that an API server states about itself. */

export { ageColumn, nameColumn } from './metadata-columns.ts';
export { resetObjectMetaForStatus } from './reset-object-meta-for-status.ts';
export type { UndescribedVersion } from './resource.ts';
