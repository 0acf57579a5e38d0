/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  HorizontalPodAutoscaler: 'Changes how many replicas something has, by what is measured.',
  'HorizontalPodAutoscaler.spec': 'What is scaled, between which bounds, by what and how fast.',
  'HorizontalPodAutoscaler.status': 'What was last measured and decided. A controller writes it.',

  HorizontalPodAutoscalerSpec: 'What is scaled, between which bounds, by what and how fast.',
  'HorizontalPodAutoscalerSpec.scaleTargetRef':
    'What is scaled: anything with a scale subresource, such as a Deployment.',
  'HorizontalPodAutoscalerSpec.minReplicas':
    'The fewest replicas, 1 unless it is said. 0 needs the alpha feature HPAScaleToZero and an Object or External metric.',
  'HorizontalPodAutoscalerSpec.maxReplicas':
    'The most replicas, at least 1 and no fewer than minReplicas.',
  'HorizontalPodAutoscalerSpec.metrics':
    'What is measured; the metric that asks for most replicas counts. Empty: 80% of the requested cpu.',
  'HorizontalPodAutoscalerSpec.behavior':
    'How fast the number changes. Empty: as fast as the defaults of scaleUp and scaleDown allow.',

  HorizontalPodAutoscalerStatus: 'What was last measured and decided. A controller writes it.',
  'HorizontalPodAutoscalerStatus.observedGeneration': 'The generation that was looked at.',
  'HorizontalPodAutoscalerStatus.lastScaleTime': 'When the number of replicas was last changed.',
  'HorizontalPodAutoscalerStatus.currentReplicas': 'How many replicas there were.',
  'HorizontalPodAutoscalerStatus.desiredReplicas': 'How many replicas there should be.',
  'HorizontalPodAutoscalerStatus.currentMetrics': 'What the metrics were when they were last read.',
  'HorizontalPodAutoscalerStatus.conditions':
    'Whether it can scale, and whether a bound holds it back.',

  HorizontalPodAutoscalerCondition: 'One thing that is known of an autoscaler.',
  'HorizontalPodAutoscalerCondition.type':
    'AbleToScale, ScalingActive, ScalingLimited (by a bound) or ScaledToZero.',
  'HorizontalPodAutoscalerCondition.status': 'True, False or Unknown.',
  'HorizontalPodAutoscalerCondition.lastTransitionTime': 'When the status last became another one.',
  'HorizontalPodAutoscalerCondition.reason': 'Why, in one word for programs.',
  'HorizontalPodAutoscalerCondition.message': 'Why, for people.',

  CrossVersionObjectReference: 'An object in the same namespace.',
  'CrossVersionObjectReference.kind': 'Its kind, such as Deployment.',
  'CrossVersionObjectReference.name': 'Its name.',
  'CrossVersionObjectReference.apiVersion': 'Its group and version, such as apps/v1.',

  MetricSpec: 'A metric to scale by, and its target.',
  'MetricSpec.type':
    'Resource, ContainerResource, Pods, Object or External; the field of that name must be set, and no other.',
  'MetricSpec.object': 'A metric of one object in the namespace, such as requests of an Ingress.',
  'MetricSpec.pods': 'A metric that each pod has, averaged over the pods.',
  'MetricSpec.resource': 'What whole pods use of cpu or memory, averaged over the pods.',
  'MetricSpec.containerResource':
    'What one container of each pod uses of cpu or memory, averaged over the pods.',
  'MetricSpec.external': 'A metric from outside the cluster, such as the length of a queue.',

  ObjectMetricSource: 'A metric of one object, and its target.',
  'ObjectMetricSource.describedObject': 'The object that has the metric.',
  'ObjectMetricSource.target': 'What it should be: Value, or AverageValue, which is per pod.',
  'ObjectMetricSource.metric': 'Which metric.',

  PodsMetricSource: 'A metric that each pod has, and its target.',
  'PodsMetricSource.metric': 'Which metric.',
  'PodsMetricSource.target': 'What its average over the pods should be, as AverageValue.',

  ResourceMetricSource: 'What pods use of a resource, and how much it should be.',
  'ResourceMetricSource.name': 'The resource, such as cpu or memory.',
  'ResourceMetricSource.target':
    'What it should be: Utilization, in percent of what pods request, or AverageValue.',

  ContainerResourceMetricSource:
    'What a container of each pod uses of a resource, and how much it should be.',
  'ContainerResourceMetricSource.name': 'The resource, such as cpu or memory.',
  'ContainerResourceMetricSource.target':
    'What it should be: Utilization, in percent of what the container requests, or AverageValue.',
  'ContainerResourceMetricSource.container': 'The name of the container.',

  ExternalMetricSource: 'A metric from outside the cluster, and its target.',
  'ExternalMetricSource.metric': 'Which metric.',
  'ExternalMetricSource.target': 'What it should be: Value, or AverageValue, which is per pod.',

  MetricIdentifier: 'A metric, by its name and labels.',
  'MetricIdentifier.name': 'The name of the metric.',
  'MetricIdentifier.selector':
    'Labels that narrow it down; the metrics server is asked with them. Empty: by the name alone.',

  MetricTarget: 'What a metric should be.',
  'MetricTarget.type': 'Utilization, Value or AverageValue: which of the other fields is set.',
  'MetricTarget.value': 'The whole value, greater than 0. For Object and External.',
  'MetricTarget.averageValue': 'The value per pod, greater than 0. For all sources.',
  'MetricTarget.averageUtilization':
    'The average use in percent of what is requested, at least 1. For Resource and ContainerResource.',

  HorizontalPodAutoscalerBehavior: 'How fast the number of replicas grows and shrinks.',
  'HorizontalPodAutoscalerBehavior.scaleUp':
    'How it grows. Empty: at once, by 4 pods or to twice as many in 15 seconds, whichever is more.',
  'HorizontalPodAutoscalerBehavior.scaleDown':
    'How it shrinks. Empty: in one step, to the most that was wanted in the last 300 seconds.',

  HPAScalingRules: 'How fast the number of replicas changes in one direction.',
  'HPAScalingRules.stabilizationWindowSeconds':
    'Looks back so long, 0 to 3600 seconds, and takes the smallest change. 0 when growing and 300 when shrinking, unless it is said.',
  'HPAScalingRules.selectPolicy':
    'Which policy counts: Max, the largest change (unless it is said), Min, or Disabled: never in this direction.',
  'HPAScalingRules.policies':
    'How much may change in which time. Empty: 4 pods or 100% in 15 seconds up, 100% in 15 seconds down.',
  'HPAScalingRules.tolerance':
    'By how much the metric may miss the target before anything changes, such as 0.05 for 5%. Empty: that of the cluster, usually 10%.',

  HPAScalingPolicy: 'How much may change in which time.',
  'HPAScalingPolicy.type': 'Pods: a number of pods. Percent: a part of the pods there were.',
  'HPAScalingPolicy.value': 'How many pods or percent, greater than 0.',
  'HPAScalingPolicy.periodSeconds': 'In which time, 1 to 1800 seconds.',

  MetricStatus: 'What a metric was when it was last read.',
  'MetricStatus.type': 'Resource, ContainerResource, Pods, Object or External: which field is set.',
  'MetricStatus.object': 'A metric of one object.',
  'MetricStatus.pods': 'A metric that each pod has, averaged over the pods.',
  'MetricStatus.resource': 'What whole pods use of cpu or memory, averaged over the pods.',
  'MetricStatus.containerResource':
    'What one container of each pod uses of cpu or memory, averaged over the pods.',
  'MetricStatus.external': 'A metric from outside the cluster.',

  ObjectMetricStatus: 'What a metric of one object was.',
  'ObjectMetricStatus.metric': 'Which metric.',
  'ObjectMetricStatus.current': 'What it was.',
  'ObjectMetricStatus.describedObject': 'The object that has the metric.',

  PodsMetricStatus: 'What a metric of pods was on average.',
  'PodsMetricStatus.metric': 'Which metric.',
  'PodsMetricStatus.current': 'What it was.',

  ResourceMetricStatus: 'What pods used of a resource.',
  'ResourceMetricStatus.name': 'The resource, such as cpu or memory.',
  'ResourceMetricStatus.current': 'What it was.',

  ContainerResourceMetricStatus: 'What a container of each pod used of a resource.',
  'ContainerResourceMetricStatus.name': 'The resource, such as cpu or memory.',
  'ContainerResourceMetricStatus.current': 'What it was.',
  'ContainerResourceMetricStatus.container': 'The name of the container.',

  ExternalMetricStatus: 'What a metric from outside the cluster was.',
  'ExternalMetricStatus.metric': 'Which metric.',
  'ExternalMetricStatus.current': 'What it was.',

  MetricValueStatus: 'What was measured.',
  'MetricValueStatus.value': 'The whole value.',
  'MetricValueStatus.averageValue': 'The value per pod.',
  'MetricValueStatus.averageUtilization': 'The average use, in percent of what is requested.',
  'HorizontalPodAutoscalerCondition.observedGeneration':
    'The generation of the object from which the condition was computed.',
});
