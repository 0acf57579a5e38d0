/** Every request a group version answers, as data from which documents of both versions are written. */
import type { GroupVersionKind } from '@tributary/apimachinery';
import type { ServedVersion } from '../discovery/served.ts';
import { objectMediaTypes } from '../negotiation.ts';
import {
  capitalised,
  definitionName,
  groupVersionTag,
  groupVersionWords,
} from './definition-name.ts';
import { metaNames, scaleKind } from './meta-definitions.ts';
import {
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  nameParameter,
  namespaceParameter,
  type Parameter,
  patchParameters,
  prettyParameter,
  writeParameters,
} from './parameters.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** Discovery has neither an action nor a kind. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  /** Parameters that all operations of the path share. */
  readonly pathParameters: readonly Parameter[];
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly responses: readonly Response[];
}

export interface Body {
  /** Undefined where the kind is described nowhere. */
  readonly definition: string | undefined;
  readonly required: boolean;
}

export interface Response {
  readonly code: SuccessCode;
  readonly definition: string | undefined;
}

export type SuccessCode = 200 | 201 | 202;

/** Something that can be done, on any resource. */
interface Action {
  /** The API verb that must be served. */
  readonly verb: string;
  readonly action: string;
  readonly method: Method;
  /** Begins the operation id and, capitalised, the description. */
  readonly word: string;
  readonly idInfix?: string;
  readonly idSuffix?: string;
  readonly parameters: readonly Parameter[];
  readonly sends?: 'own' | 'deleteOptions' | 'patch';
  readonly answers: 'own' | 'list' | 'status' | 'watchEvent';
  readonly codes: readonly SuccessCode[];
}

const list: Action = {
  verb: 'list',
  action: 'list',
  method: 'get',
  word: 'list',
  parameters: listParameters,
  answers: 'list',
  codes: [200],
};

const create: Action = {
  verb: 'create',
  action: 'post',
  method: 'post',
  word: 'create',
  parameters: writeParameters,
  sends: 'own',
  answers: 'own',
  codes: [200, 201, 202],
};

const deleteCollection: Action = {
  verb: 'deletecollection',
  action: 'deletecollection',
  method: 'delete',
  word: 'delete',
  idInfix: 'Collection',
  parameters: deleteCollectionParameters,
  sends: 'deleteOptions',
  answers: 'status',
  codes: [200],
};

const read: Action = {
  verb: 'get',
  action: 'get',
  method: 'get',
  word: 'read',
  parameters: [],
  answers: 'own',
  codes: [200],
};

const replace: Action = {
  verb: 'update',
  action: 'put',
  method: 'put',
  word: 'replace',
  parameters: writeParameters,
  sends: 'own',
  answers: 'own',
  codes: [200, 201],
};

const deleteOne: Action = {
  verb: 'delete',
  action: 'delete',
  method: 'delete',
  word: 'delete',
  parameters: deleteParameters,
  sends: 'deleteOptions',
  answers: 'status',
  codes: [200, 202],
};

const patch: Action = {
  verb: 'patch',
  action: 'patch',
  method: 'patch',
  word: 'patch',
  parameters: patchParameters,
  sends: 'patch',
  answers: 'own',
  codes: [200],
};

/** On the deprecated paths with `watch` in them. */
const watch: Action = {
  verb: 'watch',
  action: 'watch',
  method: 'get',
  word: 'watch',
  parameters: listParameters,
  answers: 'watchEvent',
  codes: [200],
};

const watchList: Action = { ...watch, action: 'watchlist', idSuffix: 'List' };

/** Where actions are done, and what on. */
interface Target {
  readonly path: string;
  readonly pathParameters: readonly Parameter[];
  readonly verbs: readonly string[];
  /** The kind that the path belongs to, which for a subresource is the parent's. */
  readonly kind: GroupVersionKind;
  /** What is sent and answered; undefined when that kind is described nowhere. */
  readonly own: string | undefined;
  readonly list: string;
  /** `a Flunder`, `status of a Flunder` */
  readonly subject: string;
  readonly idScope: string;
  readonly idSuffix: string;
}

const ANY_TYPE = ['*/*'];
const STREAM_TYPE = 'application/json;stream=watch';
const APPLY_TYPE = 'application/apply-patch+yaml';

const COLLECTION_ACTIONS = [list, create, deleteCollection];
const ITEM_ACTIONS = [read, replace, deleteOne, patch];
const SUBRESOURCE_ACTIONS = [read, replace, create, deleteOne, patch];

/** All operations on a resource below `base`, the path of its group version. */
export function resourceOperations(
  entry: ServedVersion,
  base: string,
  patchTypes: readonly string[],
): Operation[] {
  const [collection, ...everywhere] = collectionTargets(entry, base);
  const watched = collectionTargets(entry, `${base}/watch`);
  const operations = [
    ...operationsOn(collection, COLLECTION_ACTIONS),
    ...everywhere.flatMap((target) => operationsOn(target, [list])),
    ...operationsOn(itemTarget(collection), ITEM_ACTIONS),
    ...entry.subresources.flatMap((subresource) =>
      operationsOn(subresourceTarget(collection, subresource), SUBRESOURCE_ACTIONS),
    ),
    ...(entry.verbs.includes('list')
      ? watched.flatMap((target) => operationsOn(target, [watchList]))
      : []),
    ...operationsOn(itemTarget(watched[0]), [watch]),
  ];
  return operations.flatMap((operation) => withPatchTypes(operation, patchTypes));
}

export interface FixedAnswer {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly definition: string;
}

/** A document at a fixed path, such as discovery. */
export function documentOperation(answer: FixedAnswer): Operation {
  const { definition, ...rest } = answer;
  return {
    ...rest,
    method: 'get',
    pathParameters: [],
    parameters: [],
    consumes: objectMediaTypes,
    produces: objectMediaTypes,
    responses: [{ code: 200, definition }],
  };
}

/** Where the objects are; in namespaces, the second target is all of them together. */
function collectionTargets(entry: ServedVersion, base: string): [Target, ...Target[]] {
  const { kind, resource, verbs } = entry;
  const cluster: Target = {
    path: `${base}/${resource.plural}`,
    pathParameters: [prettyParameter],
    verbs,
    kind,
    own: definitionName(kind),
    list: definitionName({ ...kind, kind: resource.listKind }),
    subject: `${kind.kind} objects`,
    idScope: '',
    idSuffix: '',
  };
  if (resource.scope === 'Cluster') return [cluster];
  const namespaced: Target = {
    ...cluster,
    path: `${base}/namespaces/{namespace}/${resource.plural}`,
    pathParameters: [namespaceParameter, prettyParameter],
    idScope: 'Namespaced',
  };
  return [namespaced, { ...cluster, idSuffix: 'ForAllNamespaces' }];
}

function itemTarget(collection: Target): Target {
  const { kind, path, pathParameters } = collection;
  return {
    ...collection,
    path: `${path}/{name}`,
    pathParameters: [nameParameter(kind.kind), ...pathParameters],
    subject: `a ${kind.kind}`,
  };
}

function subresourceTarget(
  collection: Target,
  { name, kind, verbs }: ServedVersion['subresources'][number],
): Target {
  const item = itemTarget(collection);
  return {
    ...item,
    path: `${item.path}/${name}`,
    verbs,
    own: describedBy(kind, collection),
    subject: `${name} of ${item.subject}`,
    idSuffix: capitalised(name),
  };
}

function describedBy(answered: GroupVersionKind, { own }: Target): string | undefined {
  const name = definitionName(answered);
  if (name === definitionName(scaleKind)) return metaNames.scale;
  return name === own ? own : undefined;
}

function operationsOn(target: Target, actions: readonly Action[]): Operation[] {
  return actions
    .filter(({ verb }) => target.verbs.includes(verb))
    .map((action) => operationOn(target, action));
}

function operationOn(target: Target, action: Action): Operation {
  const { kind, path, pathParameters, subject, idScope, idSuffix } = target;
  const { word, method, parameters, idInfix = '', sends, answers, codes } = action;
  const ofKind = `${idScope}${kind.kind}${action.idSuffix ?? ''}${idSuffix}`;
  const streams =
    answers === 'watchEvent' || (answers === 'list' && target.verbs.includes('watch'));
  return {
    path,
    method,
    id: `${word}${groupVersionWords(kind)}${idInfix}${ofKind}`,
    tag: groupVersionTag(kind),
    description: `${capitalised(word)} ${subject}.`,
    action: action.action,
    kind,
    pathParameters,
    parameters,
    ...(sends && { body: bodyOf(target, sends) }),
    consumes: ANY_TYPE,
    produces: streams ? [...objectMediaTypes, STREAM_TYPE] : objectMediaTypes,
    responses: codes.map((code) => ({ code, definition: answerOf(target, answers) })),
  };
}

function bodyOf({ own }: Target, sends: NonNullable<Action['sends']>): Body {
  switch (sends) {
    case 'own':
      return { definition: own, required: true };
    case 'deleteOptions':
      return { definition: metaNames.deleteOptions, required: false };
    case 'patch':
      return { definition: metaNames.patch, required: true };
    default:
      return sends satisfies never;
  }
}

function answerOf({ own, list }: Target, answers: Action['answers']): string | undefined {
  switch (answers) {
    case 'own':
      return own;
    case 'list':
      return list;
    case 'status':
      return metaNames.status;
    case 'watchEvent':
      return metaNames.watchEvent;
    default:
      return answers satisfies never;
  }
}

/** Clients choose how to patch by what is listed here; only an apply can create. */
function withPatchTypes(operation: Operation, patchTypes: readonly string[]): Operation[] {
  if (operation.method !== 'patch') return [operation];
  if (patchTypes.length === 0) return [];
  const [first] = operation.responses;
  const created =
    patchTypes.includes(APPLY_TYPE) && first ? [{ ...first, code: 201 } as const] : [];
  return [{ ...operation, consumes: patchTypes, responses: [...operation.responses, ...created] }];
}
