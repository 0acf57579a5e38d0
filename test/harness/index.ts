/** The test harness: real processes, ports and certificates, with cleanup. */
export { VirtualClock } from './clock.ts';
export { eventually, eventuallySucceeds } from './eventually.ts';
export {
  type HttpVersion,
  httpsRequest,
  httpsStream,
  type RequestOptions,
  type Response,
  type ResponseHead,
  type StreamResponse,
  take,
} from './https.ts';
export { type KubeconfigOptions, kubeconfig, writeKubeconfig } from './kubeconfig.ts';
export {
  anyKubectl,
  type Kubectl,
  type KubectlOptions,
  type KubectlRun,
  kubectlVersions,
} from './kubectl.ts';
export { findOldNode, runSource, withNode } from './node.ts';
export { cpuMs, leastMs, type OwnTime, ownTime } from './own-time.ts';
export {
  type Authority,
  type CertificateRequest,
  createAuthority,
  createPki,
  type KeyPair,
  type Pki,
  type PkiFiles,
  writePki,
} from './pki.ts';
export {
  assertListensOn,
  freePort,
  isAddressInUse,
  listeningPid,
  PortStolen,
  withFreePort,
} from './ports.ts';
export {
  findOrInstall,
  MISSING_GO,
  missingMessage,
  type PrerequisiteName,
  requireProgram,
  type SkippableScope,
  skipOrFail,
} from './prerequisites.ts';
export { type Exit, type ProcessOptions, type StartedProcess, startProcess } from './process.ts';
export { progress } from './progress.ts';
export { SeededRandom, seededRandom } from './random.ts';
export {
  acceptsConnections,
  allOf,
  logShows,
  type ReadyCheck,
  type ReadyContext,
  respondsHttps,
} from './ready.ts';
export { createScope, defer, type Outcome, suiteScope, type TestScope } from './scope.ts';
export { temporaryDirectory, temporaryFile } from './temporary.ts';
export { turns } from './turns.ts';
