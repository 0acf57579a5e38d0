/** The operations of a group version. */
import type { ServedSubresource, ServedVersion } from '../definition/served-versions.ts';
import { objectMediaTypes } from '../request/negotiation.ts';
import type { SchemaObject } from '../schema/openapi-schema.ts';
import { type Action, actions } from './actions.ts';
import { connectOperations } from './connect-operations.ts';
import { customOperation } from './custom-operations.ts';
import { capitalised, groupVersionTag, groupVersionWords } from './definition-name.ts';
import { metaNames } from './meta-definitions.ts';
import type { Body, Operation } from './operation.ts';
import {
  collectionTargets,
  itemTarget,
  objectParameters,
  subresourceTarget,
  type Target,
} from './targets.ts';

const ANY_TYPE = ['*/*'];
const APPLY_TYPE = 'application/apply-patch+yaml';
/** YAML cannot be streamed: an event has no end marker. */
const streamMediaTypes = objectMediaTypes
  .filter((type) => !type.endsWith('yaml'))
  .map((type) => `${type};stream=watch`);

/** All operations on a resource below `base`, the path of its group version. */
export function resourceOperations(
  entry: ServedVersion,
  base: string,
  patchTypes: readonly string[],
): Operation[] {
  const [collection, ...everywhere] = collectionTargets(entry, base);
  const watched = collectionTargets(entry, `${base}/watch`);
  const operations = [
    ...operationsOn(collection, actions.collection),
    ...everywhere.flatMap((target) => operationsOn(target, actions.everywhere)),
    ...operationsOn(itemTarget(collection), actions.item),
    ...entry.subresources.flatMap((one) => subresourceOperations(collection, one)),
    ...(entry.verbs.includes('list')
      ? watched.flatMap((target) => operationsOn(target, actions.watchedCollection))
      : []),
    ...operationsOn(itemTarget(watched[0]), actions.watchedItem),
  ];
  if (entry.resource.custom) {
    return operations.flatMap((operation) => customOperation(operation, entry.kind) ?? []);
  }
  return operations.flatMap((operation) => withPatchTypes(operation, patchTypes));
}

interface FixedDocument {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly definition: string;
}

/** A document at a fixed path, such as discovery. */
export function documentOperation(document: FixedDocument): Operation {
  const { definition, ...rest } = document;
  return {
    ...rest,
    method: 'get',
    parameters: [],
    consumes: objectMediaTypes,
    produces: objectMediaTypes,
    responses: [{ code: 200, schema: { $ref: definition } }],
  };
}

function subresourceOperations(collection: Target, subresource: ServedSubresource): Operation[] {
  const target = subresourceTarget(collection, subresource);
  switch (subresource.form) {
    case 'part':
      return operationsOn(target, actions.part);
    case 'action':
      return operationsOn(target, actions.named);
    case 'connect':
      return connectOperations(target, subresource.connection);
    default:
      return subresource satisfies never;
  }
}

function operationsOn(target: Target, possible: readonly Action[]): Operation[] {
  return possible
    .filter(({ verb }) => target.verbs.includes(verb))
    .map((action) => operationOn(target, action));
}

function operationOn(target: Target, action: Action): Operation {
  const { parent, kind, path, subject, idScope, idSuffix } = target;
  const { word, method, parameters, idInfix = '', sends, responds, codes } = action;
  const ofKind = `${idScope}${parent.kind}${action.idSuffix ?? ''}${idSuffix}`;
  const streams =
    responds === 'watchEvent' || (responds === 'list' && target.verbs.includes('watch'));
  return {
    path,
    method,
    id: `${word}${groupVersionWords(parent)}${idInfix}${ofKind}`,
    tag: groupVersionTag(parent),
    description: `${capitalised(word)} ${subject}.`,
    action: action.action,
    kind,
    parameters: [...parameters, ...objectParameters(target)],
    ...(sends && { body: bodyOf(target, sends) }),
    consumes: ANY_TYPE,
    produces: streams ? [...objectMediaTypes, ...streamMediaTypes] : objectMediaTypes,
    responses: codes.map((code) => ({
      code,
      schema: reference(responseDefinitionOf(target, responds)),
    })),
  };
}

function bodyOf({ sent, sentRequired }: Target, sends: NonNullable<Action['sends']>): Body {
  switch (sends) {
    case 'own':
      return { schema: reference(sent), required: sentRequired };
    case 'deleteOptions':
      return { schema: reference(metaNames.deleteOptions), required: false };
    case 'patch':
      return { schema: reference(metaNames.patch), required: true };
    default:
      return sends satisfies never;
  }
}

function responseDefinitionOf(
  { response, list, deleted }: Target,
  responds: Action['responds'],
): string | undefined {
  switch (responds) {
    case 'own':
      return response;
    case 'list':
      return list;
    case 'status':
      return metaNames.status;
    case 'deleted':
      return deleted;
    case 'watchEvent':
      return metaNames.watchEvent;
    default:
      return responds satisfies never;
  }
}

function reference(definition: string | undefined): SchemaObject | undefined {
  return definition === undefined ? undefined : { $ref: definition };
}

/** Clients choose a patch type from this list; only an apply can create. */
function withPatchTypes(operation: Operation, patchTypes: readonly string[]): Operation[] {
  if (operation.action !== 'patch') return [operation];
  if (patchTypes.length === 0) return [];
  const [first] = operation.responses;
  const created =
    patchTypes.includes(APPLY_TYPE) && first ? [{ ...first, code: 201 } as const] : [];
  return [{ ...operation, consumes: patchTypes, responses: [...operation.responses, ...created] }];
}
