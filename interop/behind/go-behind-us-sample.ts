/** The Go sample-apiserver as its guide starts it: several of them share a store, a certificate, a port and an account. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  respondsHttps,
  type StartedProcess,
  startProcess,
  type TestScope,
} from '../../test/harness/index.ts';
import { requirePeer } from '../peers/peers.ts';

export interface SampleOptions {
  /** Where its pair is. */
  readonly certificates: string;
  /** The CA that signed it. */
  readonly caFile: string;
  readonly serverName: string;
  readonly etcdUrl: string;
  /** Of its account. */
  readonly kubeconfig: string;
  /** On the loopback interface. */
  readonly address: string;
  readonly port: number;
  readonly flags?: readonly string[];
}

export interface Sample {
  readonly address: string;
  readonly url: string;
  /** Settles when it is ready. */
  start(): Promise<void>;
  /** With SIGKILL. */
  kill(): Promise<void>;
}

/** About 4 s on an idle machine. */
const READY_MS = 90_000;

export async function startSample(scope: TestScope, options: SampleOptions): Promise<Sample> {
  const { certificates, serverName: servername, kubeconfig, address, port, flags = [] } = options;
  const url = `https://${address}:${port}`;
  let running: StartedProcess | undefined;
  const start = async (): Promise<void> => {
    // Its CA may be another one than it was at the last start.
    const ca = await readFile(options.caFile, 'utf8');
    running = await startProcess(scope, {
      name: `sample-apiserver-${address}`,
      command: requirePeer('sample-apiserver'),
      args: [
        `--bind-address=${address}`,
        `--secure-port=${port}`,
        `--etcd-servers=${options.etcdUrl}`,
        `--tls-cert-file=${join(certificates, 'tls.crt')}`,
        `--tls-private-key-file=${join(certificates, 'tls.key')}`,
        ...['', 'authentication-', 'authorization-'].map(
          (use) => `--${use}kubeconfig=${kubeconfig}`,
        ),
        ...flags,
      ],
      ready: respondsHttps(`${url}/readyz`, { ca, servername }),
      readyTimeoutMs: READY_MS,
      graceMs: 0, // Its objects are in etcd, which goes with it.
    });
  };
  await start();
  return {
    address,
    url,
    start,
    kill: async () => {
      running?.kill('SIGKILL');
      await running?.exited;
    },
  };
}
