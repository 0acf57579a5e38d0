import { join } from 'node:path';
import { systemClock } from '@tributary/client';
import { extensionServerPki, type RunningCoreServer } from '@tributary/core-server';
import type { Logger } from '@tributary/server';
import { applyObjects } from './apply-objects.ts';
import { keepRenewed } from './keep-renewed.ts';
import type { Sample, SampleFlags } from './sample.ts';
import { writeCredentials } from './sample-credentials.ts';
import { openSampleLog } from './sample-log.ts';
import { endpointSlice, registrations, sampleObjects } from './sample-objects.ts';
import { type Supervision, superviseSample } from './supervise-sample.ts';
import { waitUntilAvailable } from './wait-until-available.ts';

export interface SampleDependencies {
  /** Its launcher. */
  readonly file: string;
  readonly flags: SampleFlags;
  readonly log: Logger;
  readonly server: Pick<RunningCoreServer, 'client' | 'url'>;
}

const clock = systemClock;

/** A sample behind the aggregator of this process, until the signal fires. */
export async function runSample(
  sample: Sample,
  around: SampleDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { dataDir, loggingFormat } = around.flags;
  const log = openSampleLog(sample, { dataDir, format: loggingFormat });
  const print = (line: string) => void process.stdout.write(`[${sample.name}] ${line}\n`);
  await superviseSample({ ...supervision(sample, around, print), log, clock, print }, signal);
  await log.close();
}

function supervision(
  sample: Sample,
  around: SampleDependencies,
  print: Supervision['print'],
): Pick<Supervision, 'file' | 'prepare' | 'publish' | 'accompany'> {
  const { file, flags, log, server } = around;
  const { client } = server;
  const directory = join(flags.dataDir, 'samples', sample.name);
  let installed = { caBundle: '', expiresAtMs: 0 };
  return {
    file,
    prepare: async (signal) => {
      const { kubeconfig, ...rest } = await install(sample, directory, around, signal);
      installed = rest;
      return programArguments(flags, directory, kubeconfig);
    },
    publish: async (port, signal) => {
      await applyObjects(client, [endpointSlice(sample, port)], signal);
      if (port === undefined) return;
      await applyObjects(client, registrations(sample, installed.caBundle), signal);
    },
    accompany: async (signal) => {
      const onLate = (why: string) => print(`is not available yet: ${why}`);
      await waitUntilAvailable(sample, { client, clock, onLate, signal });
      print(`is available: ${sample.group} in ${sample.versions.join(' and ')}`);
      const renew = async () => {
        const { caBundle, expiresAtMs } = await install(sample, directory, around, signal);
        await applyObjects(client, registrations(sample, caBundle), signal);
        return { expiresAtMs };
      };
      const onFailed = (error: unknown) =>
        log.error(error, 'Renewing sample credentials failed', { sample: sample.name });
      const { expiresAtMs } = installed;
      await keepRenewed(renew, { expiresAtMs, clock, onFailed, signal });
    },
  };
}

/** Certificates, objects and a token. Valid ones stay as they are. */
async function install(
  sample: Sample,
  directory: string,
  { flags, server }: SampleDependencies,
  signal: AbortSignal,
) {
  const pki = join(directory, 'pki');
  const { caBundle } = await extensionServerPki(pki, sample, { nowMs: clock.nowMs() });
  await applyObjects(server.client, sampleObjects(sample), signal);
  const credentials = await writeCredentials(sample, {
    client: server.client,
    directory,
    server: server.url.replace(/0\.0\.0\.0|\[::\]/, '127.0.0.1'),
    caFile: flags.rootCaFile,
    signal,
  });
  return { caBundle, ...credentials };
}

/** Flags as an operator would give them to it behind any kube-apiserver. */
function programArguments(
  { storage }: SampleFlags,
  directory: string,
  kubeconfig: string,
): readonly string[] {
  return [
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--tls-cert-file=${join(directory, 'pki', 'tls.crt')}`,
    `--tls-private-key-file=${join(directory, 'pki', 'tls.key')}`,
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--data-dir=${directory}`,
    // Objects do not outlive the namespaces they are in.
    `--storage=${storage === 'memory' ? 'memory' : 'sqlite'}`,
  ];
}
