import { StatusError } from '@tributary/apimachinery';
import type { AuditLog } from '../operations/audit/audit-log.ts';
import type { AuditRecord } from '../operations/audit/record.ts';
import { isWatch, type LongRunningCheck } from '../request/long-running.ts';
import { andThen, runCatching } from '../request/maybe-promise.ts';
import type {
  ApiRequest,
  ApiResponse,
  Filter,
  Handler,
  HandlerResult,
} from '../request/pipeline.ts';
import { type MutableRequest, onRequestEnd } from '../request/request-context.ts';
import { statusResponse } from '../request/status-response.ts';
import { DeadlineExceeded } from './deadline.ts';

/** Records requests and their outcome in the audit log. After authentication, because events name the user. */
export const withAudit =
  (log: AuditLog, isLongRunning: LongRunningCheck = isWatch): Filter =>
  (next) =>
  (request) => {
    const { context } = request;
    const record = context && log.begin(request, context, request.user);
    if (context === undefined || record === undefined) return next(request);
    context.audit = record;
    for (const [key, value] of Object.entries(context.auditAnnotations ?? {})) {
      record.annotate(key, value);
    }
    record.stage('RequestReceived');
    if (request.method !== 'GET') observeBody(request, record);
    return audited(request, next, { record, isStarted: isLongRunning(request.info) });
  };

/** Requests that fail authentication have a single event, with their response. */
export function auditRefusal(log: AuditLog): (request: ApiRequest, response: ApiResponse) => void {
  return (request, response) => {
    const record = request.context && log.begin(request, request.context, undefined);
    record?.response(response);
    record?.stage('ResponseStarted');
  };
}

function audited(
  request: ApiRequest,
  next: Handler,
  { record, isStarted }: { record: AuditRecord; isStarted: boolean },
): HandlerResult {
  const result = runCatching<ApiResponse>(() => next(request), {
    onError: (error) => {
      recordFailure(record, error);
      throw error;
    },
  });
  return andThen(result, (response) => recordResponse(request, response, { record, isStarted }));
}

function recordResponse(
  request: ApiRequest,
  response: ApiResponse,
  { record, isStarted }: { record: AuditRecord; isStarted: boolean },
): ApiResponse {
  record.response(isProxied(response) ? { ...response, contentType: '' } : response);
  if (isStarted) record.stage('ResponseStarted');
  if (response.kind !== 'object' && response.kind !== 'bytes') {
    onRequestEnd(request, () => record.stage('ResponseComplete'));
  } else {
    record.stage('ResponseComplete');
  }
  return response;
}

/**
 * The server that gives a response records its body; this record has only its code, as for every response without a
 * type.
 */
function isProxied(response: ApiResponse): response is ApiResponse & { kind: 'bytes' } {
  return response.kind === 'bytes' && response.isProxied === true;
}

/** A StatusError is a response; any other error is a panic. */
function recordFailure(record: AuditRecord, error: unknown): void {
  if (error instanceof StatusError) {
    record.response(statusResponse(error));
    record.stage('ResponseComplete');
  } else if (error instanceof DeadlineExceeded) {
    record.response({ kind: 'object', code: 504, object: {} });
    record.stage('ResponseComplete');
  } else {
    record.failed(error);
    record.stage('Panic');
  }
}

/** A body is read once, by the handler; the record observes that. */
function observeBody(request: ApiRequest, record: AuditRecord): void {
  const read = request.body.bind(request);
  (request as MutableRequest).body = async () => {
    const bytes = await read();
    record.requestBody(bytes);
    return bytes;
  };
}
