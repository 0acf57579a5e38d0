/**
 * Definitions of Kubernetes' own kinds: the author's functions, with the options that only these kinds need, and the Go
 * structs that describe them.
 */

export { distinguishingEmptyMaps } from '../schema/typed/distinct-empty-maps.ts';
export { type GoPackage, goPackage } from '../schema/typed/go-package.ts';
export { type TypedKind, typedKind, typedWith } from '../schema/typed/typed-kind.ts';
export { defineApi } from './api.ts';
export type { UpstreamLifecycleInput } from './lifecycle.ts';
export { ageColumn, nameColumn } from './metadata-columns.ts';
export { resetObjectMetaForStatus } from './reset-object-meta-for-status.ts';
export { defineResource, type Gate, type UndescribedVersion } from './resource.ts';
export type { UpstreamActionInput } from './subresource.ts';
export { version } from './version.ts';
