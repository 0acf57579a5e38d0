/**
 * Plays golden answers back over the wire's form: a target that answers a row as the original did. It lets the judge be
 * judged without any server.
 */
import type { Answer, RawResponse } from './answer.ts';
import { fillAssignedNumber, fillAssignedText, fillJwt } from './assigned.ts';
import { at, isArray, isObject, type Json, mapJson, parseJson } from './json.ts';
import type { Target } from './target.ts';

export interface TapeOptions {
  answers: readonly Answer[];
  /** The namespace that the row runs in. */
  namespace: string;
  now: number;
}

/** Answers in the order in which they were recorded, whatever is asked. */
export function tapeTarget(options: TapeOptions): Target {
  const tape = flatten(options.answers).map((answer) => fill(answer, options));
  let position = 0;
  const next = (): Json => {
    const answer = tape[position];
    if (answer === undefined) throw new Error('the tape is at its end');
    position += 1;
    return answer;
  };
  return {
    name: 'tape',
    version: '',
    prepareNamespace: async () => undefined,
    send: async () => responseOf(next()),
    watch: async () => {
      const answer = next();
      const end = Promise.withResolvers<void>();
      return {
        status: Number(at(answer, 'status')),
        headers: headersOf(answer),
        events: play(answer, end.promise),
        close: async () => end.resolve(),
      };
    },
  };
}

/** A watch is opened before what happens during it. */
function flatten(answers: readonly Answer[]): Json[] {
  return answers.flatMap((answer): Json[] => {
    const { during } = answer;
    return isArray(during) ? [answer, ...flatten(during as readonly Answer[])] : [answer];
  });
}

async function* play(answer: Json, left: Promise<void>): AsyncGenerator<Json> {
  const events = at(answer, 'events');
  if (isArray(events)) yield* events;
  if (at(answer, 'closed') !== true) await left;
}

function responseOf(answer: Json): RawResponse {
  return { status: Number(at(answer, 'status')), headers: headersOf(answer), body: bodyOf(answer) };
}

function headersOf(answer: Json): RawResponse['headers'] {
  const headers = at(answer, 'headers');
  const etag = at(answer, 'etag');
  const pairs = isObject(headers) ? Object.entries(headers) : [];
  const all = etag === undefined ? pairs : [...pairs, ['etag', etag] as const];
  return all.flatMap(([name, value]) =>
    (isArray(value) ? value : [value]).map((one) => [name, String(one)] as const),
  );
}

function bodyOf(answer: Json): string {
  const kept = at(answer, 'kept');
  if (isObject(kept)) {
    const { clusterIP, token, ...metadata } = kept;
    const spec = clusterIP === undefined ? {} : { spec: { clusterIP } };
    const status = token === undefined ? {} : { status: { token } };
    return JSON.stringify({ metadata, ...spec, ...status });
  }
  const text = at(answer, 'text');
  if (isArray(text)) return text.join('\n');
  const body = at(answer, 'body');
  if (body === undefined || body === null) return '';
  const [form, newline] = String(at(answer, 'layout')).split(', ');
  return JSON.stringify(body, undefined, form === 'indented' ? 2 : 0) + (newline ? '\n' : '');
}

/** Values for labels, such that normalising gives the labels again. */
function fill(answer: Json, { namespace, now }: TapeOptions): Json {
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
  return mapJson(answer, (value, key) => {
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
