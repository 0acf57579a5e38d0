/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  HorizontalPodAutoscaler: 'Changes how many replicas something has, by what its pods use.',
  HorizontalPodAutoscalerSpec: 'What is scaled, between which bounds, and by what.',
  'HorizontalPodAutoscalerSpec.scaleTargetRef': 'What is scaled.',
  'HorizontalPodAutoscalerSpec.minReplicas': 'The fewest replicas, 1 unless it is said.',
  'HorizontalPodAutoscalerSpec.maxReplicas': 'The most replicas, no fewer than the least.',
  'HorizontalPodAutoscalerSpec.targetCPUUtilizationPercentage':
    'How much of the processor time that they request the pods should use on average, in percent.',
  HorizontalPodAutoscalerStatus: 'What was last measured and decided. A controller writes it.',
  'HorizontalPodAutoscalerStatus.observedGeneration': 'The generation that was looked at.',
  'HorizontalPodAutoscalerStatus.lastScaleTime': 'When the number of replicas was last changed.',
  'HorizontalPodAutoscalerStatus.currentReplicas': 'How many replicas there were.',
  'HorizontalPodAutoscalerStatus.desiredReplicas': 'How many replicas there should be.',
  'HorizontalPodAutoscalerStatus.currentCPUUtilizationPercentage':
    'How much of the processor time that they request the pods use on average, in percent.',
  Scale: 'How many replicas something has, whatever it is.',
  ScaleSpec: 'How many replicas are wanted.',
  'ScaleSpec.replicas': 'How many replicas are wanted.',
  ScaleStatus: 'How many replicas there are.',
  'ScaleStatus.replicas': 'How many replicas there are.',
  'ScaleStatus.selector': 'Labels of the replicas, as text for a query.',
  CrossVersionObjectReference: 'An object in the same namespace.',
  'CrossVersionObjectReference.kind': 'Its kind.',
  'CrossVersionObjectReference.name': 'Its name.',
  'CrossVersionObjectReference.apiVersion': 'Group and version in which it is read.',
});
