/** `tributary up` and our sample server behind it, which trust the same authorities as every other server of a site. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_SERVER_NAME } from '../../interop/stack.ts';
import { tributaryUp } from '../faults/core-program.ts';
import { type Program, Target } from '../faults/target.ts';
import {
  freePort,
  type Pki,
  runSource,
  type TestScope,
  temporaryDirectory,
  writePki,
} from '../harness/index.ts';
import type { Entrance, Victim } from './site.ts';

/** A server at a port that it keeps. */
export interface OurProgram {
  readonly url: string;
  readonly target: Target;
  entrance(name: string): Entrance;
  readonly victim: Victim;
}

/** Another program instead of the one that is meant, started with the same words. */
export type Replacement = (program: Program) => Program;

const WARDLE = join(import.meta.dirname, '..', '..', 'samples', 'wardle', 'src', 'main.ts');

export async function startFront(
  scope: TestScope,
  { pki, replacement = (program) => program }: { pki: Pki; replacement?: Replacement },
): Promise<OurProgram> {
  const directory = await temporaryDirectory(scope, 'front-');
  const files = await writePki(directory, pki);
  const port = await freePort();
  const flags = [
    '--sample=none',
    `--tls-cert-file=${files.serverCertFile}`,
    `--tls-private-key-file=${files.serverKeyFile}`,
    `--client-ca-file=${files.caFile}`,
    `--requestheader-client-ca-file=${files.frontProxyCaFile}`,
    '--requestheader-allowed-names=front-proxy-client',
    `--proxy-client-cert-file=${files.frontProxyClientCertFile}`,
    `--proxy-client-key-file=${files.frontProxyClientKeyFile}`,
  ];
  const dataDir = join(directory, 'data');
  const program = replacement(tributaryUp(dataDir, { port, flags }));
  return startAt(scope, { name: 'tributary up', port, pki, program, dataDir });
}

/** It believes whom the front believes. */
export async function startWardle(
  scope: TestScope,
  { pki, frontKubeconfig }: { pki: Pki; frontKubeconfig: string },
): Promise<OurProgram> {
  const directory = await temporaryDirectory(scope, 'wardle-');
  const serving = pki.ca.issue({
    commonName: 'wardle',
    names: ['localhost', '127.0.0.1', SAMPLE_SERVER_NAME],
    usage: 'server',
  });
  const certFile = join(directory, 'serving.crt');
  const keyFile = join(directory, 'serving.key');
  await writeFile(certFile, serving.cert);
  await writeFile(keyFile, serving.key, { mode: 0o600 });
  const port = await freePort();
  const dataDir = join(directory, 'data');
  const program = {
    ...runSource(WARDLE, [
      `--secure-port=${port}`,
      `--data-dir=${dataDir}`,
      '--storage=sqlite',
      `--tls-cert-file=${certFile}`,
      `--tls-private-key-file=${keyFile}`,
      `--kubeconfig=${frontKubeconfig}`,
      `--authentication-kubeconfig=${frontKubeconfig}`,
      `--authorization-kubeconfig=${frontKubeconfig}`,
    ]),
    env: { NODE_COMPILE_CACHE: join(directory, 'compile-cache') },
  };
  return startAt(scope, { name: 'wardle', port, pki, program, dataDir });
}

async function startAt(
  scope: TestScope,
  options: { name: string; port: number; pki: Pki; program: Program; dataDir: string },
): Promise<OurProgram> {
  const { name, port, pki, program, dataDir } = options;
  const credentials = { ca: pki.ca.cert, ...pki.admin };
  const target = await Target.create(scope, { dataDir, program, credentials });
  await target.start();
  const killAndStart = async (): Promise<void> => {
    await target.kill();
    await target.start();
  };
  return {
    url: `https://127.0.0.1:${port}`,
    target,
    entrance: (entranceName) => ({
      name: entranceName,
      ca: pki.ca.cert,
      user: pki.admin,
      port: () => port,
    }),
    victim: { name, killAndStart, died: target.died },
  };
}
