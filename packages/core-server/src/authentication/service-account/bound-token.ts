import { notFound } from '@tributary/apimachinery';
import { isRecord, textOf } from '../unverified-token.ts';
import type { AccountIdentity, ObjectReference } from './account-user.ts';
import type {
  BoundObject,
  Claims,
  LiveObjects,
  Owner,
  ServiceAccountTokenOptions,
} from './types.ts';

/** Clock skew, and delay of informers, between servers. */
const LEEWAY_MS = 60_000;
const INVALIDATED = 'service account token has been invalidated';

type Checks = Pick<ServiceAccountTokenOptions, 'live' | 'nowMs' | 'onStaleToken'>;

/** The service account of a bound token, when it and the objects that the token is bound to exist. */
export async function boundTokenOwner(claims: Claims, checks: Checks): Promise<Owner> {
  const nowMs = checks.nowMs();
  const late = timeProblem(claims, nowMs);
  if (late !== undefined) return { reason: late };
  const bound = readBindings(claims);
  const reason =
    (await accountProblem(bound, checks.live, nowMs)) ??
    (await bindingProblem(bound, checks.live, nowMs));
  if (reason !== undefined) return { reason };
  reportStaleToken(claims, bound, { ...checks, nowMs });
  const { namespace, account, pod, node } = bound;
  const identity: AccountIdentity = {
    namespace,
    ...account,
    jti: textOf(claims.jti),
    ...(pod && { pod }),
    ...(node && { node }),
  };
  return identity;
}

interface Bindings {
  readonly namespace: string;
  readonly account: ObjectReference;
  readonly pod: ObjectReference | undefined;
  readonly secret: ObjectReference | undefined;
  readonly node: ObjectReference | undefined;
  readonly warnAfter: unknown;
}

function readBindings(claims: Claims): Bindings {
  const given = claims['kubernetes.io'];
  const { namespace, serviceaccount, pod, secret, node, warnafter } = isRecord(given) ? given : {};
  return {
    namespace: textOf(namespace),
    account: referenceOf(serviceaccount) ?? { name: '', uid: '' },
    pod: referenceOf(pod),
    secret: referenceOf(secret),
    node: referenceOf(node),
    warnAfter: warnafter,
  };
}

function referenceOf(value: unknown): ObjectReference | undefined {
  return isRecord(value) ? { name: textOf(value.name), uid: textOf(value.uid) } : undefined;
}

function timeProblem({ nbf, exp, iat }: Claims, nowMs: number): string | undefined {
  const isTime = (value: unknown) =>
    value === undefined || value === null || Number.isFinite(value);
  if (!isTime(nbf) || !isTime(exp) || !isTime(iat)) {
    return 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate';
  }
  const milliseconds = (value: unknown) => Math.trunc(Number(value)) * 1000;
  if (typeof nbf === 'number' && nowMs + LEEWAY_MS < milliseconds(nbf)) {
    return 'service account token is not valid yet';
  }
  if (typeof exp === 'number' && nowMs - LEEWAY_MS > milliseconds(exp)) {
    return 'service account token has expired';
  }
  if (typeof iat === 'number' && nowMs + LEEWAY_MS < milliseconds(iat)) {
    return 'service account token is issued in the future';
  }
  return undefined;
}

async function accountProblem(
  { namespace, account }: Bindings,
  live: LiveObjects,
  nowMs: number,
): Promise<string | undefined> {
  const found = await live.serviceAccount(namespace, account.name);
  if (found === undefined) {
    return notFound({ group: '', resource: 'serviceaccounts' }, account.name).message;
  }
  const uid = found.metadata.uid ?? '';
  if (uid !== account.uid) {
    return `service account UID (${uid}) does not match claim (${account.uid})`;
  }
  if (isDeleted(found, nowMs)) {
    return `service account ${namespace}/${account.name} has been deleted`;
  }
  return undefined;
}

async function bindingProblem(
  { namespace, pod, secret, node }: Bindings,
  live: LiveObjects,
  nowMs: number,
): Promise<string | undefined> {
  const problem = (kind: string, reference: ObjectReference, found: BoundObject | undefined) => {
    if (found === undefined) return INVALIDATED;
    const uid = found.metadata.uid ?? '';
    if (uid !== reference.uid) {
      const claim = `service account ${kind} ref claim (${reference.uid})`;
      return `${kind} UID (${uid}) does not match ${claim}`;
    }
    return isDeleted(found, nowMs) ? INVALIDATED : undefined;
  };
  const lookUp = async <T>(find: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await find();
    } catch {
      return undefined; // An object that cannot be read invalidates the token.
    }
  };
  if (secret !== undefined) {
    const reason = problem(
      'secret',
      secret,
      await lookUp(() => live.secret(namespace, secret.name)),
    );
    if (reason !== undefined) return reason;
  }
  // The node of a pod is informational: the validity of the token depends on the pod only.
  if (pod !== undefined) {
    return problem('pod', pod, await lookUp(() => live.pod(namespace, pod.name)));
  }
  if (node === undefined) return undefined;
  return problem('node', node, await lookUp(() => live.node(node.name)));
}

function isDeleted({ metadata: { deletionTimestamp } }: BoundObject, nowMs: number): boolean {
  if (!deletionTimestamp) return false;
  const at = Date.parse(deletionTimestamp);
  return at < nowMs - LEEWAY_MS;
}

/**
 * Tokens of pods are extended from an hour to a year, until clients reload them; use after the original expiration is
 * reported.
 */
function reportStaleToken(
  { sub }: Claims,
  { warnAfter }: Bindings,
  { onStaleToken, nowMs }: { onStaleToken?: Checks['onStaleToken']; nowMs: number },
): void {
  if (typeof warnAfter !== 'number' || warnAfter === 0 || nowMs <= warnAfter * 1000) return;
  onStaleToken?.(textOf(sub), Math.floor(nowMs / 1000) - Math.trunc(warnAfter));
}
