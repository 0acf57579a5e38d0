import { randomUUID } from 'node:crypto';
import type { TokenRequest } from '@tributary/api/authentication-v1';
import {
  badRequest,
  conflict,
  type FieldError,
  fieldError,
  formatTime,
  internalError,
  invalid,
  root,
} from '@tributary/apimachinery';
import { type BoundTokenClaims, issueToken } from './issue-token.ts';
import type { KeySet } from './key-set.ts';
import { bindingOf } from './token-binding.ts';
import type { AccountObject, LiveObjects } from './types.ts';

export interface TokenRequestOptions {
  readonly keys: () => KeySet;
  /** The issuer of new tokens: the first of the accepted ones. */
  readonly issuer: string;
  readonly apiAudiences: readonly string[];
  readonly live: LiveObjects;
  readonly nowMs: () => number;
  /** Longer requests are shortened; without it only the API's maximum applies. */
  readonly maxExpirationSeconds?: number;
  /** Whether tokens of pods are valid for a year, see `WARN_ONLY_SECONDS`. Default: yes. */
  readonly extendExpiration?: boolean;
}

export interface IssueRequest {
  readonly serviceAccount: AccountObject;
  /** As decoded, before defaults. */
  readonly request: TokenRequest;
  readonly warn?: (text: string) => void;
  /** Adds an audit annotation. */
  readonly annotate?: (key: string, value: string) => void;
}

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const EXPIRATION_SECONDS = 3600;
const EXPIRATION_SECONDS_MIN = 600;
const EXPIRATION_SECONDS_MAX = 2 ** 32;
/**
 * The expiration that the kubelet requests by default. Such tokens are extended for clients that read a token only
 * once.
 */
const WARN_ONLY_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 60 * 60;

/** Serves `POST serviceaccounts/NAME/token`: returns the request with defaults and a token in its status. */
export async function issueServiceAccountToken(
  options: TokenRequestOptions,
  { serviceAccount, request, warn, annotate }: IssueRequest,
): Promise<TokenRequest> {
  requireSameAccount(serviceAccount, request);
  // Taken before the token is issued, so that the status never exceeds the expiration of the token.
  const nowMs = options.nowMs();
  const completed = withDefaults(serviceAccount, request, { ...options, atMs: nowMs });
  requireValid(completed);
  const { name = '', namespace = '', uid = '' } = serviceAccount.metadata;
  const { boundObjectRef } = completed.spec;
  const binding =
    boundObjectRef && (await bindingOf(boundObjectRef, { namespace, name }, options.live));
  const seconds = shortenExpiration(completed, options, warn);
  const isExtended =
    (options.extendExpiration ?? true) &&
    seconds === WARN_ONLY_SECONDS &&
    binding?.pod !== undefined &&
    (completed.spec.audiences ?? []).every((one) => options.apiAudiences.includes(one));
  const issuedAtSeconds = Math.floor(nowMs / 1000);
  const jti = randomUUID();
  const token = await signToken(options, {
    namespace,
    serviceAccount: { name, uid },
    audiences: completed.spec.audiences ?? [],
    jti,
    issuedAtSeconds,
    expiresAtSeconds: issuedAtSeconds + (isExtended ? EXTENDED_SECONDS : seconds),
    ...binding,
    ...(isExtended && { warnAfterSeconds: issuedAtSeconds + seconds }),
  });
  annotate?.('authentication.kubernetes.io/issued-credential-id', `JTI=${jti}`);
  return {
    ...completed,
    spec: { ...completed.spec, expirationSeconds: seconds },
    status: { token, expirationTimestamp: formatTime(nowMs + seconds * 1000) },
  };
}

/** Fields that identify the account are optional but must match. */
function requireSameAccount({ metadata }: AccountObject, request: TokenRequest): void {
  const { name = '', namespace = '', uid = '' } = metadata;
  const sent = request.metadata ?? {};
  if (sent.namespace && sent.namespace !== namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  if (sent.name && sent.name !== name) {
    const detail = 'must match the service account name if specified';
    const error = fieldError.invalid(root('metadata').child('name'), sent.name, detail);
    throw invalid(KIND, name, [error]);
  }
  if (sent.uid && sent.uid !== uid) {
    throw conflict(
      { group: KIND.group, resource: KIND.kind },
      name,
      `the UID in the token request (${sent.uid}) does not match the UID of the service account (${uid})`,
    );
  }
}

function withDefaults(
  { metadata }: AccountObject,
  request: TokenRequest,
  { apiAudiences, atMs }: { apiAudiences: readonly string[]; atMs: number },
): TokenRequest {
  const { name = '', namespace = '', uid = '' } = metadata;
  const { audiences, expirationSeconds, boundObjectRef } = request.spec ?? {};
  return {
    kind: KIND.kind,
    apiVersion: `${KIND.group}/v1`,
    metadata: { ...request.metadata, name, namespace, uid, creationTimestamp: formatTime(atMs) },
    spec: {
      audiences: audiences && audiences.length > 0 ? audiences : [...apiAudiences],
      expirationSeconds: expirationSeconds ?? EXPIRATION_SECONDS,
      boundObjectRef: boundObjectRef ?? null,
    },
    status: { token: '', expirationTimestamp: null },
  };
}

function requireValid({ spec: { expirationSeconds } }: TokenRequest): void {
  const seconds = expirationSeconds ?? EXPIRATION_SECONDS;
  const path = root('spec').child('expirationSeconds');
  const errors: FieldError[] = [];
  if (seconds < EXPIRATION_SECONDS_MIN) {
    const detail = 'may not specify a duration less than 10 minutes';
    errors.push(fieldError.invalid(path, seconds, detail));
  }
  if (seconds > EXPIRATION_SECONDS_MAX) {
    const detail = 'may not specify a duration larger than 2^32 seconds';
    errors.push(fieldError.invalid(path, seconds, detail));
  }
  if (errors.length > 0) throw invalid(KIND, '', errors);
}

function shortenExpiration(
  { spec }: TokenRequest,
  { maxExpirationSeconds = 0 }: TokenRequestOptions,
  warn: IssueRequest['warn'],
): number {
  const seconds = Number(spec.expirationSeconds);
  if (maxExpirationSeconds <= 0 || seconds <= maxExpirationSeconds) return seconds;
  warn?.(`requested expiration of ${seconds} seconds shortened to ${maxExpirationSeconds} seconds`);
  return maxExpirationSeconds;
}

async function signToken(
  { keys, issuer }: TokenRequestOptions,
  claims: BoundTokenClaims,
): Promise<string> {
  try {
    return await issueToken({ key: keys().signing, issuer }, claims);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw internalError(new Error(`failed to generate token: ${reason}`, { cause: error }));
  }
}
