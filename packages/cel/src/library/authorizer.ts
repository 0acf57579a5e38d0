/** Kubernetes' authorizer: asks whether the user of a request may do something else. */
import { validateDnsLabelName, validateDnsSubdomainName } from '@tributary/apimachinery';
import type { FunctionDeclaration, Library } from '../declarations/library.ts';
import { celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { BOOL, objectType, STRING, type Type } from '../values/types.ts';
import type { OpaqueValue, Result, Value } from '../values/value.ts';
import { declare, member } from './declare.ts';

export interface AuthorizedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The attributes of an authorization check; unset texts are empty. */
export type AuthorizationQuestion =
  | {
      readonly kind: 'path';
      readonly user: AuthorizedUser;
      readonly verb: string;
      readonly path: string;
    }
  | ({
      readonly kind: 'resource';
      readonly user: AuthorizedUser;
      readonly verb: string;
    } & ResourceQuestion);

export interface ResourceQuestion {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As written; the authorizer parses them, and ignores those that it cannot parse. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Why it could not be decided; empty when it could. */
  readonly error: string;
}

export type Decide = (question: AuthorizationQuestion) => AuthorizationDecision;

export const AUTHORIZER_TYPE: Type = objectType('kubernetes.authorization.Authorizer');
const PATH_CHECK: Type = objectType('kubernetes.authorization.PathCheck');
const GROUP_CHECK: Type = objectType('kubernetes.authorization.GroupCheck');
export const RESOURCE_CHECK_TYPE: Type = objectType('kubernetes.authorization.ResourceCheck');
const DECISION: Type = objectType('kubernetes.authorization.Decision');

interface AuthorizerValue extends OpaqueValue {
  readonly user: AuthorizedUser;
  readonly decide: Decide;
}
interface PathCheckValue extends OpaqueValue {
  readonly authorizer: AuthorizerValue;
  readonly path: string;
}
interface ResourceCheckValue extends OpaqueValue {
  readonly authorizer: AuthorizerValue;
  readonly asked: ResourceQuestion;
}
interface DecisionValue extends OpaqueValue {
  readonly decision: AuthorizationDecision;
}

const NOTHING_ASKED: ResourceQuestion = {
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** The variable `authorizer`. */
export function authorizerValue(user: AuthorizedUser, decide: Decide): OpaqueValue {
  return newAuthorizer(user, decide);
}

/** The variable `authorizer.requestResource`: a check of what the request itself is about. */
export function requestResourceValue(
  user: AuthorizedUser,
  decide: Decide,
  asked: Partial<ResourceQuestion>,
): OpaqueValue {
  return resourceCheck(newAuthorizer(user, decide), { ...NOTHING_ASKED, ...asked });
}

export const AUTHORIZER: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare('path', member('authorizer_path', [AUTHORIZER_TYPE, STRING], PATH_CHECK, checkPath)),
    declare(
      'group',
      member('authorizer_group', [AUTHORIZER_TYPE, STRING], GROUP_CHECK, checkGroup),
    ),
    declare(
      'serviceAccount',
      member(
        'authorizer_serviceaccount',
        [AUTHORIZER_TYPE, STRING, STRING],
        AUTHORIZER_TYPE,
        asServiceAccount,
      ),
    ),
    declare(
      'resource',
      member('groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK_TYPE, checkResource),
    ),
    narrowing('subresource', 'resourcecheck_subresource'),
    narrowing('namespace', 'resourcecheck_namespace'),
    narrowing('name', 'resourcecheck_name'),
    declare(
      'check',
      member('pathcheck_check', [PATH_CHECK, STRING], DECISION, decidePath),
      member('resourcecheck_check', [RESOURCE_CHECK_TYPE, STRING], DECISION, decideResource),
    ),
    describe('errored', 'decision_errored', BOOL, ({ error }) => error !== ''),
    describe('error', 'decision_error', STRING, ({ error }) => error),
    describe('allowed', 'decision_allowed', BOOL, ({ allowed }) => allowed),
    describe('reason', 'decision_reason', STRING, ({ reason }) => reason),
  ],
};

/** Since 1.31: checks of lists by what they select. */
export const AUTHORIZER_SELECTORS: Library = {
  name: 'kubernetes.authzSelectors',
  functions: [
    narrowing('fieldSelector', 'authorizer_fieldselector'),
    narrowing('labelSelector', 'authorizer_labelselector'),
  ],
};

/** Values without fields, which nothing can be compared with. */
function opaque(type: Type): OpaqueValue {
  return { kind: 'opaque', type, equalityCost: 1, equals: () => NO_SUCH_OVERLOAD };
}

function newAuthorizer(user: AuthorizedUser, decide: Decide): AuthorizerValue {
  return { ...opaque(AUTHORIZER_TYPE), user, decide };
}

function resourceCheck(authorizer: AuthorizerValue, asked: ResourceQuestion): ResourceCheckValue {
  return { ...opaque(RESOURCE_CHECK_TYPE), authorizer, asked };
}

function checkPath([authorizer, path]: readonly Value[]): Result {
  const text = path as string;
  if (text.trim() === '') return celError('path must not be empty');
  const check: PathCheckValue = {
    ...opaque(PATH_CHECK),
    authorizer: authorizer as AuthorizerValue,
    path: text,
  };
  return check;
}

function checkGroup([authorizer, group]: readonly Value[]): Result {
  const asked = { ...NOTHING_ASKED, group: group as string };
  const check: ResourceCheckValue = {
    ...opaque(GROUP_CHECK),
    authorizer: authorizer as AuthorizerValue,
    asked,
  };
  return check;
}

function checkResource([check, resource]: readonly Value[]): Result {
  const { authorizer, asked } = check as ResourceCheckValue;
  const text = resource as string;
  if (text.trim() === '') return celError('resource must not be empty');
  return resourceCheck(authorizer, { ...asked, resource: text });
}

function asServiceAccount([authorizer, namespace, name]: readonly Value[]): Result {
  const { decide } = authorizer as AuthorizerValue;
  if (validateDnsSubdomainName(name as string).length > 0) {
    return celError('Invalid service account name');
  }
  if (validateDnsLabelName(namespace as string).length > 0) {
    return celError('Invalid service account namespace');
  }
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return newAuthorizer({ name: `system:serviceaccount:${namespace}:${name}`, groups }, decide);
}

function narrowing(field: keyof ResourceQuestion, id: string): FunctionDeclaration {
  return declare(
    field,
    member(id, [RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE, ([check, text]) => {
      const { authorizer, asked } = check as ResourceCheckValue;
      return resourceCheck(authorizer, { ...asked, [field]: text as string });
    }),
  );
}

function decidePath([check, verb]: readonly Value[]): Result {
  const { authorizer, path } = check as PathCheckValue;
  const { user, decide } = authorizer;
  return decisionValue(decide({ kind: 'path', user, verb: verb as string, path }));
}

function decideResource([check, verb]: readonly Value[]): Result {
  const { authorizer, asked } = check as ResourceCheckValue;
  const { user, decide } = authorizer;
  return decisionValue(decide({ kind: 'resource', user, verb: verb as string, ...asked }));
}

function decisionValue(decision: AuthorizationDecision): DecisionValue {
  return { ...opaque(DECISION), decision };
}

function describe(
  name: string,
  id: string,
  result: Type,
  response: (decision: AuthorizationDecision) => string | boolean,
): FunctionDeclaration {
  return declare(
    name,
    member(id, [DECISION], result, ([value]) => response((value as DecisionValue).decision)),
  );
}
