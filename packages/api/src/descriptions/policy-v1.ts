/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  Eviction: 'Asks that a pod leaves, as far as budgets allow.',
  'Eviction.deleteOptions': 'How the pod is deleted.',
  PodDisruptionBudget: 'How many of some pods may be missing at once because somebody wants it so.',
  PodDisruptionBudgetSpec: 'Which pods are meant, and how many of them must stay.',
  'PodDisruptionBudgetSpec.minAvailable':
    'So many must be left after an eviction, as a number or in percent. Not together with maxUnavailable.',
  'PodDisruptionBudgetSpec.maxUnavailable':
    'So many may be missing after an eviction, as a number or in percent. Not together with minAvailable.',
  'PodDisruptionBudgetSpec.selector':
    'Labels of the pods. An empty selector means all pods of the namespace, none means no pod.',
  'PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy':
    'IfHealthyBudget, or AlwaysAllow: when pods that are not ready may be evicted.',
  PodDisruptionBudgetStatus:
    'How many pods there are and how many may leave. A controller writes it.',
  'PodDisruptionBudgetStatus.observedGeneration':
    'The generation of the budget that was counted for.',
  'PodDisruptionBudgetStatus.disruptedPods':
    'Pods whose eviction was allowed and that are not gone yet, and since when.',
  'PodDisruptionBudgetStatus.disruptionsAllowed': 'How many pods may leave now.',
  'PodDisruptionBudgetStatus.currentHealthy': 'How many pods are well.',
  'PodDisruptionBudgetStatus.desiredHealthy': 'How many pods must be well.',
  'PodDisruptionBudgetStatus.expectedPods': 'How many pods there should be.',
  'PodDisruptionBudgetStatus.conditions': 'What is known of the budget, such as DisruptionAllowed.',
});
