export type { KeyPair } from '@tributary/server/pki';
export { DAY_MS, type Problem } from './checks.ts';
export {
  type ControlPlaneOptions,
  type ControlPlanePki,
  controlPlanePki,
  renewControlPlane,
  renewIfDue,
} from './control-plane.ts';
export {
  CA_BUNDLE_FILE,
  type ExtensionServer,
  type ExtensionServerPki,
  extensionServerPki,
  rollExtensionServer,
  SECRET_FILE,
  serviceOf,
} from './extension-server.ts';
export {
  type CertificateReport,
  inspectControlPlane,
  inspectExtensionServer,
  type PkiReport,
} from './inspect.ts';
export { controlPlaneInventory, type ServiceName, type ServingNames } from './inventory.ts';
export { writePkiFiles } from './pki-files.ts';
export {
  ROLL_STEPS,
  type RollResult,
  type RollStep,
  rollAuthorities,
} from './roll-authorities.ts';
export { issueUserCertificate, type UserRequest } from './user-certificate.ts';
export { type ExpiryOptions, watchExpiry } from './watch-expiry.ts';
