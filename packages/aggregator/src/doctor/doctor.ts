import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientConfig, createClient, loadConfig } from '@tributary/client';
import { clusterLook } from './cluster-look.ts';
import { examine } from './examine.ts';
import type { Examination } from './finding.ts';
import type { Place } from './fixes.ts';
import { CannotAsk, type Look } from './look.ts';
import { reportOf } from './report.ts';

export interface DoctorOptions {
  /** Undefined: all that other servers serve. */
  readonly name?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dataDir: string;
  /** Somebody named the directory: then its certificates are of this cluster, wherever the kubeconfig is. */
  readonly isDataDirGiven: boolean;
  readonly output: 'text' | 'json';
}

export interface DoctorResult {
  readonly text: string;
  /** 0: all is well. 1: something is broken. 2: could not ask. */
  readonly exitCode: 0 | 1 | 2;
}

/** How many are examined at once: each has its own connections. */
const AT_ONCE_MAX = 8;

/** Why is it unavailable? Never throws for what a person can do something about. */
export async function doctor(options: DoctorOptions): Promise<DoctorResult> {
  const { dataDir, output, name } = options;
  try {
    const { config, place, hasDataDir } = await findCluster(options);
    await using client = createClient(config, { userAgent: 'tributary-doctor' });
    const look = clusterLook({ client, dataDir, hasDataDir });
    const examinations = await examineAll(name, look, place);
    const exitCode = examinations.some(({ verdict }) => verdict === 'broken') ? 1 : 0;
    const text =
      output === 'json'
        ? `${JSON.stringify({ exitCode, kubectlFlags: place.kubectlFlags, examinations }, undefined, 2)}\n`
        : reportOf(examinations, { place, isDetailed: name !== undefined });
    return { text: text === '\n' ? NOBODY : text, exitCode };
  } catch (error) {
    if (!(error instanceof CannotAsk)) throw error;
    const text =
      output === 'json'
        ? `${JSON.stringify({ exitCode: 2, problem: error.message })}\n`
        : `${error.message}\n`;
    return { text, exitCode: 2 };
  }
}

const NOBODY = 'no APIService is served by another server\n';

async function examineAll(
  name: string | undefined,
  look: Look,
  place: Place,
): Promise<readonly Examination[]> {
  if (name !== undefined) return [await examine(name, look, place)];
  const seen = await look.apiServices();
  if (seen.kind !== 'found') {
    throw new CannotAsk(
      `APIServices cannot be listed: ${seen.kind === 'refused' ? seen.why : 'the server has none'}`,
    );
  }
  const names = seen.value
    .filter(({ spec }) => spec.service !== undefined)
    .flatMap(({ metadata }) => metadata.name ?? [])
    .sort();
  const examinations: Examination[] = [];
  for (let index = 0; index < names.length; index += AT_ONCE_MAX) {
    const some = names.slice(index, index + AT_ONCE_MAX);
    examinations.push(...(await Promise.all(some.map((one) => examine(one, look, place)))));
  }
  return examinations;
}

interface Cluster {
  readonly config: ClientConfig;
  readonly place: Place;
  readonly hasDataDir: boolean;
}

const STANDALONE_KUBECONFIG = 'aggregator.kubeconfig';
/** What `tributary up` and `tributary aggregator` write. */
const OWN_KUBECONFIGS = ['admin.kubeconfig', STANDALONE_KUBECONFIG];

async function findCluster(options: DoctorOptions): Promise<Cluster> {
  const { kubeconfig, context, dataDir, isDataDirGiven } = options;
  const own = OWN_KUBECONFIGS.map((name) => join(dataDir, name)).find((path) => existsSync(path));
  const isOwn = kubeconfig === undefined && own !== undefined;
  const file = kubeconfig ?? own;
  const isStandalone = own?.endsWith(STANDALONE_KUBECONFIG) ?? false;
  const kubectlFlags = [
    ...(file === undefined ? [] : ['--kubeconfig', file]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  try {
    const config = await loadConfig({
      ...(file !== undefined && { kubeconfig: file }),
      ...(context !== undefined && { context }),
    });
    // A directory that happens to lie here says nothing of somebody else's cluster.
    return {
      config,
      place: { kubectlFlags, dataDir, isStandalone },
      hasDataDir: isOwn || isDataDirGiven,
    };
  } catch (error) {
    throw new CannotAsk((error as Error).message, { cause: error });
  }
}
