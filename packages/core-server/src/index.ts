export type { CoreServerConfig, RunningCoreServer } from './assembly/core-config.ts';
export type {
  CoreExtension,
  ExtensionDependencies,
  HostServer,
} from './assembly/core-extension.ts';
export { startCoreServer } from './assembly/start-core-server.ts';
export type { RemoteGroups, UnreachableGroup } from './controllers/namespace/remote-groups.ts';
export * from './pki/index.ts';
export type { CoreFlags } from './program/core-flags.ts';
export {
  type CoreAddition,
  type PreparedAddition,
  type RunCoreOptions,
  runCoreServer,
  type StartedCore,
} from './program/run-core-server.ts';
