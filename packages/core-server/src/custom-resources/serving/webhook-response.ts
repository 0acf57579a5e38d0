import { parseJson, readTypeMeta } from '@tributary/apimachinery';

export interface WebhookAnswer {
  readonly code: number;
  /** Of its content; empty when it does not say. */
  readonly type: string;
  readonly body: Buffer;
}

/** What an answer says, as JSON. Throws in the words of upstream's client where it says nothing that can be used. */
export function readWebhookAnswer(answer: WebhookAnswer): unknown {
  const { code, body } = answer;
  if (code < 200 || code > 206) throw new Error(refusal(answer));
  const value = parsed(body);
  const type = readTypeMeta(value);
  if (!type.ok) throw new Error(type.message);
  return value;
}

/** What is no JSON may be YAML to upstream, in which everything is a text at least. */
function parsed(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return body.toString('utf8');
  }
}

/** In the words of upstream's client. */
function refusal({ code, type, body }: WebhookAnswer): string {
  const status = statusOf(body);
  if (status !== undefined) return status;
  const words: Readonly<Record<number, string>> = {
    401: 'the server has asked for the client to provide credentials',
    403: `forbidden: ${body.toString('utf8')}`,
    404: 'the server could not find the requested resource',
    405: 'the server does not allow this method on the requested resource',
    500: `an error on the server (${JSON.stringify(shown(type, body))}) has prevented the request from succeeding`,
    503: 'the server is currently unable to handle the request',
    504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
  };
  return (
    words[code] ??
    `the server responded with the status code ${code} but did not return more information`
  );
}

/** Of an answer that says itself what it is. */
function statusOf(body: Buffer): string | undefined {
  try {
    const said = parseJson(body) as { kind?: unknown; message?: unknown };
    return said.kind === 'Status' && typeof said.message === 'string' ? said.message : undefined;
  } catch {
    return undefined; // it is no JSON, and so no Status
  }
}

/** Only of a text it is told what it says. */
function shown(type: string, body: Buffer): string {
  const text = type.startsWith('text/') ? body.subarray(0, 2048).toString('utf8').trim() : '';
  return text || 'unknown';
}
