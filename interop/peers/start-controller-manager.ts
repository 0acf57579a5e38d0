import {
  acceptsConnections,
  allOf,
  createPki,
  type PkiFiles,
  respondsHttps,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
  withFreePort,
  writePki,
} from '../../test/harness/index.ts';
import { requirePeer } from './peers.ts';

export interface ControllerManagerOptions {
  /** The path of a kubeconfig whose user may do what the controllers do. */
  readonly kubeconfig: string;
  /** By their names, as in `namespace-controller`; no other one runs. Empty: the flags name them. */
  readonly controllers: readonly string[];
  /** Signs the tokens in Secrets: without it there is no `serviceaccount-token-controller`. */
  readonly serviceAccountKeyFile?: string;
  /** Goes into those Secrets, and is what `root-ca-certificate-publisher-controller` publishes. */
  readonly rootCaFile?: string;
  /** After those that stand here, so that they win. */
  readonly flags?: readonly string[];
}

/** About 2 s on an idle machine: it waits for the server that it works on. */
const READY_TIMEOUT_MS = 60_000;

/** The controllers of the original on any control plane, over JSON. */
export async function startControllerManager(
  scope: TestScope,
  options: ControllerManagerOptions,
): Promise<StartedProcess> {
  const command = requirePeer('kube-controller-manager');
  const pki = createPki();
  const files = await writePki(await temporaryDirectory(scope, 'controller-manager-'), pki);
  return withFreePort((port) =>
    startProcess(scope, {
      name: 'kube-controller-manager',
      command,
      args: flagsOf(options, { port, files }),
      ready: allOf(
        acceptsConnections(port),
        respondsHttps(`https://127.0.0.1:${port}/healthz`, { ca: pki.ca.cert }),
      ),
      readyTimeoutMs: READY_TIMEOUT_MS,
      graceMs: 0, // It keeps nothing that could be lost.
    }),
  );
}

function flagsOf(
  options: ControllerManagerOptions,
  { port, files }: { port: number; files: PkiFiles },
): string[] {
  const { kubeconfig, controllers, serviceAccountKeyFile, rootCaFile, flags = [] } = options;
  return [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${files.serverCertFile}`,
    `--tls-private-key-file=${files.serverKeyFile}`,
    `--kubeconfig=${kubeconfig}`,
    ...(controllers.length === 0 ? [] : [`--controllers=${controllers.join(',')}`]),
    '--kube-api-content-type=application/json',
    '--leader-elect=false',
    '--use-service-account-credentials=false',
    ...(serviceAccountKeyFile === undefined
      ? []
      : [`--service-account-private-key-file=${serviceAccountKeyFile}`]),
    ...(rootCaFile === undefined ? [] : [`--root-ca-file=${rootCaFile}`]),
    ...flags,
  ];
}
