/**
 * Plays golden answers back over the wire's form: a target that answers a row as the original did. It lets the judge be
 * judged without any server.
 */

import { fillAssignedNumber, fillAssignedText, fillJwt } from './assigned.ts';
import { at, isArray, isObject, type Json, mapJson, parseJson } from './json.ts';
import type { RawResponse, StepResult } from './step-result.ts';
import type { Target } from './target.ts';

export interface TapeOptions {
  responses: readonly StepResult[];
  /** The namespace that the row runs in. */
  namespace: string;
  now: number;
}

/** Answers in the order in which they were recorded, whatever is asked. */
export function tapeTarget(options: TapeOptions): Target {
  const tape = flatten(options.responses).map((response) => fill(response, options));
  let position = 0;
  const next = (): Json => {
    const response = tape[position];
    if (response === undefined) throw new Error('the tape is at its end');
    position += 1;
    return response;
  };
  return {
    name: 'tape',
    version: '',
    prepareNamespace: async () => undefined,
    send: async () => responseOf(next()),
    watch: async () => {
      const response = next();
      const end = Promise.withResolvers<void>();
      return {
        status: Number(at(response, 'status')),
        headers: headersOf(response),
        events: play(response, end.promise),
        close: async () => end.resolve(),
      };
    },
  };
}

/** A watch is opened before what happens during it. */
function flatten(responses: readonly StepResult[]): Json[] {
  return responses.flatMap((response): Json[] => {
    const { during } = response;
    return isArray(during) ? [response, ...flatten(during as readonly StepResult[])] : [response];
  });
}

async function* play(response: Json, left: Promise<void>): AsyncGenerator<Json> {
  const events = at(response, 'events');
  if (isArray(events)) yield* events;
  if (at(response, 'closed') !== true) await left;
}

function responseOf(response: Json): RawResponse {
  return {
    status: Number(at(response, 'status')),
    headers: headersOf(response),
    body: bodyOf(response),
  };
}

function headersOf(response: Json): RawResponse['headers'] {
  const headers = at(response, 'headers');
  const etag = at(response, 'etag');
  const pairs = isObject(headers) ? Object.entries(headers) : [];
  const all = etag === undefined ? pairs : [...pairs, ['etag', etag] as const];
  return all.flatMap(([name, value]) =>
    (isArray(value) ? value : [value]).map((one) => [name, String(one)] as const),
  );
}

function bodyOf(response: Json): string {
  const retained = at(response, 'retained');
  if (isObject(retained)) {
    const { clusterIP, token, ...metadata } = retained;
    const spec = clusterIP === undefined ? {} : { spec: { clusterIP } };
    const status = token === undefined ? {} : { status: { token } };
    return JSON.stringify({ metadata, ...spec, ...status });
  }
  const text = at(response, 'text');
  if (isArray(text)) return text.join('\n');
  const body = at(response, 'body');
  if (body === undefined || body === null) return '';
  const [form, newline] = String(at(response, 'layout')).split(', ');
  return JSON.stringify(body, undefined, form === 'indented' ? 2 : 0) + (newline ? '\n' : '');
}

/** Values for labels, such that normalising gives the labels again. */
function fill(response: Json, { namespace, now }: TapeOptions): Json {
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const text = (value: string): string =>
    fillAssignedText(value)
      .replaceAll('<ns>', namespace)
      .replaceAll('<time>', time)
      .replace(/<time with (\d+) digits>/g, (_, digits) => withFraction(time, Number(digits)))
      .replaceAll('<list rv>', '99')
      .replaceAll('<age>', '0s')
      .replaceAll('<present>', uuid(0))
      .replaceAll('<hash>', 'ABCDEF0123456789')
      .replace(/<uid:(\d+)>/g, (_, index) => uuid(Number(index)))
      .replace(/<rv:(\d+)>/g, (_, index) => String(100 + Number(index)))
      .replace(/<generated:(\d+)>/g, (_, index) => `bcd4${'567892'[Number(index) - 1]}`);
  return mapJson(response, (value, key) => {
    if (typeof value !== 'string') return undefined;
    const port = fillAssignedNumber(value, key);
    if (port !== undefined) return port;
    const jwt = /^<jwt (.*)>$/s.exec(value)?.[1];
    if (jwt !== undefined) return fillJwt(text(jwt), now);
    const token = /^<token (.*)>$/s.exec(value)?.[1];
    return key === 'continue' && token !== undefined ? encodeToken(text(token)) : text(value);
  });
}

function withFraction(time: string, digits: number): string {
  return time.replace('Z', `.${'123456789'.slice(0, digits)}Z`);
}

function uuid(index: number): string {
  return `aaaaaaaa-bbbb-4ccc-8ddd-${String(index).padStart(12, '0')}`;
}

function encodeToken(text: string): string {
  const content = parseJson(text);
  const whole = isObject(content) ? { ...content, rv: Number(content.rv) } : content;
  return Buffer.from(JSON.stringify(whole)).toString('base64url');
}
