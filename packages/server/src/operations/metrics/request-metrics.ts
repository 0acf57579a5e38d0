import type { ApiRequest } from '../../request/pipeline.ts';
import {
  CounterFamily,
  exponentialBuckets,
  GaugeFamily,
  type Histogram,
  HistogramFamily,
  type Value,
} from './family.ts';
import type { MetricsRegistry } from './registry.ts';
import { type RequestLabels, requestLabels } from './request-labels.ts';

const WITHOUT_DRY_RUN = [
  'verb',
  'group',
  'version',
  'resource',
  'subresource',
  'scope',
  'component',
];
const WITH_DRY_RUN = ['verb', 'dry_run', ...WITHOUT_DRY_RUN.slice(1)];
const SLI_BUCKETS = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const LATENCY_BUCKETS = [0.005, 0.025, ...SLI_BUCKETS];

/** The series of one set of labels, looked up once. */
interface RequestSeries {
  readonly total: Value;
  readonly duration: Histogram;
  /** Absent for a dry run. */
  readonly sli: Histogram | undefined;
  /** Present for reads. */
  readonly sizes: Histogram | undefined;
}

/** A request with a complete response, or whose stream has ended. */
export interface FinishedRequest {
  readonly code: number;
  readonly bytes: number;
  readonly tookMs: number;
  /** The part of it spent in queues. */
  readonly waitedMs: number;
  readonly wasAborted: boolean;
}

interface CachedSeries {
  readonly labels: RequestLabels;
  readonly code: number;
  readonly series: RequestSeries;
}

export interface WatchSeries {
  readonly longRunning: Value;
  readonly events: Value;
  readonly sizes: Histogram;
}

/** Cached sets of labels; when there are more, the cache starts over, which costs a lookup each. */
const FIGURES_MAX = 2_000;

export interface RequestMetrics {
  finished(request: ApiRequest, finished: FinishedRequest): void;
  watch(request: ApiRequest): WatchSeries;
  /** Removes the series of a resource that is no longer served from every family of the registry. */
  forget(group: string, resource: string): void;
}

/** `isServed` recognizes served resources: requests for arbitrary paths get no labels. */
export function requestMetrics(
  registry: MetricsRegistry,
  isServed: (request: ApiRequest) => boolean,
): RequestMetrics {
  const families = requestFamilies(registry);
  // By resource, and then by comparing its few sets, so that no request builds a key.
  const cached = new Map<string, CachedSeries[]>();
  let count = 0;

  function figuresOf(request: ApiRequest, code: number): RequestSeries {
    const labels = requestLabels(request);
    const ofResource = cached.get(labels.resource);
    const known = ofResource?.find((one) => one.code === code && isSame(one.labels, labels));
    if (known !== undefined) return known.series;
    const series = lookUp(families, labels, code);
    if (count >= FIGURES_MAX) {
      cached.clear();
      count = 0;
    }
    count += 1;
    const others = cached.get(labels.resource) ?? [];
    cached.set(labels.resource, [...others, { labels, code, series }]);
    return series;
  }

  return {
    finished(request, { code, bytes, tookMs, waitedMs, wasAborted }) {
      if (!isServed(request)) return;
      const { total, duration, sli, sizes } = figuresOf(request, code);
      total.add();
      duration.observe(tookMs / 1000);
      sli?.observe((tookMs - waitedMs) / 1000);
      sizes?.observe(bytes);
      if (code === 429 || code === 503 || code === 504) {
        families.terminations.with(...labelValues(requestLabels(request)), String(code)).add();
      }
      if (wasAborted) {
        families.aborts.with(...labelValues(requestLabels(request)).slice(0, -1)).add();
      }
    },
    forget(group, resource) {
      registry.forget({ group, resource });
      count -= cached.get(resource)?.length ?? 0;
      cached.delete(resource);
    },
    watch(request) {
      const { group, version, resource } = request.info;
      return {
        longRunning: families.longRunning.with(...labelValues(requestLabels(request))),
        events: families.watchEvents.with(group, version, resource),
        sizes: families.watchEventSizes.with(group, version, resource),
      };
    },
  };
}

/** Component and resource are not compared: the first follows from the other labels, the second is the key. */
function isSame(one: RequestLabels, other: RequestLabels): boolean {
  return (
    one.verb === other.verb &&
    one.scope === other.scope &&
    one.version === other.version &&
    one.group === other.group &&
    one.subresource === other.subresource &&
    one.dryRun === other.dryRun
  );
}

type Families = ReturnType<typeof requestFamilies>;

function lookUp(families: Families, labels: RequestLabels, code: number): RequestSeries {
  const values = labelValues(labels);
  const dry = [labels.verb, labels.dryRun, ...values.slice(1)];
  const isRead = labels.verb === 'GET' || labels.verb === 'LIST';
  return {
    total: families.total.with(...dry, String(code)),
    duration: families.duration.with(...dry),
    sli: labels.dryRun === '' ? families.sli.with(...values) : undefined,
    sizes: isRead ? families.sizes.with(...values) : undefined,
  };
}

function labelValues(labels: RequestLabels): string[] {
  const { verb, group, version, resource, subresource, scope, component } = labels;
  return [verb, group, version, resource, subresource, scope, component];
}

function requestFamilies(registry: MetricsRegistry) {
  return {
    total: registry.add(
      new CounterFamily({
        name: 'apiserver_request_total',
        help: 'Requests by verb, resource, scope and response code',
        labelNames: [...WITH_DRY_RUN, 'code'],
      }),
    ),
    duration: registry.add(
      new HistogramFamily({
        name: 'apiserver_request_duration_seconds',
        help: 'Time until the response was computed; for a watch, until it ended',
        labelNames: WITH_DRY_RUN,
        buckets: LATENCY_BUCKETS,
      }),
    ),
    sli: registry.add(
      new HistogramFamily({
        name: 'apiserver_request_sli_duration_seconds',
        help: 'Request duration without the time in queues',
        labelNames: WITHOUT_DRY_RUN,
        buckets: SLI_BUCKETS,
      }),
    ),
    sizes: registry.add(
      new HistogramFamily({
        name: 'apiserver_response_sizes',
        help: 'Size of responses to GET and LIST in bytes, before compression',
        labelNames: WITHOUT_DRY_RUN,
        buckets: exponentialBuckets(1000, 10, 7),
      }),
    ),
    longRunning: registry.add(
      new GaugeFamily({
        name: 'apiserver_longrunning_requests',
        help: 'Open watches',
        labelNames: WITHOUT_DRY_RUN,
      }),
    ),
    terminations: registry.add(
      new CounterFamily({
        name: 'apiserver_request_terminations_total',
        help: 'Requests terminated in self-defense: in excess, timed out, or during shutdown',
        labelNames: [...WITHOUT_DRY_RUN, 'code'],
      }),
    ),
    aborts: registry.add(
      new CounterFamily({
        name: 'apiserver_request_aborts_total',
        help: 'Requests whose client disconnected before the response',
        labelNames: WITHOUT_DRY_RUN.slice(0, -1),
      }),
    ),
    watchEvents: registry.add(
      new CounterFamily({
        name: 'apiserver_watch_events_total',
        help: 'Watch events sent',
        labelNames: ['group', 'version', 'resource'],
      }),
    ),
    watchEventSizes: registry.add(
      new HistogramFamily({
        name: 'apiserver_watch_events_sizes',
        help: 'Size of watch events sent, in bytes',
        labelNames: ['group', 'version', 'resource'],
        buckets: exponentialBuckets(1024, 2, 8),
      }),
    ),
  };
}
