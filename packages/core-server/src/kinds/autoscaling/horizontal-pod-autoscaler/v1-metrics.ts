/** Converts metrics between autoscaling/v2 and the annotations of v1. */
import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  CrossVersionObjectReference as Reference,
} from '@tributary/api/autoscaling-v2';
import { defined, quantityOf, recordOf, selectorFrom, textOf, wholeOf } from './annotation-json.ts';

type Fields = Readonly<Record<string, unknown>>;

export function metricToV1(spec: MetricSpec): Fields {
  const { type, object, pods, resource, containerResource, external } = spec;
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value ?? '0',
      ...defined({ selector: object.metric.selector, averageValue: object.target.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? '0',
      ...defined({ selector: pods.metric.selector }),
    },
    resource: resource && { name: resource.name, ...shareToV1(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...shareToV1(containerResource.target),
      container: containerResource.container,
    },
    external:
      external &&
      defined({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
  });
}

export function metricStatusToV1(status: MetricStatus): Fields {
  const { type, object, pods, resource, containerResource, external } = status;
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value ?? '0',
      ...defined({ selector: object.metric.selector, averageValue: object.current.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? '0',
      ...defined({ selector: pods.metric.selector }),
    },
    resource: resource && { name: resource.name, ...currentShare(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...currentShare(containerResource.current),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      ...defined({ metricSelector: external.metric.selector }),
      currentValue: external.current.value ?? '0',
      ...defined({ currentAverageValue: external.current.averageValue }),
    },
  });
}

export function metricFromV1(item: unknown): MetricSpec | undefined {
  const fields = recordOf(item);
  const type = textOf(fields?.type);
  if (fields === undefined || type === undefined) return undefined;
  return {
    type,
    ...defined({
      object: when(fields.object, (one) => ({
        describedObject: referenceOf(one.target),
        target: totalTarget(one.targetValue, one.averageValue),
        metric: metricOf(one.metricName, one.selector),
      })),
      pods: when(fields.pods, (one) => ({
        metric: metricOf(one.metricName, one.selector),
        target: totalTarget(undefined, one.targetAverageValue),
      })),
      resource: when(fields.resource, (one) => ({
        name: textOf(one.name) ?? '',
        target: shareTarget(one),
      })),
      containerResource: when(fields.containerResource, (one) => ({
        name: textOf(one.name) ?? '',
        target: shareTarget(one),
        container: textOf(one.container) ?? '',
      })),
      external: when(fields.external, (one) => ({
        metric: metricOf(one.metricName, one.metricSelector),
        target: totalTarget(one.targetValue, one.targetAverageValue),
      })),
    }),
  };
}

export function metricStatusFromV1(item: unknown): MetricStatus | undefined {
  const fields = recordOf(item);
  const type = textOf(fields?.type);
  if (fields === undefined || type === undefined) return undefined;
  return {
    type,
    ...defined({
      object: when(fields.object, (one) => ({
        metric: metricOf(one.metricName, one.selector),
        current: currentOf(one.currentValue, one.averageValue),
        describedObject: referenceOf(one.target),
      })),
      pods: when(fields.pods, (one) => ({
        metric: metricOf(one.metricName, one.selector),
        current: currentOf(undefined, one.currentAverageValue),
      })),
      resource: when(fields.resource, (one) => ({
        name: textOf(one.name) ?? '',
        current: shareOf(one),
      })),
      containerResource: when(fields.containerResource, (one) => ({
        name: textOf(one.name) ?? '',
        current: shareOf(one),
        container: textOf(one.container) ?? '',
      })),
      external: when(fields.external, (one) => ({
        metric: metricOf(one.metricName, one.metricSelector),
        current: currentOf(one.currentValue, one.currentAverageValue),
      })),
    }),
  };
}

function shareToV1(target: MetricTarget): Fields {
  return defined({
    targetAverageUtilization: target.averageUtilization,
    targetAverageValue: target.averageValue,
  });
}

function currentShare(current: MetricValueStatus): Fields {
  return {
    ...defined({ currentAverageUtilization: current.averageUtilization }),
    currentAverageValue: current.averageValue ?? '0',
  };
}

function when<Result>(value: unknown, read: (fields: Fields) => Result): Result | undefined {
  const fields = recordOf(value);
  return fields && read(fields);
}

function metricOf(name: unknown, selector: unknown): MetricIdentifier {
  return { name: textOf(name) ?? '', ...defined({ selector: selectorFrom(selector) }) };
}

function referenceOf(value: unknown): Reference {
  const fields = recordOf(value) ?? {};
  return {
    kind: textOf(fields.kind) ?? '',
    name: textOf(fields.name) ?? '',
    ...defined({ apiVersion: textOf(fields.apiVersion) }),
  };
}

/** v1 always writes the value, 0 where only the average is set. */
function totalTarget(value: unknown, average: unknown): MetricTarget {
  const [total, averageValue] = [quantityOf(value), quantityOf(average)];
  if (averageValue === undefined) return { type: 'Value', ...defined({ value: total }) };
  return {
    type: total === undefined || total === '0' ? 'AverageValue' : 'Value',
    ...defined({ value: total === '0' ? undefined : total }),
    averageValue,
  };
}

function shareTarget(fields: Fields): MetricTarget {
  const averageUtilization = wholeOf(fields.targetAverageUtilization);
  return {
    type: averageUtilization === undefined ? 'AverageValue' : 'Utilization',
    ...defined({ averageValue: quantityOf(fields.targetAverageValue), averageUtilization }),
  };
}

function currentOf(value: unknown, averageValue: unknown): MetricValueStatus {
  return defined({ value: quantityOf(value), averageValue: quantityOf(averageValue) });
}

function shareOf(fields: Fields): MetricValueStatus {
  return defined({
    averageValue: quantityOf(fields.currentAverageValue),
    averageUtilization: wholeOf(fields.currentAverageUtilization),
  });
}
