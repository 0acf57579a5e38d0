import type { Authentication } from '../../request/authenticator.ts';
import type { AuthorizationResult } from '../../request/authorizer.ts';
import {
  CounterFamily,
  exponentialBuckets,
  type Histogram,
  HistogramFamily,
  type Value,
} from './family.ts';
import type { MetricsRegistry } from './registry.ts';

export interface AccessMetrics {
  authenticated(result: Authentication, tookMs: number): void;
  authorized(result: AuthorizationResult, tookMs: number): void;
  certificateExpiry(secondsLeft: number): void;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const LATENCY_BUCKETS = exponentialBuckets(0.001, 2, 15);
const EXPIRY_BUCKETS = [
  ...[0, HOUR / 2, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY],
  ...[30 * DAY, 90 * DAY, 180 * DAY, 360 * DAY],
];
const RESULTS = { authenticated: 'success', 'no-opinion': 'failure', rejected: 'error' } as const;
/** Well-known usernames; others would make an unbounded number of series. */
const KNOWN_USERS = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Metrics of authentication and authorization. */
export function accessMetrics(registry: MetricsRegistry): AccessMetrics {
  const users = registry.add(
    new CounterFamily({
      name: 'authenticated_user_requests',
      help: 'Authenticated requests, by well-known or generic username',
      labelNames: ['username'],
    }),
  );
  const authentication = attempts(registry, {
    counter: 'authentication_attempts',
    histogram: 'authentication_duration_seconds',
    topic: 'authentication',
  });
  const authorization = attempts(registry, {
    counter: 'authorization_attempts_total',
    histogram: 'authorization_duration_seconds',
    topic: 'authorization',
  });
  const expiry = registry
    .add(
      new HistogramFamily({
        name: 'apiserver_client_certificate_expiration_seconds',
        help: 'Remaining lifetime of the client certificates of requests',
        buckets: EXPIRY_BUCKETS,
      }),
    )
    .with();
  return {
    authenticated(result, tookMs) {
      if (result.outcome === 'authenticated') users.with(kindOfName(result.user.name)).add();
      authentication(RESULTS[result.outcome], tookMs);
    },
    authorized: authorization,
    certificateExpiry: (secondsLeft) => expiry.observe(secondsLeft),
  };
}

function attempts(
  registry: MetricsRegistry,
  names: { counter: string; histogram: string; topic: string },
): (result: string, tookMs: number) => void {
  const labelNames = ['result'];
  const counts = registry.add(
    new CounterFamily({
      name: names.counter,
      help: `Attempts at ${names.topic}, by result`,
      labelNames,
    }),
  );
  const durations = registry.add(
    new HistogramFamily({
      name: names.histogram,
      help: `Duration of ${names.topic}, by result`,
      labelNames,
      buckets: LATENCY_BUCKETS,
    }),
  );
  const byResult = new Map<string, { count: Value; duration: Histogram }>();
  return (result, tookMs) => {
    let series = byResult.get(result);
    if (series === undefined) {
      series = { count: counts.with(result), duration: durations.with(result) };
      byResult.set(result, series);
    }
    series.count.add();
    series.duration.observe(tookMs / 1000);
  };
}

function kindOfName(name: string): string {
  if (KNOWN_USERS.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
