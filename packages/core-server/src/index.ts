export type { CoreServerConfig, RunningCoreServer } from './assembly/core-config.ts';
export type { CoreExtension, ExtensionDependencies } from './assembly/core-extension.ts';
export { startCoreServer } from './assembly/start-core-server.ts';
export * from './pki/index.ts';
export type { CoreFlags } from './program/core-flags.ts';
export {
  type CoreAddition,
  type PreparedAddition,
  type RunCoreOptions,
  runCoreServer,
  type StartedCore,
} from './program/run-core-server.ts';
