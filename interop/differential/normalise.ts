/**
 * Replaces what must differ between two servers by labels, and nothing else: uids by order of appearance, resourceVersions
 * by their order, times of today, generated names, hashes, continue tokens and signed tokens by what they hold, addresses
 * and ports from a pool, prose. Pure.
 */
import { createHash } from 'node:crypto';
import { labelAssignedNumber, labelAssignedText, labelJwt } from './assigned.ts';
import {
  at,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapJson,
  parseJson,
  sortedEntries,
} from './json.ts';
import { allSteps, isWatchStep, type Row, type Step, type View } from './row.ts';
import type { RawResponse, RawStepResult, StepResult } from './step-result.ts';
import { applyView } from './views.ts';

export interface NormaliseOptions {
  row: Row;
  namespace: string;
  /** Milliseconds; a time further away than a day was not made by the server just now. */
  now: number;
  /**
   * One counter of revisions for all kinds and clients: how new a list is says nothing about the row, so the
   * resourceVersions of lists are labelled alike; those of objects keep their order.
   */
  sharedRevisions?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const STRING_MAX = 1_000;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]{5}';

/** Depend on the connection, the clock or the length of labelled values. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'date',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  // Name objects of the cluster that the original asks for its priority levels.
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
]);

/** Texts in which a resourceVersion or something of one program only is buried. */
const RESOURCE_VERSIONS_IN_TEXT: readonly RegExp[] = [
  /(Too large resource version: \d+, current: )(\d+)/g,
  /(too old resource version: \d+ \()(\d+)(?=\))/g,
  /(match the ResourceVersion in record \()(\d+)(?=\))/g,
  // In YAML, and in JSON that is quoted in a message.
  /(resourceVersion\\*"?: ?\\*")(\d+)(?=\\*")/g,
];
const PROGRAM_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/in scheme "[^"]*"/g, 'in scheme "<scheme>"'],
  // The storage of an extension server is a choice of its operator.
  [/(StorageError: .*?Key: )\/registry\/wardle\.example\.com\/[^,]*,/g, '$1<key>,'],
  [/(object not decodable revision=)\d+/g, '$1<revision>'],
  [/hash=[0-9A-Fa-f]+/g, 'hash=<hash>'],
  [/(serverAddress: )\S+/g, '$1<address>'],
  [/X509SHA256=[0-9A-Fa-f]{16,64}/g, 'X509SHA256=<hash>'],
  // The name of a shared parameter ends in a hash that covers its description.
  [/(#\/parameters\/[A-Za-z]+-)[\w-]{8,16}$/g, '$1<hash>'],
];

export function normaliseRow(
  responses: readonly RawStepResult[],
  options: NormaliseOptions,
): StepResult[] {
  const steps = stepsByName(options.row);
  const parsed = responses
    .map((reply) => parseResult(reply, steps))
    .map(labelAges)
    .map((reply) => (options.sharedRevisions ? labelListRevisions(reply) : reply));
  const labels = makeLabels(parsed, options);
  return parsed.map((reply) => labels.apply(reply) as StepResult);
}

function stepsByName(row: Row): Map<string, Step> {
  return new Map(allSteps(row.steps).map((step) => [step.name, step]));
}

/** The answer as JSON, everything of the server still in it. */
function parseResult(reply: RawStepResult, steps: ReadonlyMap<string, Step>): Json {
  switch (reply.kind) {
    case 'response':
      return parseResponse(reply, steps.get(reply.step));
    case 'watch':
      return {
        step: reply.step,
        request: reply.request,
        status: reply.status,
        headers: headersOf(reply.headers),
        events: reply.events,
        closed: reply.closed,
        during: reply.during.map((inner) => parseResult(inner, steps)),
      };
    case 'skipped':
      return { step: reply.step, skipped: reply.why };
    case 'broken':
      return { step: reply.step, request: reply.request, broken: reply.why };
  }
}

function parseResponse(
  { step: name, request, response }: Extract<RawStepResult, { kind: 'response' }>,
  step: Step | undefined,
): Json {
  const plain = step === undefined || isWatchStep(step) ? undefined : step;
  const body = bodyOf(response, plain?.view);
  const whole = { step: name, request, status: response.status };
  if (plain?.setup) return { ...whole, ...retainedOf(body.body, response.headers) };
  return { ...whole, headers: headersOf(response.headers), ...body };
}

const RETAINED = ['name', 'uid', 'resourceVersion', 'continue'];

/** Of an answer that only prepares: what later steps may refer to. */
function retainedOf(body: Json | undefined, headers: RawResponse['headers']): JsonObject {
  const metadata = at(body, 'metadata');
  const clusterIP = at(body, 'spec', 'clusterIP');
  const token = at(body, 'status', 'token');
  const retained = [
    ...(isObject(metadata)
      ? sortedEntries(metadata).filter(([key]) => RETAINED.includes(key))
      : []),
    ...(typeof clusterIP === 'string' ? [['clusterIP', clusterIP] as const] : []),
    ...(typeof token === 'string' ? [['token', token] as const] : []),
  ];
  const etag = headers.find(([name]) => name === 'etag')?.[1];
  return {
    ...(retained.length === 0 ? {} : { retained: Object.fromEntries(retained) }),
    ...(etag === undefined ? {} : { etag: labelHeader('etag', etag) }),
  };
}

function bodyOf({ body }: RawResponse, view: View | undefined): JsonObject {
  if (body === '') return { body: null };
  const json = parseJson(body);
  if (json === undefined) return { text: applyView(body.split('\n'), view) };
  return { layout: layoutOf(body), body: applyView(json, view) };
}

function layoutOf(text: string): string {
  const form = /^[[{]\n {2}/.test(text) ? 'indented' : 'compact';
  return text.endsWith('\n') ? `${form}, newline` : form;
}

function headersOf(pairs: RawResponse['headers']): Json {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    if (DROPPED_HEADERS.has(name)) continue;
    const before = headers[name];
    if (before === undefined && name === 'warning') headers[name] = [value];
    else if (before === undefined) headers[name] = labelHeader(name, value);
    else {
      headers[name] = [
        ...(typeof before === 'string' ? [before] : before),
        labelHeader(name, value),
      ];
    }
  }
  return headers;
}

function labelHeader(name: string, value: string): string {
  if (name === 'audit-id') return '<present>';
  if (name === 'last-modified') return '<http date>';
  if (name === 'etag') return value.replace(/[0-9A-Fa-f]{16,}/, '<hash>');
  return value;
}

/** Cells of a Table that say how long ago something was. */
function labelAges(value: Json): Json {
  return mapJson(value, (item, key) => {
    if (key !== 'cells' || !isArray(item)) return undefined;
    return item.map((cell) => (typeof cell === 'string' ? labelAge(cell) : cell));
  });
}

/** Of years only that there are some: they are one more on some day. */
function labelAge(cell: string): string {
  if (/^\d+s$/.test(cell)) return '<age>';
  return /^\d+y(?:\d+d)?$/.test(cell) ? '<years>' : cell;
}

/** A Table is taken for a list: one that shows a single object cannot be told from one that shows a list of one. */
function labelListRevisions(value: Json): Json {
  if (isArray(value)) return value.map(labelListRevisions);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, labelListRevisions(item)]),
  );
  if (value.type === 'BOOKMARK')
    return { ...inner, object: withListRevision(inner.object ?? null) };
  const isList = isArray(value.items) || value.items === null || value.kind === 'Table';
  return isList ? withListRevision(inner) : inner;
}

/** A bookmark says, as a list does, how new everything is that was sent. */
function withListRevision(inner: Json): Json {
  const version = at(inner, 'metadata', 'resourceVersion');
  if (!isObject(inner) || typeof version !== 'string' || version === '') return inner;
  const metadata = { ...(inner.metadata as JsonObject), resourceVersion: '<list rv>' };
  return { ...inner, metadata };
}

interface Labels {
  apply(value: Json): Json;
}

function makeLabels(responses: readonly Json[], options: NormaliseOptions): Labels {
  const revisions = rankRevisions(responses);
  const uids = new Map<string, string>();
  // Values that the row itself contains are not assigned by the server: a server that stores a client's uid must show.
  const said = JSON.stringify(options.row);
  const generated = generatedNames(options.row, options.namespace);
  const names = new Map<string, string>();
  const assigned = { ip: new Map<string, string>(), port: new Map<string, string>() };
  const pick = (value: string, what: string): string =>
    said.includes(value) ? value : number(assigned[what === 'ip' ? 'ip' : 'port'], value, what);

  const text = (value: string): string => {
    let result = labelAssignedText(value.replaceAll(options.namespace, '<ns>'), pick);
    for (const [pattern, label] of PROGRAM_TEXTS) result = result.replace(pattern, label);
    for (const pattern of RESOURCE_VERSIONS_IN_TEXT) {
      result = result.replace(pattern, (_, before, digits) => before + revision(digits));
    }
    if (generated !== undefined) {
      result = result.replace(
        generated,
        (_, prefix, suffix) => prefix + number(names, suffix, 'generated'),
      );
    }
    result = result.replace(UUID, (uid) => (said.includes(uid) ? uid : number(uids, uid, 'uid')));
    result = result.replace(TIME, (time, fraction) => labelTime(time, fraction, options.now));
    return result.length > STRING_MAX ? elide(result) : result;
  };
  const revision = (digits: string): string => revisions.get(digits) ?? digits;

  const change = (value: Json, key: string | undefined): Json | undefined => {
    if (typeof value === 'number') return labelAssignedNumber(value, key, pick);
    if (typeof value !== 'string') return undefined;
    if (key === 'serverAddress') return '<address>';
    if (key === 'description') return value === '' ? value : '<prose>';
    if (key === 'resourceVersion' && revisions.has(value)) return revision(value);
    if (key === 'continue') return labelToken(value, { revision, text });
    if (key === 'token') return labelJwt(value, { now: options.now, text }) ?? text(value);
    return text(value);
  };
  return { apply: (value) => mapJson(value, change) };
}

function number(labels: Map<string, string>, value: string, what: string): string {
  const known = labels.get(value);
  if (known !== undefined) return known;
  const label = `<${what}:${labels.size + 1}>`;
  labels.set(value, label);
  return label;
}

/** Every resourceVersion of the row to its rank: order and equality stay, the numbers go. */
function rankRevisions(responses: readonly Json[]): Map<string, string> {
  const seen = new Set<string>();
  for (const reply of responses) collectRevisions(reply, undefined, seen);
  const sorted = [...seen].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  return new Map(sorted.map((digits, index) => [digits, `<rv:${index + 1}>`]));
}

function collectRevisions(value: Json, key: string | undefined, seen: Set<string>): void {
  if (isArray(value)) for (const item of value) collectRevisions(item, undefined, seen);
  else if (isObject(value)) {
    for (const [name, item] of sortedEntries(value)) collectRevisions(item, name, seen);
  } else if (typeof value === 'string') {
    for (const digits of revisionsIn(value, key)) if (/^[1-9]\d*$/.test(digits)) seen.add(digits);
  }
}

function revisionsIn(value: string, key: string | undefined): string[] {
  if (key === 'resourceVersion') return [value];
  if (key === 'continue') return [String(at(decodeToken(value), 'rv'))];
  return RESOURCE_VERSIONS_IN_TEXT.flatMap((pattern) =>
    [...value.matchAll(pattern)].map((match) => match[2] ?? ''),
  );
}

function decodeToken(token: string): Json | undefined {
  return parseJson(Buffer.from(token, 'base64url').toString('utf8'));
}

function labelToken(
  token: string,
  label: { revision: (digits: string) => string; text: (value: string) => string },
): string {
  const decoded = decodeToken(token);
  if (!isObject(decoded)) return token;
  const { rv, ...rest } = decoded;
  const content = { ...rest, ...(rv === undefined ? {} : { rv: label.revision(String(rv)) }) };
  return `<token ${label.text(JSON.stringify(Object.fromEntries(sortedEntries(content))))}>`;
}

/** Today's times are the server's; any other came from a client or is a bug. */
function labelTime(time: string, fraction: string | undefined, now: number): string {
  if (Math.abs(Date.parse(time) - now) > DAY_MS) return time;
  return fraction === undefined ? '<time>' : `<time with ${fraction.length - 1} digits>`;
}

/** Matches the prefixes that the row asks names for, each followed by a random suffix. */
function generatedNames(row: Row, namespace: string): RegExp | undefined {
  const prefixes = [...JSON.stringify(row).matchAll(/"generateName":"([^"]+)"/g)].map((match) =>
    (match[1] ?? '').replaceAll('{ns}', namespace).slice(0, 58),
  );
  if (prefixes.length === 0) return undefined;
  const either = [...new Set(prefixes)].map((prefix) =>
    prefix.replaceAll(namespace, '<ns>').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`(${either.join('|')})(${SUFFIX})\\b`, 'g');
}

/** Long texts stay comparable without filling the golden files. */
function elide(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${text.slice(0, 80)}<… ${text.length} characters, sha256 ${digest}>`;
}
