export {
  type AddressPool,
  type AddressPoolOptions,
  addressPool,
  type PortRange,
} from '../addresses/address-pool.ts';
export {
  type ComponentHealth,
  type ComponentStatusParts,
  componentStatusKind,
} from './core/component-status/kind.ts';
export { configMapKind } from './core/config-map/kind.ts';
export { endpointsKind } from './core/endpoints/kind.ts';
export {
  namespaceFinalizer,
  namespaceKind,
  namespaceNameLabel,
  protectedNamespaces,
} from './core/namespace/kind.ts';
export { secretKind } from './core/secret/kind.ts';
export { type ServiceParts, serviceKind } from './core/service/kind.ts';
export {
  type ServiceAccountParts,
  serviceAccountKind,
  type TokenWish,
} from './core/service-account/kind.ts';
export { endpointSliceKind } from './discovery/endpoint-slice/kind.ts';
