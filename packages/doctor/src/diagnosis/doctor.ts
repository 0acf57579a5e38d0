import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientConfig, createClient, loadConfig } from '@tributary/client';
import { clusterProbes } from '../probes/cluster-probes.ts';
import { ClusterUnavailable, type Probes } from '../probes/probes.ts';
import type { Diagnosis } from '../report/diagnosis.ts';
import type { CommandContext } from '../report/fixes.ts';
import { formatReport } from '../report/report.ts';
import { diagnose } from './diagnose.ts';

export interface DoctorOptions {
  /** Undefined: every APIService with a Service. */
  readonly name?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dataDir: string;
  /** `--data-dir` was set, so its certificates belong to this cluster, whatever the kubeconfig is. */
  readonly isDataDirSet: boolean;
  readonly output: 'text' | 'json';
}

export interface DoctorResult {
  readonly text: string;
  /** 0: all healthy. 1: at least one broken. 2: the cluster does not respond. */
  readonly exitCode: 0 | 1 | 2;
}

/** Each diagnosis opens its own connections. */
const CONCURRENCY_MAX = 8;

/** Finds out why APIServices are unavailable. Problems of the cluster are results, not errors. */
export async function doctor(options: DoctorOptions): Promise<DoctorResult> {
  const { dataDir, output, name } = options;
  try {
    const { config, context, hasDataDir } = await findCluster(options);
    await using client = createClient(config, { userAgent: 'tributary-doctor' });
    const probes = clusterProbes({ client, dataDir, hasDataDir });
    const diagnoses = await diagnoseAll(name, probes, context);
    const exitCode = diagnoses.some(({ status }) => status === 'broken') ? 1 : 0;
    const text =
      output === 'json'
        ? `${JSON.stringify({ exitCode, kubectlFlags: context.kubectlFlags, diagnoses }, undefined, 2)}\n`
        : formatReport(diagnoses, { context, isDetailed: name !== undefined });
    return { text: text === '\n' ? NONE : text, exitCode };
  } catch (error) {
    if (!(error instanceof ClusterUnavailable)) throw error;
    const text =
      output === 'json'
        ? `${JSON.stringify({ exitCode: 2, problem: error.message })}\n`
        : `${error.message}\n`;
    return { text, exitCode: 2 };
  }
}

const NONE = 'no APIService has a Service\n';

async function diagnoseAll(
  name: string | undefined,
  probes: Probes,
  context: CommandContext,
): Promise<readonly Diagnosis[]> {
  if (name !== undefined) return [await diagnose(name, probes, context)];
  const read = await probes.apiServices();
  if (read.kind !== 'found') {
    throw new ClusterUnavailable(
      `APIServices cannot be listed: ${read.kind === 'forbidden' ? read.message : 'the server does not know them'}`,
    );
  }
  const names = read.value
    .filter(({ spec }) => spec.service !== undefined)
    .flatMap(({ metadata }) => metadata.name ?? [])
    .sort();
  const diagnoses: Diagnosis[] = [];
  for (let index = 0; index < names.length; index += CONCURRENCY_MAX) {
    const some = names.slice(index, index + CONCURRENCY_MAX);
    diagnoses.push(...(await Promise.all(some.map((one) => diagnose(one, probes, context)))));
  }
  return diagnoses;
}

interface Cluster {
  readonly config: ClientConfig;
  readonly context: CommandContext;
  readonly hasDataDir: boolean;
}

const STANDALONE_KUBECONFIG = 'aggregator.kubeconfig';
/** Written by `tributary up` and `tributary aggregator`. */
const LOCAL_KUBECONFIGS = ['admin.kubeconfig', STANDALONE_KUBECONFIG];

async function findCluster(options: DoctorOptions): Promise<Cluster> {
  const { kubeconfig, context, dataDir, isDataDirSet } = options;
  const local = LOCAL_KUBECONFIGS.map((name) => join(dataDir, name)).find((path) =>
    existsSync(path),
  );
  const isLocal = kubeconfig === undefined && local !== undefined;
  const file = kubeconfig ?? local;
  const isStandalone = local?.endsWith(STANDALONE_KUBECONFIG) ?? false;
  const kubectlFlags = [
    ...(file === undefined ? [] : ['--kubeconfig', file]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  try {
    const config = await loadConfig({
      ...(file !== undefined && { kubeconfig: file }),
      ...(context !== undefined && { context }),
    });
    return {
      config,
      context: { kubectlFlags, dataDir, isStandalone },
      // The default directory may belong to another cluster than --kubeconfig.
      hasDataDir: isLocal || isDataDirSet,
    };
  } catch (error) {
    throw new ClusterUnavailable((error as Error).message, { cause: error });
  }
}
