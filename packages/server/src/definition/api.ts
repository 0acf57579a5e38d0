import { compareKubeVersions } from '@tributary/apimachinery';
import type { ResourceDefinition } from './resource.ts';

export interface ApiInput {
  /** A DNS name with a dot. Names without one are Kubernetes' own. */
  readonly group: string;
  readonly resources: readonly ResourceDefinition[];
}

/** With options of groups that Kubernetes itself serves. */
interface UpstreamApiInput extends ApiInput {
  /** One of Kubernetes' own groups, such as `apps`; the empty one is the core group, served under `/api`. */
  readonly builtIn?: true;
  /** The prefix of an object's key in error messages, by resource. Default: the prefix of its key in the store. */
  readonly errorKeyPrefix?: ((resource: string) => string) | undefined;
  /** Equal validation errors are reported once, as upstream does for kinds with declarative validation. */
  readonly reportsErrorsOnce?: true;
}

/** One API group with everything it serves. */
export interface ApiDefinition {
  readonly group: string;
  readonly builtIn?: true;
  readonly errorKeyPrefix?: ((resource: string) => string) | undefined;
  readonly reportsErrorsOnce?: true;
  /** Served versions, most stable and newest first: the first is the preferred one. */
  readonly versions: readonly string[];
  readonly resources: readonly ResourceDefinition[];
}

const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const BUILT_IN_GROUP = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$/;

export function defineApi(input: UpstreamApiInput): ApiDefinition {
  if (!(input.builtIn ? BUILT_IN_GROUP : GROUP).test(input.group)) {
    throw new Error(`${input.group}: an API group is a DNS name with a dot, such as example.com`);
  }
  const versions = new Set(input.resources.flatMap(servedVersionNames));
  if (versions.size === 0) throw new Error(`${input.group}: an API needs at least one resource`);
  refuseDuplicates(input.group, input.resources);
  return {
    group: input.group,
    ...(input.builtIn && { builtIn: input.builtIn }),
    ...(input.errorKeyPrefix && { errorKeyPrefix: input.errorKeyPrefix }),
    ...(input.reportsErrorsOnce && { reportsErrorsOnce: input.reportsErrorsOnce }),
    versions: [...versions].sort(compareKubeVersions),
    resources: input.resources,
  };
}

function servedVersionNames({ versions }: ResourceDefinition): string[] {
  return [...versions].flatMap(([name, { served }]) => (served ? [name] : []));
}

function refuseDuplicates(group: string, resources: readonly ResourceDefinition[]): void {
  const seen = new Set<string>();
  for (const { kind, plural } of resources) {
    for (const name of [kind, plural]) {
      if (seen.has(name)) throw new Error(`${group}: ${name} is defined twice`);
      seen.add(name);
    }
  }
}
