/** Labels for what a server picks from a pool or signs: cluster IPs, node ports, service account tokens. Pure. */
import { isObject, type Json, type JsonObject, mapJson, parseJson, sortedEntries } from './json.ts';

/** The pool of the targets; `10.0.0.0/24` itself is a setting and stays. */
const CLUSTER_IP = /\b10\.0\.0\.\d{1,3}\b(?!\/)/g;
const NODE_PORTS = { first: 30_000, last: 32_767 };
const NODE_PORT_KEYS: ReadonlySet<string> = new Set(['nodePort', 'healthCheckNodePort']);
/** Of a column of ports, as in `80:30123/TCP`. */
const NODE_PORT_IN_TEXT = /(?<=:)3[0-2]\d{3}(?=\/)/g;
const NUMERIC_CLAIMS: ReadonlySet<string> = new Set(['iat', 'nbf', 'exp', 'warnafter']);
/** A token that was issued longer ago was not issued just now. */
const ISSUED_SECONDS_MAX = 60;

export type Numbering = (value: string, what: string) => string;

export function labelAssignedText(text: string, number: Numbering): string {
  return text
    .replace(CLUSTER_IP, (address) => number(address, 'ip'))
    .replace(NODE_PORT_IN_TEXT, (port) => number(port, 'port'));
}

/** A label for a number that the server picked, or nothing when it is another number. */
export function labelAssignedNumber(
  value: number,
  key: string | undefined,
  number: Numbering,
): string | undefined {
  const picked = value >= NODE_PORTS.first && value <= NODE_PORTS.last;
  if (!picked || !NODE_PORT_KEYS.has(key ?? '')) return undefined;
  const label = number(String(value), 'port');
  return label === String(value) ? undefined : label; // One that the row chose stays a number.
}

/** The claims of a signed token, with times relative to the time of issue; undefined for another text. */
export function labelJwt(
  token: string,
  { now, text }: { now: number; text: (value: string) => string },
): string | undefined {
  const [header, claims, signature, ...more] = token.split('.');
  if (signature === undefined || signature === '' || more.length > 0) return undefined;
  const parts = [decodePart(header), decodePart(claims)];
  if (!isObject(parts[0]) || !isObject(parts[1])) return undefined;
  const content = {
    // The signing key is configured.
    header: mapJson(parts[0], (_, key) =>
      key === 'alg' || key === 'kid' ? `<${key}>` : undefined,
    ),
    claims: relativeTimes(parts[1], now),
  };
  return `<jwt ${text(JSON.stringify(sorted(content)))}>`;
}

function decodePart(part: string | undefined): Json | undefined {
  return parseJson(Buffer.from(part ?? '', 'base64url').toString('utf8'));
}

function relativeTimes(claims: JsonObject, now: number): Json {
  const issued = claims.iat;
  if (typeof issued !== 'number' || Math.abs(now / 1000 - issued) > ISSUED_SECONDS_MAX) {
    return claims;
  }
  return mapJson(claims, (value, key) => {
    if (typeof value !== 'number' || !NUMERIC_CLAIMS.has(key ?? '')) return undefined;
    return value === issued ? '<issued>' : `<issued${value < issued ? '' : '+'}${value - issued}>`;
  });
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(
    sortedEntries(value).map(([key, item]) => [key, isObject(item) ? sorted(item) : item]),
  );
}

/** Values for the labels, such that labelling gives them again. */
export function fillAssignedText(text: string): string {
  return text
    .replace(/<ip:(\d+)>/g, (_, index) => `10.0.0.${100 + Number(index)}`)
    .replace(/<port:(\d+)>/g, (_, index) => String(NODE_PORTS.first + Number(index)));
}

export function fillAssignedNumber(label: string, key: string | undefined): number | undefined {
  const index = /^<port:(\d+)>$/.exec(label)?.[1];
  if (index === undefined || !NODE_PORT_KEYS.has(key ?? '')) return undefined;
  return NODE_PORTS.first + Number(index);
}

/** A token whose label this is; `text` is the inside of the label, other labels filled. */
export function fillJwt(text: string, now: number): string {
  const issued = Math.floor(now / 1000);
  const content = parseJson(text) as { header: Json; claims: Json };
  const claims = mapJson(content.claims, (value) => {
    const offset = typeof value === 'string' ? /^<issued(?:\+?(-?\d+))?>$/.exec(value) : null;
    return offset === null ? undefined : issued + Number(offset[1] ?? 0);
  });
  const encode = (part: Json): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode(content.header)}.${encode(claims)}.c2lnbmF0dXJl`;
}
