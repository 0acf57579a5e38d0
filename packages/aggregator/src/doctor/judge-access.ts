import { type Fix, type Judgement, unseen, well } from './finding.ts';
import { TRUST_NAMESPACE, TRUST_ROLE } from './fixes.ts';
import type { Answer, Subjects } from './look.ts';

type Answered = Extract<Answer, { kind: 'answer' }>;

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
export function judgeHeaders(facts: HeaderFacts): Judgement {
  const { answer, readers, namespace, caFile } = facts;
  if (answer.kind === 'failed') return unseen('there is no answer to see it by');
  const words = disbelief(answer, readers);
  if (words === undefined) return well(`the server answers ${answer.status} to ${AGGREGATOR_USER}`);
  const account = reviewRefusedTo(messageIn(answer));
  const known = readers.kind === 'found' ? readers.value : [];
  const isReader = known.some((subject) => subject.startsWith(`ServiceAccount:${namespace}:`));
  const restart: Fix = {
    kind: 'server',
    action: 'restart',
    text: 'start the server so that it believes the front proxy: with a kubeconfig by which it reads whom to believe (--authentication-kubeconfig), or with the authority itself',
    flags: caFile === undefined ? [] : [`--requestheader-client-ca-file=${caFile}`],
  };
  return {
    outcome: 'broken',
    words,
    matters:
      'the aggregator says in X-Remote-* headers on whose behalf it comes; without them everybody is a stranger',
    fixes: isReader ? [restart] : [readerFix(account, namespace), restart],
    ...(account !== undefined && { otherwise: [delegatorFix(account, namespace)] }),
  };
}

/** How an answer shows that the server took the aggregator for somebody else; undefined: it does not. */
function disbelief(answer: Answered, readers: Subjects): string | undefined {
  if (answer.status === 401) {
    return `the server answers 401 to ${AGGREGATOR_USER}: it does not believe X-Remote-User, or not whose certificate comes with it`;
  }
  const message = messageIn(answer);
  const account = reviewRefusedTo(message);
  if (account !== undefined) {
    // Administrators are let in unasked, so this was a stranger; unless the server may read whom to believe.
    const isReader = readers.kind === 'found' && readers.value.includes(subjectOf(account));
    return isReader
      ? undefined
      : `the server takes ${AGGREGATOR_USER} in system:masters for a stranger: ${account} may not read whom to believe`;
  }
  const user = answer.status === 403 ? /User "([^"]*)" cannot /.exec(message)?.[1] : undefined;
  if (user === undefined || user === AGGREGATOR_USER) return undefined;
  return `the server takes the aggregator for ${user}, not for the user in X-Remote-User`;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

function subjectOf(account: string): string {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(account) ?? [];
  return name === undefined ? `User::${account}` : `ServiceAccount:${namespace}:${name}`;
}

function readerFix(account: string | undefined, namespace: string): Fix {
  const role = ['-n', TRUST_NAMESPACE, `--role=${TRUST_ROLE}`];
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
  const [, ownNamespace, name] = SERVICE_ACCOUNT.exec(account ?? '') ?? [];
  const create = ['create', ...binding];
  if (name !== undefined) {
    return { kind: 'kubectl', args: [...create, `--serviceaccount=${ownNamespace}:${name}`] };
  }
  if (account !== undefined) return { kind: 'kubectl', args: [...create, `--user=${account}`] };
  const meaning = `NAMESPACE:NAME of the service account of the server, as ${namespace}:default`;
  return {
    kind: 'kubectl',
    args: [...create, '--serviceaccount=ACCOUNT'],
    blanks: { ACCOUNT: meaning },
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
  if (answer.status !== 403) return well('discovery may be read');
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

function reviewRefusedTo(message: string): string | undefined {
  return /User "([^"]*)" cannot create resource "subjectaccessreviews"/.exec(message)?.[1];
}

const TEXT_MAX = 300;

/** Of a Status, or the beginning of what came instead. */
export function messageIn(answer: Answered): string {
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
