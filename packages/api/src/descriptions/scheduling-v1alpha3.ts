/** Descriptions for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  TopologyConstraint: 'A topology domain in which all pods of a group must be placed.',
  'TopologyConstraint.key': 'The node label whose value names the topology domain.',
  WorkloadPodGroupAllDisruptionMode: 'Pods of the group are disrupted only together.',
  WorkloadPodGroupBasicSchedulingPolicy: 'Pods of the group are scheduled one by one.',
  WorkloadPodGroupDisruptionMode:
    'How pods of the group may be disrupted, for example by preemption. Exactly one field is set.',
  'WorkloadPodGroupDisruptionMode.single': 'Each pod may be disrupted on its own.',
  'WorkloadPodGroupDisruptionMode.all': 'Pods are disrupted all together or not at all.',
  WorkloadPodGroupGangSchedulingPolicy: 'Pods of the group are scheduled all or nothing.',
  'WorkloadPodGroupGangSchedulingPolicy.minCount':
    'The number of pods that must be schedulable at the same time before any of them is placed.',
  WorkloadPodGroupResourceClaim:
    'A ResourceClaim shared by the pods of the group, named directly or made from a template.',
  'WorkloadPodGroupResourceClaim.name': 'The name of this claim within the group.',
  'WorkloadPodGroupResourceClaim.resourceClaimName':
    'The name of a ResourceClaim in the namespace of the pods.',
  'WorkloadPodGroupResourceClaim.resourceClaimTemplateName':
    'The name of a ResourceClaimTemplate from which a claim for the group is made.',
  WorkloadPodGroupSchedulingConstraints: 'Constraints on where the pods of the group are placed.',
  'WorkloadPodGroupSchedulingConstraints.topology':
    'Topology domains that the pods of the group must share.',
  WorkloadPodGroupSchedulingPolicy:
    'How the pods of the group are scheduled. Exactly one field is set.',
  'WorkloadPodGroupSchedulingPolicy.basic': 'Schedule pods one by one.',
  'WorkloadPodGroupSchedulingPolicy.gang': 'Schedule pods all or nothing.',
  WorkloadPodGroupSingleDisruptionMode: 'Pods of the group are disrupted one by one.',
});
