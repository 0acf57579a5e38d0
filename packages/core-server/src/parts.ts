/** What an aggregator shares with the control plane it runs in. It may change with every release. */

export { validateEndpointIp } from './addresses/validate-ip.ts';
export type { CoreExtension, ExtensionDependencies } from './assembly/core-extension.ts';
export type { RemoteGroups, UnreachableGroup } from './controllers/namespace/remote-groups.ts';
export { ageColumn, nameColumn } from './kinds/shared/columns.ts';
export { keepMetadata } from './kinds/shared/keep-metadata.ts';
