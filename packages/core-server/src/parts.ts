/** What an aggregator shares with the control plane it runs in. It may change with every release. */

export { validateEndpointIp } from './addresses/validate-ip.ts';
export type { CoreExtension, ExtensionSurroundings } from './assembly/core-extension.ts';
export { isConflict, isNotFound, unlessMissing } from './controllers/conflicts.ts';
export { keyedController } from './controllers/keyed-controller.ts';
export type { RemoteGroups, UnreachableGroup } from './controllers/namespace/remote-groups.ts';
export { endpointSlices, namespaces, services } from './controllers/resources.ts';
export { SharedInformers } from './controllers/shared-informers.ts';
export type { ControllerSurroundings } from './controllers/surroundings.ts';
export { ageColumn, nameColumn } from './kinds/shared/columns.ts';
export { keepMetadata } from './kinds/shared/keep-metadata.ts';
