export type { CoreServerConfig, RunningCoreServer } from './core-config.ts';
export { startCoreServer } from './core-server.ts';
export * from './pki/index.ts';
export { type RunCoreOptions, runCoreServer } from './program/run-core-server.ts';
