import { formatTime, methodNotAllowed } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { parseAccept, textResponse } from '@tributary/server/request';
import type { Route } from '@tributary/server/routing';
import type { Registration } from '../api-services/registration.ts';
import type { Availability } from '../availability/availability.ts';
import type { Registrations } from '../registrations/registrations.ts';

export const apiServicesHealthPath = '/healthz/apiservices';

export interface ApiServicesHealthOptions {
  readonly registrations: Pick<Registrations, 'current'>;
  readonly availability: Pick<Availability, 'stateOf'>;
}

/** One registration of the JSON document. */
export interface ApiServiceHealth {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly available: boolean;
  /** Also `Unknown` before the first probe. */
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** The time of the last status change; absent before the first probe. */
  readonly since?: string;
  /** The last response of its backend; absent: never, or served by this process. */
  readonly lastSuccess?: string;
}

/**
 * Whether all backends are available: 200, or 503. Reads memory only; never a part of this server's own health, which
 * does not depend on backends.
 */
export function apiServicesHealthRoute(options: ApiServicesHealthOptions): Route {
  return (request) => {
    if (request.path !== apiServicesHealthPath) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    const all = options.registrations.current.all
      .map((registration) => healthOf(registration, options.availability))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return wantsJson(request) ? jsonHealth(all) : textHealth(all, request.query.has('verbose'));
  };
}

function healthOf(
  { name, group, version }: Registration,
  availability: Pick<Availability, 'stateOf'>,
): ApiServiceHealth {
  const state = availability.stateOf(name);
  const place = { name, group, version };
  if (state === undefined) return { ...place, ...NOTHING_KNOWN };
  const { status, reason, message, sinceMs, lastSuccessMs } = state;
  return {
    ...place,
    available: status === 'True',
    status,
    reason,
    message,
    since: formatTime(sinceMs),
    ...(lastSuccessMs !== undefined && { lastSuccess: formatTime(lastSuccessMs) }),
  };
}

const NOTHING_KNOWN = {
  available: false,
  status: 'Unknown',
  reason: 'NotChecked',
  message: 'its server was not asked yet',
} as const;

/** Text is the default, for people and probes. */
function wantsJson({ headers }: ApiRequest): boolean {
  const [first] = parseAccept(headers.joined('accept'));
  return first?.mediaType === 'application/json';
}

function jsonHealth(all: readonly ApiServiceHealth[]): ApiResponse {
  const available = isAllAvailable(all);
  const bytes = Buffer.from(`${JSON.stringify({ available, apiServices: all })}\n`);
  const contentType = 'application/json';
  return { kind: 'bytes', code: codeOf(available), contentType, chunks: [bytes] };
}

function textHealth(all: readonly ApiServiceHealth[], isVerbose: boolean): ApiResponse {
  const available = isAllAvailable(all);
  if (available && !isVerbose) return textResponse(200, 'ok');
  const end = `apiservices check ${available ? 'passed' : 'failed'}`;
  return textResponse(codeOf(available), [...all.map(lineOf), end, ''].join('\n'));
}

function lineOf(health: ApiServiceHealth): string {
  const { name, available, reason, message, since, lastSuccess } = health;
  if (available) return `[+]${name} ok`;
  const times = [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(lastSuccess === undefined ? [] : [`last success ${lastSuccess}`]),
  ];
  const when = times.length === 0 ? '' : ` (${times.join(', ')})`;
  // Keeps a message with line breaks on one line.
  return `[-]${name} failed: ${reason}: ${message.replace(/\s+/g, ' ')}${when}`;
}

function isAllAvailable(all: readonly ApiServiceHealth[]): boolean {
  return all.every(({ available }) => available);
}

function codeOf(available: boolean): number {
  return available ? 200 : 503;
}
