import { randomUUID } from 'node:crypto';
import type { Filter } from '../pipeline.ts';
import { withHeaders } from '../respond.ts';

const LENGTH_MAX = 64;

/** Echoes the client's Audit-ID, so that one request can be followed across servers. */
export const withAuditId: Filter = (next) => async (request) => {
  const sent = request.headers.get('audit-id');
  const id = sent !== undefined && sent !== '' ? sent.slice(0, LENGTH_MAX) : randomUUID();
  return withHeaders(await next(request), [['Audit-Id', id]]);
};
