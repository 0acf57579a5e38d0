/** Built-in resources that controllers read and write. */
import type { ResourceType } from '../resource/resource-path.ts';

const core = { group: '', version: 'v1' } as const;
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;

export const namespaces: ResourceType = { ...core, plural: 'namespaces', namespaced: false };
export const configMaps: ResourceType = { ...core, plural: 'configmaps', namespaced: true };
export const pods: ResourceType = { ...core, plural: 'pods', namespaced: true };
export const nodes: ResourceType = { ...core, plural: 'nodes', namespaced: false };
export const persistentVolumes: ResourceType = {
  ...core,
  plural: 'persistentvolumes',
  namespaced: false,
};
export const persistentVolumeClaims: ResourceType = {
  ...core,
  plural: 'persistentvolumeclaims',
  namespaced: true,
};
export const volumeAttributesClasses: ResourceType = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'volumeattributesclasses',
  namespaced: false,
};
export const secrets: ResourceType = { ...core, plural: 'secrets', namespaced: true };
export const services: ResourceType = { ...core, plural: 'services', namespaced: true };
export const endpoints: ResourceType = { ...core, plural: 'endpoints', namespaced: true };
export const serviceAccounts: ResourceType = {
  ...core,
  plural: 'serviceaccounts',
  namespaced: true,
};
export const endpointSlices: ResourceType = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  namespaced: true,
};
export const roles: ResourceType = { ...rbac, plural: 'roles', namespaced: true };
export const roleBindings: ResourceType = { ...rbac, plural: 'rolebindings', namespaced: true };
export const clusterRoles: ResourceType = { ...rbac, plural: 'clusterroles', namespaced: false };
export const clusterRoleBindings: ResourceType = {
  ...rbac,
  plural: 'clusterrolebindings',
  namespaced: false,
};

export const priorityClasses: ResourceType = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  plural: 'priorityclasses',
  namespaced: false,
};

const flowControl = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' } as const;

export const flowSchemas: ResourceType = {
  ...flowControl,
  plural: 'flowschemas',
  namespaced: false,
};
export const priorityLevelConfigurations: ResourceType = {
  ...flowControl,
  plural: 'prioritylevelconfigurations',
  namespaced: false,
};
