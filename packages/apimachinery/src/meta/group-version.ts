/** Groups, versions, kinds and resources, and their text in messages and in `apiVersion`. */

/** The group is empty for the core group. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** Parses an `apiVersion` such as `v1` or `apps/v1`; undefined when it has more than one slash. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash === -1) return { group: '', version: apiVersion };
  if (apiVersion.includes('/', slash + 1)) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The `apiVersion` of a group and version. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Go's `GroupVersionKind.String()`, with an empty group printed as well: `apps/v1, Kind=Deployment`. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** `flunders.wardle.example.com`, or `pods` in the core group. */
export function qualifiedResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Flunder.wardle.example.com`, or `Pod` in the core group. */
export function qualifiedKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/**
 * Compares versions by priority, highest first: GA before beta before alpha, then higher numbers, then all
 * names that are not Kubernetes versions in alphabetical order.
 */
export function compareKubeVersions(a: string, b: string): number {
  const left = parseKubeVersion(a);
  const right = parseKubeVersion(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

interface KubeVersion {
  /** 0 alpha, 1 beta, 2 generally available. */
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const kubeVersion = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;

function parseKubeVersion(version: string): KubeVersion | undefined {
  const match = kubeVersion.exec(version);
  if (match === null) return undefined;
  const [, major, stability, minor] = match;
  return {
    stability: stability === undefined ? 2 : stability === 'beta' ? 1 : 0,
    major: Number(major),
    minor: minor === undefined ? 0 : Number(minor),
  };
}
