/**
 * `@tributary/client/controller`: building blocks of the controllers in the core server and the aggregator. Not a
 * stable API.
 */

export {
  ignoreNotFound,
  isNamespaceTerminating,
  isNotFound,
  isWriteConflict,
} from './controller/api-errors.ts';
export * from './controller/builtin-resources.ts';
export type {
  ControllerDependencies,
  ControllerLog,
} from './controller/controller-dependencies.ts';
export { type KeyedController, keyedController } from './controller/keyed-controller.ts';
export type {
  Leftovers,
  NamespacedResource,
  RemoteGroups,
  UnreachableGroup,
} from './controller/remote-groups.ts';
export { SharedInformers } from './controller/shared-informers.ts';
