import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HorizontalPodAutoscaler as V1 } from '@tributary/api/autoscaling-v1';
import type {
  MetricSpec,
  MetricStatus,
  HorizontalPodAutoscaler as V2,
} from '@tributary/api/autoscaling-v2';
import { autoscalerFromV1, autoscalerToV1 } from './v1-conversion.ts';

const TYPE = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
const metric = { name: 'requests', selector: { matchLabels: { app: 'a' } } };
const cpu: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
};

const scaler = (spec: object = {}, status: object = {}): V2 => ({
  ...TYPE,
  metadata: { name: 'a', annotations: { mine: 'x' } },
  spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, metrics: [cpu], ...spec },
  status: { currentReplicas: 2, desiredReplicas: 3, currentMetrics: null, ...status },
});

describe('fields of v2 survive a read and write in v1', () => {
  const metrics: MetricSpec[] = [
    {
      type: 'Object',
      object: { describedObject: target, metric, target: { type: 'Value', value: '5' } },
    },
    {
      type: 'Object',
      object: {
        describedObject: target,
        metric,
        target: { type: 'AverageValue', averageValue: '5' },
      },
    },
    { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '10m' } } },
    {
      type: 'Resource',
      resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
    },
    {
      type: 'ContainerResource',
      containerResource: {
        name: 'cpu',
        container: 'main',
        target: { type: 'Utilization', averageUtilization: 70 },
      },
    },
    { type: 'External', external: { metric, target: { type: 'Value', value: '7' } } },
    cpu,
  ];
  const currentMetrics: MetricStatus[] = [
    {
      type: 'Resource',
      resource: { name: 'cpu', current: { averageValue: '9m', averageUtilization: 3 } },
    },
    { type: 'Pods', pods: { metric, current: { averageValue: '4' } } },
    { type: 'External', external: { metric, current: { value: '8' } } },
    { type: 'Object', object: { metric, current: { value: '8' }, describedObject: target } },
  ];
  const cases: { name: string; object: V2 }[] = [
    { name: 'the share of processors', object: scaler() },
    { name: 'every kind of metric', object: scaler({ metrics }) },
    {
      name: 'how fast it acts',
      object: scaler({
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Max',
            policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }],
          },
          scaleDown: { selectPolicy: 'Disabled', tolerance: '100m' },
        },
      }),
    },
    { name: 'what was measured', object: scaler({}, { currentMetrics }) },
    {
      name: 'its conditions',
      object: scaler(
        {},
        {
          conditions: [
            { type: 'AbleToScale', status: 'True', lastTransitionTime: null, reason: 'Said' },
          ],
        },
      ),
    },
  ];
  for (const { name, object } of cases) {
    test(name, () => {
      const older = { ...TYPE, ...autoscalerToV1(object) } as V1;
      assert.deepEqual({ ...TYPE, ...autoscalerFromV1(older) }, object);
    });
  }
});

test('v1 has the CPU target in a field and other metrics in annotations', () => {
  const { spec, metadata } = autoscalerToV1(
    scaler({ behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } }),
  );
  assert.equal(spec.targetCPUUtilizationPercentage, 60);
  assert.deepEqual(metadata.annotations, {
    mine: 'x',
    'autoscaling.alpha.kubernetes.io/behavior':
      '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":null,"Policies":null,"Tolerance":null}}',
  });
});

describe('an invalid annotation is ignored', () => {
  const texts = ['{', '7', '{}', '[7]', '[{"type":7}]', 'null', '[{"type":"Pods"},null]'];
  for (const text of texts) {
    test(text, () => {
      const { metadata, spec, status } = autoscalerToV1(scaler());
      const names = ['metrics', 'current-metrics', 'conditions', 'behavior'];
      const annotations = Object.fromEntries(
        names.map((name) => [`autoscaling.alpha.kubernetes.io/${name}`, text]),
      );
      const read = autoscalerFromV1({
        ...TYPE,
        metadata: { ...metadata, annotations },
        spec,
        status,
      });
      assert.deepEqual(read.spec.metrics, [cpu]);
      assert.equal(read.spec.behavior, undefined);
      assert.equal(read.status.currentMetrics, null);
      assert.equal(read.metadata.annotations, undefined);
    });
  }
});

test('an autoscaler without metrics measures CPU', () => {
  const { metadata, spec, status } = autoscalerToV1(scaler({ metrics: [] }));
  const read = autoscalerFromV1({ ...TYPE, metadata, spec, status });
  assert.equal(read.spec.metrics?.[0]?.resource?.target.averageUtilization, 80);
});
