import { type Fix, type Judgement, unseen, well } from './finding.ts';
import { TRUST_NAMESPACE, TRUST_ROLE } from './fixes.ts';
import type { Answer, Subjects } from './look.ts';

/** The user as whom discovery is asked for. */
export const AGGREGATOR_USER = 'system:kube-aggregator';

export interface HeaderFacts {
  readonly answer: Answer;
  /** Who may read whom to believe. */
  readonly readers: Subjects;
  readonly namespace: string;
  /** Of the front proxy's authority; undefined where that is not on this machine. */
  readonly caFile: string | undefined;
}

/** Whether the server takes the user from the headers. */
export function judgeHeaders({ answer, readers, namespace, caFile }: HeaderFacts): Judgement {
  if (answer.kind === 'failed') return unseen('there is no answer to see it by');
  const user = answer.status === 403 ? refusedUser(messageIn(answer)) : undefined;
  const isOther = user !== undefined && user !== AGGREGATOR_USER;
  if (answer.status !== 401 && !isOther)
    return well(`the server answers ${answer.status} to ${AGGREGATOR_USER}`);
  const readersThere =
    readers.kind === 'found'
      ? readers.value.filter((subject) => subject.includes(`:${namespace}:`))
      : [];
  const restart: Fix = {
    kind: 'server',
    action: 'restart',
    text: 'start the server so that it believes the front proxy: with a kubeconfig by which it reads whom to believe (--authentication-kubeconfig), or with the authority itself',
    flags: caFile === undefined ? [] : [`--requestheader-client-ca-file=${caFile}`],
  };
  return {
    outcome: 'broken',
    words: isOther
      ? `the server takes the aggregator for ${user}, not for the user in X-Remote-User`
      : `the server answers 401 to ${AGGREGATOR_USER}: it does not believe X-Remote-User, or not whose certificate comes with it`,
    matters:
      'the aggregator says in X-Remote-* headers on whose behalf it comes; every request would be 401',
    fixes: readersThere.length > 0 ? [restart] : [readerFix(namespace), restart],
  };
}

function readerFix(namespace: string): Fix {
  return {
    kind: 'kubectl',
    args: [
      'create',
      'rolebinding',
      `${namespace}-auth-reader`,
      '-n',
      TRUST_NAMESPACE,
      `--role=${TRUST_ROLE}`,
      '--serviceaccount=ACCOUNT',
    ],
    blanks: {
      ACCOUNT: `NAMESPACE:NAME of the service account of the server, as ${namespace}:default`,
    },
  };
}

const MATTERS =
  'every server asks the core whether a user may do what is asked; without an answer it refuses';

/** Whether the server can find out what an ordinary user may do; members of system:masters are let in unasked. */
export function judgeAuthorization(answer: Answer, namespace: string): Judgement {
  if (answer.kind === 'failed') return unseen('there is no answer to see it by');
  const message = messageIn(answer);
  const account = reviewRefusedTo(message);
  if (account !== undefined || (answer.status >= 500 && message.includes('subjectaccessreviews'))) {
    const who = account ?? 'its account';
    return {
      outcome: 'broken',
      words: `the server cannot ask what users may do: ${who} may not create subjectaccessreviews`,
      matters: MATTERS,
      fixes: [delegatorFix(account, namespace)],
    };
  }
  if (answer.status !== 403) return well('an ordinary user may read discovery');
  return {
    outcome: 'broken',
    words: `the server answers 403: ${message}`,
    matters: 'who is not an administrator cannot see what the group has',
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
    otherwise: [delegatorFix(undefined, namespace)],
  };
}

function delegatorFix(account: string | undefined, namespace: string): Fix {
  const [, , ownNamespace, name] = (account ?? '').split(':');
  const binding = ['create', 'clusterrolebinding'];
  const role = '--clusterrole=system:auth-delegator';
  if (account?.startsWith('system:serviceaccount:') && name !== undefined) {
    const called = `${ownNamespace}-${name}-auth-delegator`;
    return {
      kind: 'kubectl',
      args: [...binding, called, role, `--serviceaccount=${ownNamespace}:${name}`],
    };
  }
  if (account !== undefined) {
    return {
      kind: 'kubectl',
      args: [...binding, `${namespace}-auth-delegator`, role, `--user=${account}`],
    };
  }
  const blanks = {
    ACCOUNT: `NAMESPACE:NAME of the service account of the server, as ${namespace}:default`,
  };
  return {
    kind: 'kubectl',
    args: [...binding, `${namespace}-auth-delegator`, role, '--serviceaccount=ACCOUNT'],
    blanks,
  };
}

function refusedUser(message: string): string | undefined {
  return /User "([^"]*)" cannot /.exec(message)?.[1];
}

function reviewRefusedTo(message: string): string | undefined {
  return /User "([^"]*)" cannot create resource "subjectaccessreviews"/.exec(message)?.[1];
}

const TEXT_MAX = 300;

/** Of a Status, or the beginning of what came instead. */
export function messageIn(answer: Extract<Answer, { kind: 'answer' }>): string {
  const text = answer.body.toString('utf8');
  try {
    const parsed: unknown = JSON.parse(text);
    const message = (parsed as { message?: unknown } | null)?.message;
    if (typeof message === 'string') return message;
  } catch {
    // Many programs answer in plain text.
  }
  return text.trim().slice(0, TEXT_MAX);
}
