import { parseJson, readTypeMeta } from '@tributary/apimachinery';

export interface WebhookResponse {
  readonly code: number;
  /** The media type of the content; empty when absent. */
  readonly type: string;
  readonly body: Buffer;
}

/** Decodes the response of a webhook. Throws with the messages of upstream's client. */
export function decodeWebhookResponse(response: WebhookResponse): unknown {
  const { code, body } = response;
  if (code < 200 || code > 206) throw new Error(errorMessage(response));
  const value = parsed(body);
  const type = readTypeMeta(value);
  if (!type.ok) throw new Error(type.message);
  return value;
}

/** Upstream parses a body that is not JSON as YAML, where any text is a string. */
function parsed(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return body.toString('utf8');
  }
}

/** The message of upstream's client. */
function errorMessage({ code, type, body }: WebhookResponse): string {
  const status = statusOf(body);
  if (status !== undefined) return status;
  const words: Readonly<Record<number, string>> = {
    401: 'the server has asked for the client to provide credentials',
    403: `forbidden: ${body.toString('utf8')}`,
    404: 'the server could not find the requested resource',
    405: 'the server does not allow this method on the requested resource',
    500: `an error on the server (${JSON.stringify(printable(type, body))}) has prevented the request from succeeding`,
    503: 'the server is currently unable to handle the request',
    504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
  };
  return (
    words[code] ??
    `the server responded with the status code ${code} but did not return more information`
  );
}

/** The message of a Status. */
function statusOf(body: Buffer): string | undefined {
  try {
    const status = parseJson(body) as { kind?: unknown; message?: unknown };
    return status.kind === 'Status' && typeof status.message === 'string'
      ? status.message
      : undefined;
  } catch {
    return undefined; // Not JSON, so not a Status.
  }
}

/** Bodies are printed only if they are text. */
function printable(type: string, body: Buffer): string {
  const text = type.startsWith('text/') ? body.subarray(0, 2048).toString('utf8').trim() : '';
  return text || 'unknown';
}
