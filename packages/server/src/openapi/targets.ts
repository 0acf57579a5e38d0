/** Where actions are done, and what on. */
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
  /** The kind that operations are named for, which for a subresource is the parent's. */
  readonly parent: GroupVersionKind;
  /** The kind that is sent and answered. */
  readonly kind: GroupVersionKind;
  /** The definition of what is sent; undefined when it is described nowhere. */
  readonly sent: string | undefined;
  /** Whether something must be sent: what an action does not describe may be left out. */
  readonly sentRequired: boolean;
  /** The definition of what is answered. */
  readonly answered: string | undefined;
  readonly list: string;
  /** What a delete answers. */
  readonly deleted: string;
  /** `a Flunder`, `status of a Flunder` */
  readonly subject: string;
  readonly idScope: string;
  readonly idSuffix: string;
}

/** Where the objects are; in namespaces, the second target is all of them together. */
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
    answered: own,
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

/** Parameters that every object request has beside its own. */
export function objectParameters({ pathParameters }: Target): readonly Parameter[] {
  return [...pathParameters, prettyParameter];
}

function definitionsOf(
  { parent, answered }: Target,
  subresource: ServedSubresource,
): Pick<Target, 'sent' | 'sentRequired' | 'answered'> {
  const described = describedBy(subresource.kind, parent, answered);
  if (subresource.form !== 'action') {
    return { sent: described, sentRequired: true, answered: described };
  }
  const body = actionDefinitionName(parent, subresource);
  const { kind } = subresource.action;
  // With a kind of its own the same thing is sent and answered; without one, the object is answered.
  return {
    sent: body ?? described,
    sentRequired: body !== undefined,
    answered: kind === undefined ? answered : (body ?? described),
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
