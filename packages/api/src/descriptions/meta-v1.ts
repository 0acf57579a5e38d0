/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  'TypeMeta.apiVersion': 'Group and version of this representation, such as "apps/v1".',
  'TypeMeta.kind': 'What the object is, in CamelCase.',
  ObjectMeta: 'Standard metadata.',
  ListMeta: 'Metadata of the list.',

  Condition: 'One observation about the state of an object.',
  'Condition.type': 'What was observed, in CamelCase.',
  'Condition.status': 'Whether it holds: True, False or Unknown.',
  'Condition.observedGeneration': 'The generation of the object that was looked at.',
  'Condition.lastTransitionTime': 'When the status last became another.',
  'Condition.reason': 'Why, as one word for programs.',
  'Condition.message': 'Why, as a sentence for people.',

  LabelSelector: 'Chooses objects by their labels. An empty one chooses all, a missing one none.',
  'LabelSelector.matchLabels': 'Labels that an object must have, each with this value.',
  'LabelSelector.matchExpressions': 'Further requirements. All of them must hold.',

  LabelSelectorRequirement: 'A requirement that the labels of an object must meet.',
  'LabelSelectorRequirement.key': 'The name of the label.',
  'LabelSelectorRequirement.operator': 'One of In, NotIn, Exists and DoesNotExist.',
  'LabelSelectorRequirement.values': 'Values for In and NotIn; empty with the other operators.',

  FieldSelectorRequirement: 'A requirement that a field of an object must meet.',
  'FieldSelectorRequirement.key': 'The path of the field.',
  'FieldSelectorRequirement.operator': 'One of In, NotIn, Exists and DoesNotExist.',
  'FieldSelectorRequirement.values': 'Values for In and NotIn; empty with the other operators.',
  DeleteOptions: 'How something is deleted.',
  'DeleteOptions.gracePeriodSeconds':
    'How long it may take to end by itself. 0: at once. Empty: as usual for the kind.',
  'DeleteOptions.preconditions': 'What must be so, or nothing is deleted.',
  'DeleteOptions.orphanDependents': 'The older way to say what becomes of dependents.',
  'DeleteOptions.propagationPolicy':
    'Orphan: dependents stay. Background: they go afterwards. Foreground: they go first.',
  'DeleteOptions.dryRun': 'All: everything is checked and nothing is deleted.',
  'DeleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential':
    'Whether it is deleted although it cannot be read. Nobody hears of it then.',
  Preconditions: 'What must be so of an object.',
  'Preconditions.uid': 'Its uid.',
  'Preconditions.resourceVersion': 'Its resourceVersion.',
});
