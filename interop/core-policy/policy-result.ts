/** The result of a write, as far as both servers report the same. */
export type PolicyResult =
  | { readonly code: 'accepted' }
  | {
      readonly code: number;
      readonly reason?: unknown;
      readonly message?: unknown;
      readonly details?: unknown;
    };

export const ACCEPTED: PolicyResult = { code: 'accepted' };

export function refusedAs(status: {
  readonly code?: number | undefined;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}): PolicyResult {
  const { code = 0, reason, message, details } = status;
  return {
    code,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(details !== undefined && { details }),
  };
}
