/** The frame of every server program: `runProgram`, and the flags, files and stores that programs share. */

export { writeKubeconfig } from './admin-kubeconfig.ts';
export { credentialConfig, reloadCredentials } from './credentials.ts';
export { reloadFiles } from './file-reloader.ts';
export { commonFlagDefinitions, defineFlag, type Flag } from './flag-table.ts';
export {
  duration,
  FlagError,
  type FlagValue,
  flag,
  list,
  oneOf,
  pathPatterns,
  text,
} from './flag-values.ts';
export {
  type CommonFlags,
  type FlagDefinitions,
  type FlagValues,
  helpText,
  parseFlags,
  requireTogether,
} from './flags.ts';
export { type Engines, openStorage } from './open-storage.ts';
export { auditConfig, operationConfig } from './operation-config.ts';
export {
  disablePretenuring,
  withPretenuring,
} from './pretenuring.ts';
export {
  endProgram,
  type ProgramContext,
  runProgram,
  type ServerProgram,
  type StartedServer,
} from './run-program.ts';
export { CONTROL_PIPE } from './stop-signal.ts';
