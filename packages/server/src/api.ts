import { compareKubeVersions } from '@tributary/apimachinery';
import type { ResourceDefinition } from './resource.ts';

export interface ApiInput {
  readonly group: string;
  readonly resources: readonly ResourceDefinition[];
}

/** One API group with everything it serves. */
export interface ApiDefinition {
  readonly group: string;
  /** Served versions, most stable and newest first: the first is the preferred one. */
  readonly versions: readonly string[];
  readonly resources: readonly ResourceDefinition[];
}

export function defineApi(input: ApiInput): ApiDefinition {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(input.group)) {
    throw new Error(`${input.group}: an API group is a DNS name with a dot, such as example.com`);
  }
  const versions = new Set(input.resources.flatMap(({ versions }) => [...versions.keys()]));
  if (versions.size === 0) throw new Error(`${input.group}: an API needs at least one resource`);
  refuseDuplicates(input.group, input.resources);
  return {
    group: input.group,
    versions: [...versions].sort(compareKubeVersions),
    resources: input.resources,
  };
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
