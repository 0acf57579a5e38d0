import type { Authentication, Authenticator } from '../request/authenticator.ts';
import type { ApiRequest } from '../request/pipeline.ts';

const NO_OPINION: Authentication = { outcome: 'no-opinion' };

/**
 * The first authenticator that knows the user. A rejection does not end the search, because another one may accept
 * another credential of the request; but the request is not anonymous then.
 */
export function unionAuthenticator(parts: readonly Authenticator[]): Authenticator {
  return (request) => tryFrom(parts, 0, request, []);
}

function tryFrom(
  parts: readonly Authenticator[],
  first: number,
  request: ApiRequest,
  reasons: readonly string[],
): Promise<Authentication> | Authentication {
  let rejections = reasons;
  for (let at = first; at < parts.length; at += 1) {
    const result = parts[at]?.(request) ?? NO_OPINION;
    if (result instanceof Promise) {
      const before = rejections;
      return result.then((settled) =>
        settled.outcome === 'authenticated'
          ? settled
          : tryFrom(parts, at + 1, request, withReason(before, settled)),
      );
    }
    if (result.outcome === 'authenticated') return result;
    rejections = withReason(rejections, result);
  }
  if (rejections.length === 0) return NO_OPINION;
  return { outcome: 'rejected', reason: rejections.join(', ') };
}

function withReason(reasons: readonly string[], result: Authentication): readonly string[] {
  return result.outcome === 'rejected' ? [...reasons, result.reason] : reasons;
}
