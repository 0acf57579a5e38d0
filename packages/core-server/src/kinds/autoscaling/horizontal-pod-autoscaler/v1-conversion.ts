/**
 * Converts autoscalers between autoscaling/v2 and v1, which has only a CPU target. Other fields are in annotations with
 * upstream's names, so that clients of v1 lose nothing.
 */

import type { HorizontalPodAutoscaler as V1 } from '@tributary/api/autoscaling-v1';
import type {
  HorizontalPodAutoscalerCondition as Condition,
  MetricSpec,
  MetricStatus,
  HorizontalPodAutoscaler as V2,
} from '@tributary/api/autoscaling-v2';
import type { ObjectMeta } from '@tributary/apimachinery';
import { listOf, parsed, recordOf, textOf } from './annotation-json.ts';
import { behaviorText, parseBehavior } from './v1-behavior.ts';
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from './v1-metrics.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const STATUSES = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;
/** Annotations for fields that v1 does not have. */
export const FIELD_ANNOTATIONS: readonly string[] = [METRICS, STATUSES, CONDITIONS, BEHAVIOR];

const CPU_PERCENT = 80;

type Content<Object extends { metadata: ObjectMeta }> = Omit<Object, 'apiVersion' | 'kind'>;

export function autoscalerToV1({ metadata, spec, status }: V2): Content<V1> {
  const { metrics = [], behavior, ...rest } = spec;
  const { currentMetrics, conditions = [], ...counted } = status;
  const percent = metrics.find(isProcessorShare)?.resource?.target.averageUtilization;
  const others = metrics.filter((metric) => !isProcessorShare(metric));
  const current = (currentMetrics ?? []).findLast(isProcessorStatus)?.resource?.current
    .averageUtilization;
  return {
    metadata: withFieldAnnotations(metadata, {
      [METRICS]: others.length > 0 ? JSON.stringify(others.map(metricToV1)) : undefined,
      [STATUSES]: currentMetrics?.length
        ? JSON.stringify(currentMetrics.map(metricStatusToV1))
        : undefined,
      [BEHAVIOR]: behavior && behaviorText(behavior),
      [CONDITIONS]: conditions.length > 0 ? JSON.stringify(conditions) : undefined,
    }),
    spec: { ...rest, ...(percent !== undefined && { targetCPUUtilizationPercentage: percent }) },
    status: {
      ...counted,
      currentReplicas: counted.currentReplicas ?? 0,
      ...(current !== undefined && { currentCPUUtilizationPercentage: current }),
    },
  };
}

/** An annotation that cannot be parsed is ignored. */
export function autoscalerFromV1({ metadata, spec, status }: V1): Content<V2> {
  const { annotations = {} } = metadata;
  const { targetCPUUtilizationPercentage: percent, ...rest } = spec;
  const { currentCPUUtilizationPercentage: current, ...counted } = status;
  const others = listOf(parsed(annotations[METRICS]), metricFromV1) ?? [];
  const statuses = listOf(parsed(annotations[STATUSES]), metricStatusFromV1);
  const conditions = listOf(parsed(annotations[CONDITIONS]), conditionOf);
  const behavior = parseBehavior(parsed(annotations[BEHAVIOR]));
  const metrics = [...others, ...(percent === undefined ? [] : [processorShare(percent)])];
  if (metrics.length === 0) metrics.push(defaultMetric());
  return {
    metadata: withFieldAnnotations(metadata, {}),
    spec: { ...rest, metrics, ...(behavior && { behavior }) },
    status: {
      ...counted,
      currentMetrics: statuses ?? (current === undefined ? null : [processorStatus(current)]),
      ...(conditions && { conditions }),
    },
  };
}

/** The default metric. */
export function defaultMetric(): MetricSpec {
  return processorShare(CPU_PERCENT);
}

/** The annotations with these values, without other values for fields of v2. */
function withFieldAnnotations(
  metadata: ObjectMeta,
  texts: Readonly<Record<string, string | undefined>>,
): ObjectMeta {
  const entries = [
    ...Object.entries(metadata.annotations ?? {}).filter(
      ([name]) => !FIELD_ANNOTATIONS.includes(name),
    ),
    ...Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ];
  const { annotations: _before, ...rest } = metadata;
  return entries.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(entries) };
}

function isProcessorShare({ type, resource }: MetricSpec): boolean {
  return (
    type === 'Resource' &&
    resource?.name === 'cpu' &&
    resource.target.averageUtilization !== undefined
  );
}

function isProcessorStatus({ type, resource }: MetricStatus): boolean {
  return (
    type === 'Resource' &&
    resource?.name === 'cpu' &&
    resource.current.averageUtilization !== undefined
  );
}

function processorShare(averageUtilization: number): MetricSpec {
  const target = { type: 'Utilization', averageUtilization };
  return { type: 'Resource', resource: { name: 'cpu', target } };
}

function processorStatus(averageUtilization: number): MetricStatus {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function conditionOf(value: unknown): Condition | undefined {
  const fields = recordOf(value);
  const [type, status] = [textOf(fields?.type), textOf(fields?.status)];
  if (fields === undefined || type === undefined || status === undefined) return undefined;
  const [reason, message] = [textOf(fields.reason), textOf(fields.message)];
  return {
    type,
    status,
    lastTransitionTime: textOf(fields.lastTransitionTime) ?? null,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
}
