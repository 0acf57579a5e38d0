import { goQuote } from '@tributary/apimachinery';
import type { ApiResponse } from '../../request/pipeline.ts';
import { textResponse } from '../../request/respond.ts';
import type { Route } from '../../routing/router.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** A check of the health endpoints. */
export interface HealthCheck {
  readonly name: string;
  /** Checks of a group are excluded together, by its name. */
  readonly group?: string;
  readonly endpoints: readonly HealthEndpoint[];
  /** The failure, or undefined. */
  check(): Promise<string | undefined> | string | undefined;
}

const ENDPOINTS: ReadonlySet<string> = new Set<HealthEndpoint>(['healthz', 'livez', 'readyz']);

/** Liveness and readiness: as one word, per check with `verbose`, or one check by its path. */
export function healthRoute(
  checks: readonly HealthCheck[],
  /** Reasons are logged for the operator; responses only contain which checks fail. */
  reportFailure: (endpoint: HealthEndpoint, failures: readonly string[]) => void = () => {},
): Route {
  return ({ path, query }) => {
    const [, first = '', name, ...rest] = path.split('/');
    if (!ENDPOINTS.has(first)) return undefined;
    const endpoint = first as HealthEndpoint;
    const own = checks.filter(({ endpoints }) => endpoints.includes(endpoint));
    if (name === undefined || name === '') {
      if (rest.length > 0) return undefined;
      return runAll(endpoint, own, query, reportFailure);
    }
    const wanted = [name, ...rest].join('/');
    const check = own.find((one) => one.name === wanted);
    return check === undefined ? undefined : runOne(check);
  };
}

async function runAll(
  endpoint: HealthEndpoint,
  checks: readonly HealthCheck[],
  query: URLSearchParams,
  reportFailure: (endpoint: HealthEndpoint, failures: readonly string[]) => void,
): Promise<ApiResponse> {
  const excluded = new Set(query.getAll('exclude'));
  const unknown = new Set(excluded);
  const failures: string[] = [];
  const lines: string[] = [];
  for (const check of checks) {
    const exclusion = exclusionOf(check, excluded);
    if (exclusion !== undefined) {
      unknown.delete(exclusion.by);
      lines.push(`[+]${check.name} ${exclusion.text}: ok`);
      continue;
    }
    const failure = await failureOf(check);
    if (failure !== undefined) failures.push(`${check.name}: ${failure}`);
    lines.push(
      failure === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`,
    );
  }
  if (unknown.size > 0) {
    const names = [...unknown].sort().map(goQuote).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  if (failures.length > 0) {
    reportFailure(endpoint, failures);
    return textResponse(500, `${[...lines, `${endpoint} check failed`].join('\n')}\n`);
  }
  if (!query.has('verbose')) return textResponse(200, 'ok');
  return textResponse(200, [...lines, `${endpoint} check passed`, ''].join('\n'));
}

function exclusionOf({ name, group }: HealthCheck, excluded: ReadonlySet<string>) {
  if (excluded.has(name)) return { by: name, text: 'excluded' };
  if (group === undefined || !excluded.has(group)) return undefined;
  return { by: group, text: `excluded with ${group}` };
}

async function runOne(check: HealthCheck): Promise<ApiResponse> {
  const failure = await failureOf(check);
  if (failure !== undefined) return textResponse(500, `internal server error: ${failure}\n`);
  const contentType = 'text/plain; charset=utf-8';
  return { kind: 'bytes', code: 200, contentType, chunks: [Buffer.from('ok')] };
}

async function failureOf(check: HealthCheck): Promise<string | undefined> {
  try {
    return await check.check();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
