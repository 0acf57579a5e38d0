import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from '@tributary/api/autoscaling-v1';
import {
  HorizontalPodAutoscaler,
  type HorizontalPodAutoscalerSpec,
  type HPAScalingRules,
  type MetricSpec,
  type MetricStatus,
} from '@tributary/api/autoscaling-v2';
import { declarative, type FieldError, fieldError, root } from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { column, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import {
  autoscalerFromV1,
  autoscalerToV1,
  defaultMetric,
  FIELD_ANNOTATIONS,
} from './v1-conversion.ts';

const SPEC = root('spec');
const METRICS_SHOWN = 2;
const PERIOD_SECONDS = 15;
const METRIC_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
/** Metrics that exist without running pods. */
const TYPES_WITHOUT_PODS = ['External', 'Object'];
const NOTHING_TO_MEASURE =
  'must specify at least one Object or External metric to support scaling to zero replicas';

const COLUMNS: readonly ColumnInput<HorizontalPodAutoscaler>[] = [
  column(
    'Reference',
    'The scaled object',
    ({ spec: { scaleTargetRef } }) => `${scaleTargetRef.kind}/${scaleTargetRef.name}`,
  ),
  column('Targets', 'The current and target values of the metrics', ({ spec, status }) =>
    metricsText(spec.metrics ?? [], status.currentMetrics ?? []),
  ),
  column('MinPods', 'The least number of pods', ({ spec }) =>
    String(spec.minReplicas ?? '<unset>'),
  ),
  column('MaxPods', 'The greatest number of pods', ({ spec }) => spec.maxReplicas),
  column('Replicas', 'The number of pods', ({ status }) => status.currentReplicas ?? 0),
];

/** Upstream's columns are those of the storage version in both versions. */
const v1 = version({
  typed: HorizontalPodAutoscalerV1,
  columns: tableColumns<HorizontalPodAutoscalerV1>({ columns: COLUMNS.map(ofV1) }),
  versionAnnotations: FIELD_ANNOTATIONS,
  applyDefaults: ({ spec }) => {
    spec.minReplicas ??= 1;
  },
});

const v2 = version({
  typed: HorizontalPodAutoscaler,
  columns: tableColumns<HorizontalPodAutoscaler>({ columns: COLUMNS }),
  applyDefaults: ({ spec }) => defaultAutoscaler(spec),
  ...validationHooks<HorizontalPodAutoscaler>({
    hasStatus: true,
    validate: ({ spec }) => validateAutoscaler(spec),
    validateStatusUpdate: ({ status }) => [
      ...notNegative(root('status').child('currentReplicas'), status.currentReplicas),
      ...notNegative(root('status').child('desiredReplicas'), status.desiredReplicas),
    ],
  }),
});

export const horizontalPodAutoscalerKind = defineResource({
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  versions: { v1, v2 },
  storageVersion: 'v2',
  conversions: { v1: { toStorage: autoscalerFromV1, fromStorage: autoscalerToV1 } },
});

function ofV1({
  cell,
  ...column
}: ColumnInput<HorizontalPodAutoscaler>): ColumnInput<HorizontalPodAutoscalerV1> {
  return { ...column, cell: (object) => cell({ ...object, ...autoscalerFromV1(object) }) };
}

function defaultAutoscaler(spec: HorizontalPodAutoscalerSpec): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    spec.metrics = [defaultMetric()];
  }
  if (!spec.behavior) return;
  const percent = { type: 'Percent', value: 100, periodSeconds: PERIOD_SECONDS };
  const pods = { type: 'Pods', value: 4, periodSeconds: PERIOD_SECONDS };
  spec.behavior.scaleUp = withRules(spec.behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [pods, percent],
  });
  spec.behavior.scaleDown = withRules(spec.behavior.scaleDown, {
    selectPolicy: 'Max',
    policies: [percent],
  });
}

function withRules(rules: HPAScalingRules | undefined, standard: HPAScalingRules): HPAScalingRules {
  return { ...standard, ...rules };
}

function validateAutoscaler(spec: HorizontalPodAutoscalerSpec): FieldError[] {
  const { minReplicas = 0, maxReplicas, scaleTargetRef, metrics = [] } = spec;
  const target = SPEC.child('scaleTargetRef');
  const errors: FieldError[] = [];
  errors.push(...notNegative(SPEC.child('minReplicas'), minReplicas).map(declarative));
  const most = SPEC.child('maxReplicas');
  if (maxReplicas === 0) errors.push(declarative(fieldError.required(most)));
  if (maxReplicas < 0) {
    const detail = 'must be greater than or equal to 1';
    errors.push(declarative(fieldError.invalid(most, maxReplicas, detail)));
  }
  if (maxReplicas < minReplicas) {
    const detail = 'must be greater than or equal to `minReplicas`';
    errors.push(fieldError.invalid(most, maxReplicas, detail));
  }
  for (const field of ['kind', 'name'] as const) {
    if (!scaleTargetRef[field]) errors.push(fieldError.required(target.child(field)));
  }
  const { apiVersion = '' } = scaleTargetRef;
  if (!apiVersion.includes('/') && apiVersion !== 'v1') {
    const detail = 'apiVersion must specify API group';
    errors.push(fieldError.invalid(target.child('apiVersion'), apiVersion, detail));
  }
  return [...errors, ...validateMetrics(metrics, minReplicas)];
}

function validateMetrics(metrics: readonly MetricSpec[], minReplicas: number): FieldError[] {
  const path = SPEC.child('metrics');
  const errors = metrics.flatMap(({ type }, index) => {
    if (METRIC_TYPES.includes(type)) return [];
    const fieldPath = path.index(index).child('type');
    return [
      ...(type === '' ? [fieldError.required(fieldPath, 'must specify a metric source type')] : []),
      fieldError.notSupported(fieldPath, type, METRIC_TYPES),
    ];
  });
  if (minReplicas === 0 && !metrics.some(({ type }) => TYPES_WITHOUT_PODS.includes(type))) {
    errors.push(fieldError.forbidden(path, NOTHING_TO_MEASURE));
  }
  return errors;
}

function metricsText(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return '<none>';
  const all = specs.map((spec, index) => metricText(spec, statuses[index]));
  const more = all.length - METRICS_SHOWN;
  const shown = all.slice(0, METRICS_SHOWN).join(', ');
  return more > 0 ? `${shown} + ${more} more...` : shown;
}

const UNKNOWN = '<unknown>';

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return totalText(spec.external?.target, status?.external?.current);
    case 'Object':
      return totalText(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? UNKNOWN}/${spec.pods?.target.averageValue}`;
    case 'Resource':
      return namedText(spec.resource, status?.resource?.current);
    case 'ContainerResource':
      return namedText(spec.containerResource, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

interface Amounts {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

function totalText(target: Amounts | undefined, current: Amounts | undefined): string {
  return target?.averageValue === undefined
    ? `${current?.value ?? UNKNOWN}/${target?.value}`
    : `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
}

function namedText(
  source: { readonly name: string; readonly target: Amounts } | undefined,
  current: Amounts | undefined,
): string {
  const { averageValue, averageUtilization } = source?.target ?? {};
  if (averageValue !== undefined) {
    return `${source?.name}: ${current?.averageValue ?? UNKNOWN}/${averageValue}`;
  }
  const percent = (value: number | undefined, none: string) =>
    value === undefined ? none : `${value}%`;
  return `${source?.name}: ${percent(current?.averageUtilization, UNKNOWN)}/${percent(averageUtilization, '<auto>')}`;
}
