import { AGGREGATOR_USER, type ProbeResponse, type Subjects } from '../probes/probes.ts';
import { type CheckResult, type Fix, passed, unknown } from '../report/diagnosis.ts';
import {
  AUTHENTICATION_CONFIG_MAP,
  AUTHENTICATION_NAMESPACE,
  AUTHENTICATION_READER_ROLE,
} from '../report/fixes.ts';

type Response = Extract<ProbeResponse, { kind: 'response' }>;

export interface HeaderFacts {
  readonly response: ProbeResponse;
  /** Subjects that may read the ConfigMap extension-apiserver-authentication. */
  readonly readers: Subjects;
  readonly namespace: string;
  /** CA of the front-proxy client certificate; undefined when it is not on this machine. */
  readonly caFile: string | undefined;
}

/** Whether the server authenticates the user of the X-Remote-* headers. */
export function checkHeaders(facts: HeaderFacts): CheckResult {
  const { response, readers, namespace, caFile } = facts;
  if (response.kind === 'failed') return unknown('no response to check');
  const message = identityProblem(response, readers);
  if (message === undefined) {
    return passed(`the server responds ${response.status} to ${AGGREGATOR_USER}`);
  }
  const account = userWithoutReviews(responseMessage(response));
  const known = readers.kind === 'found' ? readers.value : [];
  const isReader = known.some((subject) => subject.startsWith(`ServiceAccount:${namespace}:`));
  const restart: Fix = {
    kind: 'server',
    action: 'restart',
    text: 'restart the server so that it trusts the front proxy: with --authentication-kubeconfig, to read the ConfigMap, or with the CA of the front proxy',
    flags: caFile === undefined ? [] : [`--requestheader-client-ca-file=${caFile}`],
  };
  return {
    status: 'failed',
    message,
    impact:
      'the aggregator sends the user of a request in X-Remote-* headers; a server that ignores them treats every user as unauthenticated',
    fixes: isReader ? [restart] : [readerFix(account, namespace), restart],
    ...(account !== undefined && { alternatives: [delegatorFix(account, namespace)] }),
  };
}

/** The sign in the response that the server did not use the X-Remote-* headers; undefined: none. */
function identityProblem(response: Response, readers: Subjects): string | undefined {
  if (response.status === 401) {
    return `the server responds 401 to ${AGGREGATOR_USER}: it does not accept X-Remote-User, or not the client certificate sent with it`;
  }
  const message = responseMessage(response);
  const account = userWithoutReviews(message);
  if (account !== undefined) {
    // A member of system:masters needs no review, so the server did not use the headers, unless it can read the ConfigMap.
    const isReader = readers.kind === 'found' && readers.value.includes(subjectOf(account));
    return isReader
      ? undefined
      : `the server does not accept ${AGGREGATOR_USER} in system:masters: ${account} is not allowed to read the ConfigMap ${AUTHENTICATION_NAMESPACE}/${AUTHENTICATION_CONFIG_MAP}`;
  }
  const user = response.status === 403 ? /User "([^"]*)" cannot /.exec(message)?.[1] : undefined;
  if (user === undefined || user === AGGREGATOR_USER) return undefined;
  return `the server authenticates the aggregator as ${user} instead of the user in X-Remote-User`;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

function subjectOf(account: string): string {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(account) ?? [];
  return name === undefined ? `User::${account}` : `ServiceAccount:${namespace}:${name}`;
}

function readerFix(account: string | undefined, namespace: string): Fix {
  const role = ['-n', AUTHENTICATION_NAMESPACE, `--role=${AUTHENTICATION_READER_ROLE}`];
  return bindingFix(['rolebinding', `${namespace}-auth-reader`, ...role], account, namespace);
}

function delegatorFix(account: string | undefined, namespace: string): Fix {
  const role = '--clusterrole=system:auth-delegator';
  const binding = ['clusterrolebinding', `${namespace}-auth-delegator`, role];
  return bindingFix(binding, account, namespace);
}

function bindingFix(
  binding: readonly string[],
  account: string | undefined,
  namespace: string,
): Fix {
  const [, accountNamespace, name] = SERVICE_ACCOUNT.exec(account ?? '') ?? [];
  const create = ['create', ...binding];
  if (name !== undefined) {
    return { kind: 'kubectl', args: [...create, `--serviceaccount=${accountNamespace}:${name}`] };
  }
  if (account !== undefined) return { kind: 'kubectl', args: [...create, `--user=${account}`] };
  const meaning = `NAMESPACE:NAME of the server's service account, such as ${namespace}:default`;
  return {
    kind: 'kubectl',
    args: [...create, '--serviceaccount=ACCOUNT'],
    blanks: { ACCOUNT: meaning },
  };
}

const IMPACT =
  'an API server authorizes each request with a SubjectAccessReview, and refuses the request when the review fails';

/** Whether the server can authorize an ordinary user; members of system:masters need no review. */
export function checkAuthorization(response: ProbeResponse, namespace: string): CheckResult {
  if (response.kind === 'failed') return unknown('no response to check');
  const message = responseMessage(response);
  const account = userWithoutReviews(message);
  if (
    account !== undefined ||
    (response.status >= 500 && message.includes('subjectaccessreviews'))
  ) {
    const user = account ?? 'its account';
    return {
      status: 'failed',
      message: `the server cannot authorize users: ${user} is not allowed to create subjectaccessreviews`,
      impact: IMPACT,
      fixes: [delegatorFix(account, namespace)],
    };
  }
  if (response.status !== 403) return passed('an ordinary user may read discovery');
  return {
    status: 'failed',
    message: `the server responds 403: ${message}`,
    impact: 'users other than administrators cannot discover the resources of the group',
    fixes: [
      {
        kind: 'kubectl',
        args: [
          'create',
          'clusterrolebinding',
          'discovery-for-authenticated',
          '--clusterrole=system:discovery',
          '--group=system:authenticated',
        ],
      },
    ],
    alternatives: [delegatorFix(undefined, namespace)],
  };
}

function userWithoutReviews(message: string): string | undefined {
  return /User "([^"]*)" cannot create resource "subjectaccessreviews"/.exec(message)?.[1];
}

const TEXT_MAX = 300;

/** The message of a Status, or the beginning of the body. */
export function responseMessage(response: Response): string {
  const text = response.body.toString('utf8');
  try {
    const parsed: unknown = JSON.parse(text);
    const message = (parsed as { message?: unknown } | null)?.message;
    if (typeof message === 'string') return message;
  } catch {
    // many programs respond with plain text
  }
  return text.trim().slice(0, TEXT_MAX);
}
