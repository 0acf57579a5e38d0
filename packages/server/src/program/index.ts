/** The frame of a server program: flags, storage, logs, signals. */

export { commonFlagDefinitions, defineFlag, type Flag } from './flag-table.ts';
export {
  duration,
  FlagError,
  type FlagValue,
  flag,
  list,
  oneOf,
  openPathPatterns,
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
export type { Engines } from './open-storage.ts';
export { auditConfig, credentialConfig, openLog, reloadCredentials } from './program-parts.ts';
export {
  CONTROL_PIPE,
  endProgram,
  isExpected,
  openStore,
  operationConfig,
  stopSignal,
  writeKubeconfig,
} from './program-run.ts';
export { reloadFiles } from './reloaded-files.ts';
export { asBeforeYoungRequests, keepRequestsYoung } from './young-requests.ts';
