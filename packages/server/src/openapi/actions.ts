/** The actions of a resource. */
import type { Method, SuccessCode } from './operation.ts';
import {
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  type Parameter,
  patchParameters,
  writeParameters,
} from './parameters.ts';

export interface Action {
  /** The API verb that must be served. */
  readonly verb: string;
  readonly action: string;
  readonly method: Method;
  /** Start of the operation id and, capitalised, of the description. */
  readonly word: string;
  readonly idInfix?: string;
  readonly idSuffix?: string;
  readonly parameters: readonly Parameter[];
  readonly sends?: 'own' | 'deleteOptions' | 'patch';
  readonly responds: 'own' | 'list' | 'status' | 'deleted' | 'watchEvent';
  readonly codes: readonly SuccessCode[];
}

const list: Action = {
  verb: 'list',
  action: 'list',
  method: 'get',
  word: 'list',
  parameters: listParameters,
  responds: 'list',
  codes: [200],
};

const create: Action = {
  verb: 'create',
  action: 'post',
  method: 'post',
  word: 'create',
  parameters: writeParameters,
  sends: 'own',
  responds: 'own',
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
  responds: 'status',
  codes: [200],
};

const read: Action = {
  verb: 'get',
  action: 'get',
  method: 'get',
  word: 'read',
  parameters: [],
  responds: 'own',
  codes: [200],
};

const replace: Action = {
  verb: 'update',
  action: 'put',
  method: 'put',
  word: 'replace',
  parameters: writeParameters,
  sends: 'own',
  responds: 'own',
  codes: [200, 201],
};

const deleteOne: Action = {
  verb: 'delete',
  action: 'delete',
  method: 'delete',
  word: 'delete',
  parameters: deleteParameters,
  sends: 'deleteOptions',
  responds: 'deleted',
  codes: [200, 202],
};

const patch: Action = {
  verb: 'patch',
  action: 'patch',
  method: 'patch',
  word: 'patch',
  parameters: patchParameters,
  sends: 'patch',
  responds: 'own',
  codes: [200],
};

/** On the deprecated paths with `watch` in them. */
const watch: Action = {
  verb: 'watch',
  action: 'watch',
  method: 'get',
  word: 'watch',
  parameters: listParameters,
  responds: 'watchEvent',
  codes: [200],
};

const watchList: Action = { ...watch, action: 'watchlist', idSuffix: 'List' };

/** By target. */
export const actions = {
  collection: [list, create, deleteCollection],
  everywhere: [list],
  item: [read, replace, deleteOne, patch],
  /** A subresource cannot be deleted. */
  part: [read, replace, patch],
  named: [create],
  watchedCollection: [watchList],
  watchedItem: [watch],
} as const satisfies Readonly<Record<string, readonly Action[]>>;
