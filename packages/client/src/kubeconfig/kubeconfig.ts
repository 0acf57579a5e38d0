import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { decodeYaml, YamlError } from '@tributary/apimachinery';
import type { ClientConfig } from './client-config.ts';
import { inClusterConfig, isInCluster, type ServiceAccountOptions } from './in-cluster.ts';
import { clusterSettings } from './kubeconfig-cluster.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { KubeconfigFields } from './kubeconfig-fields.ts';
import { userIdentity } from './kubeconfig-user.ts';

export interface LoadOptions extends ServiceAccountOptions {
  /** The only file to read, which must exist. Otherwise the files of `KUBECONFIG`, or `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** Instead of the `current-context`. */
  readonly context?: string;
  readonly home?: string;
}

/**
 * Loads the configuration by the rules of kubectl: the given file, else the files of `KUBECONFIG` merged, else
 * `~/.kube/config`, else the service account of the pod.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClientConfig> {
  const candidates = candidateFiles(options);
  const found: Kubeconfig[] = [];
  for (const file of candidates) {
    const text = await readIfExists(file);
    if (text !== undefined) found.push(parseFile(file, text));
    else if (options.kubeconfig !== undefined) {
      throw new KubeconfigError({ file }, 'does not exist');
    }
  }
  const merged = merge(found);
  if (!isEmpty(merged)) return resolveContext(merged, options.context);
  if (isInCluster(options)) return inClusterConfig(options);
  throw new KubeconfigError(
    { file: candidates.join(delimiter) },
    'no configuration found; set KUBECONFIG, or run inside a cluster',
  );
}

/** One kubeconfig in memory. `file` is the base of relative paths and the name in errors. */
export async function parseKubeconfig(
  text: string,
  options: { readonly file: string; readonly context?: string },
): Promise<ClientConfig> {
  return resolveContext(parseFile(options.file, text), options.context);
}

/** Entries by name, each with its file. */
interface Kubeconfig {
  readonly files: readonly string[];
  readonly clusters: ReadonlyMap<string, KubeconfigFields>;
  readonly users: ReadonlyMap<string, KubeconfigFields>;
  readonly contexts: ReadonlyMap<string, KubeconfigFields>;
  readonly currentContext: { readonly name: string; readonly file: string } | undefined;
}

function candidateFiles({ kubeconfig, env = process.env, home }: LoadOptions): string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) return [...new Set(listed)];
  return [join(home ?? env.HOME ?? homedir(), '.kube', 'config')];
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new KubeconfigError({ file }, 'cannot be read', { cause: error });
  }
}

function parseFile(file: string, text: string): Kubeconfig {
  const fields = new KubeconfigFields(file, '', parseYaml(file, text));
  const currentContext = fields.string('current-context');
  return {
    files: [file],
    clusters: namedEntries(fields, 'clusters', 'cluster'),
    users: namedEntries(fields, 'users', 'user'),
    contexts: namedEntries(fields, 'contexts', 'context'),
    currentContext: currentContext === undefined ? undefined : { name: currentContext, file },
  };
}

function parseYaml(file: string, text: string): unknown {
  const { value, duplicates } = decodeFile(file, text);
  const [duplicate] = duplicates;
  if (duplicate === undefined) return value ?? {};
  throw new KubeconfigError({ file }, `is not valid YAML: ${duplicate}`);
}

function decodeFile(file: string, text: string): ReturnType<typeof decodeYaml> {
  try {
    return decodeYaml(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    // The rest of the message may quote the file, and the quote may contain a secret.
    const [line = ''] = /\bline \d+/.exec(error.message) ?? [];
    throw new KubeconfigError({ file }, `is not valid YAML${line === '' ? '' : ` in ${line}`}`);
  }
}

function namedEntries(
  file: KubeconfigFields,
  list: string,
  field: string,
): ReadonlyMap<string, KubeconfigFields> {
  const entries = new Map<string, KubeconfigFields>();
  for (const [index, value] of file.array(list).entries()) {
    const entry = new KubeconfigFields(file.file, `${list}[${index}]`, value);
    const name = entry.string('name') ?? '';
    if (entries.has(name)) throw entry.error('name', `"${name}" is there twice`);
    // From here on errors use the entry's name, which is easier to find than an index.
    const named = new KubeconfigFields(file.file, `${list}["${name}"]`, value);
    entries.set(name, named.fields(field) ?? new KubeconfigFields(file.file, named.path, {}));
  }
  return entries;
}

/** The first file that has an entry or a current context wins; entries are never merged. */
function merge(found: readonly Kubeconfig[]): Kubeconfig {
  const first = (
    entries: (config: Kubeconfig) => ReadonlyMap<string, KubeconfigFields>,
  ): ReadonlyMap<string, KubeconfigFields> =>
    new Map(found.toReversed().flatMap((config) => [...entries(config)]));
  return {
    files: found.flatMap(({ files }) => files),
    clusters: first(({ clusters }) => clusters),
    users: first(({ users }) => users),
    contexts: first(({ contexts }) => contexts),
    currentContext: found.find(({ currentContext }) => currentContext !== undefined)
      ?.currentContext,
  };
}

function isEmpty({ clusters, users, contexts, currentContext }: Kubeconfig): boolean {
  const entries = clusters.size + users.size + contexts.size;
  return entries === 0 && currentContext === undefined;
}

async function resolveContext(config: Kubeconfig, wanted?: string): Promise<ClientConfig> {
  const context = findContext(config, wanted);
  const cluster = follow(context, 'cluster', config.clusters);
  const user = follow(context, 'user', config.users);
  const settings = clusterSettings(cluster);
  return {
    ...settings,
    // Credentials are never sent in clear text, even when that is configured.
    identity: settings.server.startsWith('https:') ? await userIdentity(user, cluster) : {},
    namespace: context.string('namespace') ?? 'default',
  };
}

function findContext(config: Kubeconfig, wanted: string | undefined): KubeconfigFields {
  const file = config.files.join(delimiter);
  const name = wanted ?? config.currentContext?.name;
  if (name === undefined) {
    throw new KubeconfigError({ file, field: 'current-context' }, 'is not set');
  }
  const context = config.contexts.get(name);
  if (context !== undefined) return context;
  const where =
    wanted === undefined
      ? { file: config.currentContext?.file ?? file, field: 'current-context' }
      : { file };
  throw new KubeconfigError(where, `there is no context "${name}"${known(config.contexts)}`);
}

function follow(
  context: KubeconfigFields,
  field: 'cluster' | 'user',
  entries: ReadonlyMap<string, KubeconfigFields>,
): KubeconfigFields {
  const name = context.string(field);
  if (name === undefined) throw context.error(field, 'is not set');
  const entry = entries.get(name);
  if (entry === undefined) {
    throw context.error(field, `there is no ${field} "${name}"${known(entries)}`);
  }
  return entry;
}

function known(entries: ReadonlyMap<string, unknown>): string {
  const names = [...entries.keys()].map((name) => `"${name}"`).join(', ');
  return names === '' ? '' : `, only ${names}`;
}
