/** Resources and verbs of a group version, from the definitions: discovery and OpenAPI are made from these alone. */
import type { GroupVersionKind } from '@tributary/apimachinery';
import type { ApiDefinition } from './api.ts';
import { type ResourceDefinition, subresourcesIn } from './resource.ts';
import type {
  ActionSubresource,
  ConnectMethod,
  ConnectSubresource,
  CustomSubresource,
} from './subresource.ts';

/** One resource in one version, for discovery and OpenAPI. */
export interface ServedVersion {
  readonly resource: ResourceDefinition;
  readonly kind: GroupVersionKind;
  /** Sorted unless the definition has an order, and never empty. */
  readonly verbs: readonly string[];
  /** By name. */
  readonly subresources: readonly ServedSubresource[];
}

interface SubresourceEntry {
  /** The last segment of its path: `status`, `scale`. */
  readonly name: string;
  /** The kind of requests and responses; `status` has the resource's own kind. */
  readonly kind: GroupVersionKind;
  /** Sorted. */
  readonly verbs: readonly string[];
}

export type ServedSubresource = SubresourceEntry &
  (
    | { readonly form: 'part' }
    | { readonly form: 'action'; readonly action: ActionSubresource }
    | { readonly form: 'connect'; readonly connection: ConnectSubresource }
  );

/** A kind of another group that every API may serve. */
export const scaleKind: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Resources of a group version, by name; a resource without verbs is omitted. */
export function servedVersions(
  { group, resources }: ApiDefinition,
  version: string,
): ServedVersion[] {
  return resources
    .filter(({ versions, verbs }) => versions.get(version)?.served && verbs.length > 0)
    .map((resource) => servedVersion(resource, { group, version, kind: resource.kind }))
    .sort((a, b) => compareText(a.resource.plural, b.resource.plural));
}

function servedVersion(resource: ResourceDefinition, kind: GroupVersionKind): ServedVersion {
  const { status, scale, custom } = subresourcesIn(resource, kind.version);
  const subresources: ServedSubresource[] = [
    ...(status ? [partOf('status', kind)] : []),
    ...(scale ? [partOf('scale', scaleKind)] : []),
    ...[...custom].map(([name, one]) => customSubresource(name, one, kind)),
  ];
  return {
    resource,
    kind,
    verbs: resource.discoveryVerbs ?? [...resource.verbs].sort(compareText),
    subresources: resource.discoveryVerbs
      ? subresources
      : subresources.sort((a, b) => compareText(a.name, b.name)),
  };
}

/** A part of the object that is read and written separately, and deleted only with the object. */
function partOf(name: string, kind: GroupVersionKind): ServedSubresource {
  return { form: 'part', name, kind, verbs: ['get', 'patch', 'update'] };
}

function customSubresource(
  name: string,
  custom: CustomSubresource,
  parent: GroupVersionKind,
): ServedSubresource {
  const kind = custom.kind ?? parent;
  if (custom.type === 'part') {
    return { form: 'part', name, kind, verbs: [...custom.verbs].sort(compareText) };
  }
  if (custom.type === 'action') {
    return { form: 'action', name, kind, verbs: ['create'], action: custom };
  }
  const verbs = new Set(custom.methods.map((method) => connectVerbs[method]));
  return { form: 'connect', name, kind, verbs: [...verbs].sort(compareText), connection: custom };
}

/** Discovery has no verb for a connection: it lists the verbs of the same methods on any other path. */
const connectVerbs: Readonly<Record<ConnectMethod, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The path of a group version; the core group has a prefix of its own. */
export function groupVersionPath({ group }: ApiDefinition, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
