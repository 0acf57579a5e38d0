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
} from './component-status.ts';
export { configMapKind } from './config-map.ts';
export { endpointSliceKind } from './endpoint-slice.ts';
export { endpointsKind } from './endpoints.ts';
export {
  namespaceFinalizer,
  namespaceKind,
  namespaceNameLabel,
  protectedNamespaces,
} from './namespace.ts';
export { secretKind } from './secret.ts';
export { type ServiceParts, serviceKind } from './service.ts';
export {
  type ServiceAccountParts,
  serviceAccountKind,
  type TokenWish,
} from './service-account.ts';
