import {
  decodeJson,
  isStatus,
  type Status,
  StatusError,
  stringifyJson,
} from '@tributary/apimachinery';
import type { HeaderList } from '../request/pipeline.ts';

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

export interface TestRequestOptions {
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Default: JSON, and a merge patch for PATCH. An empty text omits the header. */
  readonly contentType?: string;
  readonly headers?: HeaderValues;
}

export interface TestResponse<ResponseObject = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The texts of the `Warning` headers. */
  readonly warnings: readonly string[];
  readonly text: string;
  /** A JSON body; integers beyond 2^53 are bigints. */
  readonly object: ResponseObject;
}

/** The default `manager` in managedFields. */
const USER_AGENT = 'test-client';

export function headerLines(method: string, options: TestRequestOptions): string[] {
  const { body, contentType, headers = {} } = options;
  const given = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const type = contentType ?? (body === undefined ? '' : standardType(method));
  const standard: [string, string][] = [
    ['Accept', 'application/json'],
    ['User-Agent', USER_AGENT],
  ];
  if (type !== '') standard.push(['Content-Type', type]);
  return [...standard.filter(([name]) => !names.has(name.toLowerCase())), ...given].flat();
}

function standardType(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

export function bodyBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : stringifyJson(body));
}

export function testResponse(code: number, lines: HeaderList, body: Uint8Array): TestResponse {
  const headers = new Headers(lines.map(([name, value]) => [name, value]));
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '');
  return {
    status: code,
    headers,
    warnings: lines.filter(([name]) => name.toLowerCase() === 'warning').map(warningText),
    text: Buffer.from(body).toString(),
    object: isJson && body.length > 0 ? decodeJson(body).value : undefined,
  };
}

function warningText([, value]: readonly [string, string]): string {
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.replace(/^299 - "(.*)"$/s, '$1').replace(/\\(.)/gs, '$1');
}

/** The object of a successful response; failures are thrown. */
export function requireSuccess({ status, object, text }: TestResponse): unknown {
  if (status < 400) return object;
  throw isStatus(object) ? statusError(object, status) : statusError({ message: text }, status);
}

function statusError(status: Partial<Status>, code: number): StatusError {
  const { message = '', reason, details, metadata } = status;
  return new StatusError({
    code: status.code ?? code,
    message,
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    ...(metadata !== undefined && { metadata }),
  });
}

export function statusErrorOf(status: Status): StatusError {
  return statusError(status, status.code ?? 500);
}
