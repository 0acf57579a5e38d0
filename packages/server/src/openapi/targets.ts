/** The paths of operations, and their kinds. */
import type { GroupVersionKind } from '@tributary/apimachinery';
import {
  type ServedSubresource,
  type ServedVersion,
  scaleKind,
} from '../definition/served-versions.ts';
import { actionDefinitionName } from './action-definition.ts';
import { capitalised, definitionName } from './definition-name.ts';
import { kindDefinitionNames } from './kind-definitions.ts';
import { metaNames } from './meta-definitions.ts';
import {
  nameParameter,
  namespaceParameter,
  type Parameter,
  prettyParameter,
} from './parameters.ts';

export interface Target {
  readonly path: string;
  readonly pathParameters: readonly Parameter[];
  readonly verbs: readonly string[];
  /** The kind that operations are named for; for a subresource that of its parent. */
  readonly parent: GroupVersionKind;
  /** The kind of the request and the response. */
  readonly kind: GroupVersionKind;
  /** The definition of the request body; undefined without one. */
  readonly sent: string | undefined;
  /** Whether a body is required: one without a schema is optional. */
  readonly sentRequired: boolean;
  /** The definition of the response body. */
  readonly response: string | undefined;
  readonly list: string;
  /** The definition of the response to a delete. */
  readonly deleted: string;
  /** `a Flunder`, `status of a Flunder` */
  readonly subject: string;
  readonly idScope: string;
  readonly idSuffix: string;
}

/** Paths of collections; for namespaced resources, the second target is all namespaces. */
export function collectionTargets(entry: ServedVersion, base: string): [Target, ...Target[]] {
  const { kind, resource, verbs } = entry;
  const { own, list } = kindDefinitionNames(entry);
  const cluster: Target = {
    path: `${base}/${resource.plural}`,
    pathParameters: [],
    verbs,
    parent: kind,
    kind,
    sent: own,
    sentRequired: true,
    response: own,
    list,
    deleted: resource.returnsDeletedObject ? own : metaNames.status,
    subject: `${kind.kind} objects`,
    idScope: '',
    idSuffix: '',
  };
  if (resource.scope === 'Cluster') return [cluster];
  const namespaced: Target = {
    ...cluster,
    path: `${base}/namespaces/{namespace}/${resource.plural}`,
    pathParameters: [namespaceParameter],
    idScope: 'Namespaced',
  };
  return [namespaced, { ...cluster, idSuffix: 'ForAllNamespaces' }];
}

export function itemTarget(collection: Target): Target {
  const { kind, path, pathParameters } = collection;
  return {
    ...collection,
    path: `${path}/{name}`,
    pathParameters: [nameParameter(kind.kind), ...pathParameters],
    subject: `a ${kind.kind}`,
  };
}

export function subresourceTarget(collection: Target, subresource: ServedSubresource): Target {
  const item = itemTarget(collection);
  const { name, kind, verbs } = subresource;
  return {
    ...item,
    path: `${item.path}/${name}`,
    verbs,
    kind,
    ...definitionsOf(collection, subresource),
    subject: `${name} of ${item.subject}`,
    idSuffix: capitalised(name),
  };
}

/** Parameters of every request for an object, beside its own. */
export function objectParameters({ pathParameters }: Target): readonly Parameter[] {
  return [...pathParameters, prettyParameter];
}

function definitionsOf(
  { parent, response }: Target,
  subresource: ServedSubresource,
): Pick<Target, 'sent' | 'sentRequired' | 'response'> {
  const described = describedBy(subresource.kind, parent, response);
  if (subresource.form !== 'action') {
    return { sent: described, sentRequired: true, response: described };
  }
  const body = actionDefinitionName(parent, subresource);
  const { kind } = subresource.action;
  // A subresource with its own kind has it in requests and responses; without one, the response is the object.
  return {
    sent: body ?? described,
    sentRequired: body !== undefined,
    response: kind === undefined ? response : (body ?? described),
  };
}

function describedBy(
  kind: GroupVersionKind,
  parent: GroupVersionKind,
  own: string | undefined,
): string | undefined {
  const name = definitionName(kind);
  if (name === definitionName(scaleKind)) return metaNames.scale;
  return name === definitionName(parent) ? own : undefined;
}
