/** Requests and responses as handlers outside of this package see them. */

export { anonymous } from './authenticator.ts';
export { accessDenied } from './authorizer.ts';
export { IncompleteResponse } from './connection-errors.ts';
export type { LongRunningCheck } from './long-running.ts';
export { parseAccept } from './negotiation.ts';
export { freeSeat, onRequestEnd } from './request-context.ts';
export { RequestHeaders } from './request-headers.ts';
export { textResponse } from './respond.ts';
export { Warnings } from './warnings.ts';
