/**
 * Commands, one after the other. The expected output is not written by hand: it is that of the same kubectl with the
 * real kube-apiserver.
 */
export interface Script {
  /** Also the name of the file with its recorded answers, and a part of its namespace. */
  name: string;
  /** Beside the kubectl, for `--from-file`. */
  files?: Readonly<Record<string, string>>;
  steps: readonly ScriptStep[];
}

export interface ScriptStep {
  /** The arguments of `kubectl`, as text without blanks in any word or as words. */
  run: string | readonly string[];
  input?: string | object | readonly object[];
  env?: Readonly<Record<string, string>>;
  /** The first release that knows the command. */
  since?: string;
  /**
   * Begins in a later second than the step before it ended. managedFields have times in whole seconds, so a diff shows
   * them only when the second is another one.
   */
  inNextSecond?: boolean;
  /** Lines of the output that are compared, where the real one has more to show than a core; all when absent. */
  keep?: RegExp;
  /** kubectl itself shows the entries of a map in no order. */
  anyOrder?: boolean;
  /** Descriptions are in our own words, so the tree of the fields is compared. */
  fieldsOnly?: boolean;
}

/** In every text NAMESPACE stands for a namespace that no other script and no other release uses. */
export function fill(text: string, namespace: string): string {
  return text.replaceAll('NAMESPACE', namespace);
}

/** As it is written in the script, to find its recorded answers. */
export function commandOf({ run }: ScriptStep): string {
  return typeof run === 'string' ? run : run.join(' ');
}

export function wordsOf(step: ScriptStep, namespace: string): string[] {
  const words = typeof step.run === 'string' ? step.run.split(' ') : step.run;
  return ['--namespace', namespace, ...words.map((word) => fill(word, namespace))];
}

/** Several objects are several documents of one YAML; older releases take a stream that begins with a brace for JSON alone. */
export function inputOf({ input }: ScriptStep, namespace: string): string | undefined {
  if (input === undefined || typeof input === 'string') return input && fill(input, namespace);
  const documents = Array.isArray(input) ? input : [input];
  return fill(documents.map((one) => `---\n${JSON.stringify(one)}\n`).join(''), namespace);
}

export function manifest(kind: string, rest: object, name = 'one'): object {
  const { metadata = {}, ...others } = rest as { metadata?: object };
  const apiVersion = API_VERSIONS[kind] ?? 'v1';
  return { apiVersion, kind, metadata: { name, ...metadata }, ...others };
}

const RBAC = 'rbac.authorization.k8s.io/v1';

/** Those that are not of the core group. */
const API_VERSIONS: Readonly<Record<string, string>> = {
  CertificateSigningRequest: 'certificates.k8s.io/v1',
  ClusterRole: RBAC,
  ClusterRoleBinding: RBAC,
  EndpointSlice: 'discovery.k8s.io/v1',
  Lease: 'coordination.k8s.io/v1',
  Role: RBAC,
  RoleBinding: RBAC,
};
