/** Definitions of kinds that an API server states about itself. */

export type { UndescribedVersion } from './resource.ts';
