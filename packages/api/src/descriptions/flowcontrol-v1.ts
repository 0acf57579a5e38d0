/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  FlowSchema:
    'Requests that belong together: who sends them, what they want, and how important they are.',
  FlowSchemaSpec: 'Which requests they are, and their priority level.',
  'FlowSchemaSpec.priorityLevelConfiguration': 'The priority level of the requests.',
  'FlowSchemaSpec.matchingPrecedence':
    'A request belongs to the schema with the lowest number of those that match it: 1 to 10000, 1000 when it is not said.',
  'FlowSchemaSpec.distinguisherMethod':
    'What tells flows of the schema apart. All its requests are one flow when it is not said.',
  'FlowSchemaSpec.rules': 'A request matches when one of these does.',
  FlowSchemaStatus: 'What the server found out about the schema.',
  'FlowSchemaStatus.conditions': 'How the schema is now.',
  FlowSchemaCondition: 'One thing that is so, or is not.',
  'FlowSchemaCondition.type': 'What it is about, such as Dangling: the priority level is missing.',
  'FlowSchemaCondition.status': 'Whether it is so: True, False or Unknown.',
  'FlowSchemaCondition.lastTransitionTime': 'When that last changed.',
  'FlowSchemaCondition.reason': 'Why, in a word for programs.',
  'FlowSchemaCondition.message': 'Why, in words for people.',
  FlowDistinguisherMethod: 'How flows are told apart.',
  'FlowDistinguisherMethod.type': 'ByUser or ByNamespace.',
  PolicyRulesWithSubjects: 'Somebody, and what they want.',
  'PolicyRulesWithSubjects.subjects': 'Who sends the request: one of these.',
  'PolicyRulesWithSubjects.resourceRules': 'Requests for resources that match.',
  'PolicyRulesWithSubjects.nonResourceRules': 'Requests for other paths that match.',
  Subject: 'Users, by name, by group or by service account.',
  'Subject.kind': 'User, Group or ServiceAccount.',
  'Subject.user': 'A user, when the kind is User.',
  'Subject.group': 'A group, when the kind is Group.',
  'Subject.serviceAccount': 'A service account, when the kind is ServiceAccount.',
  UserSubject: 'A user.',
  'UserSubject.name': 'The name; * is everybody.',
  GroupSubject: 'The users of a group.',
  'GroupSubject.name': 'The name; * is every group.',
  ServiceAccountSubject: 'A service account, or all of a namespace.',
  'ServiceAccountSubject.namespace': 'The namespace it is in.',
  'ServiceAccountSubject.name': 'The name; * is every one of the namespace.',
  ResourcePolicyRule: 'Requests for resources: all of its lists must match.',
  'ResourcePolicyRule.verbs': 'Verbs; * alone is every one.',
  'ResourcePolicyRule.apiGroups': 'API groups; * alone is every one.',
  'ResourcePolicyRule.resources':
    'Resources, or their subresources as resource/subresource; * alone is everything.',
  'ResourcePolicyRule.clusterScope': 'Whether requests that name no namespace match.',
  'ResourcePolicyRule.namespaces':
    'Namespaces; * alone is every one. May be empty when requests without a namespace match.',
  NonResourcePolicyRule: 'Requests for paths that are no resources.',
  'NonResourcePolicyRule.verbs': 'Verbs; * alone is every one.',
  'NonResourcePolicyRule.nonResourceURLs':
    'Paths, such as /healthz or /metrics/*; * alone is every one.',
  PriorityLevelConfigurationReference: 'A priority level.',
  'PriorityLevelConfigurationReference.name': 'Its name.',
  PriorityLevelConfiguration:
    'How many requests of a level are served at once, and what becomes of others.',
  PriorityLevelConfigurationSpec: 'Whether the level is limited, and how.',
  'PriorityLevelConfigurationSpec.type': 'Limited or Exempt.',
  'PriorityLevelConfigurationSpec.limited': 'The limits, when the type is Limited.',
  'PriorityLevelConfigurationSpec.exempt':
    'What an exempt level has and lends, when the type is Exempt.',
  PriorityLevelConfigurationStatus: 'What the server found out about the level.',
  'PriorityLevelConfigurationStatus.conditions': 'How the level is now.',
  PriorityLevelConfigurationCondition: 'One thing that is so, or is not.',
  'PriorityLevelConfigurationCondition.type': 'What it is about.',
  'PriorityLevelConfigurationCondition.status': 'Whether it is so: True, False or Unknown.',
  'PriorityLevelConfigurationCondition.lastTransitionTime': 'When that last changed.',
  'PriorityLevelConfigurationCondition.reason': 'Why, in a word for programs.',
  'PriorityLevelConfigurationCondition.message': 'Why, in words for people.',
  LimitedPriorityLevelConfiguration: 'The limits of a level.',
  'LimitedPriorityLevelConfiguration.nominalConcurrencyShares':
    'Its part of all seats, against the parts of the other levels. 30 when it is not said.',
  'LimitedPriorityLevelConfiguration.limitResponse':
    'What becomes of requests that there is no seat for.',
  'LimitedPriorityLevelConfiguration.lendablePercent':
    'How much of its seats others may use while it does not: 0 to 100.',
  'LimitedPriorityLevelConfiguration.borrowingLimitPercent':
    'How many seats of others it may use, as a part of its own. As many as there are when it is not said.',
  ExemptPriorityLevelConfiguration: 'What a level without limits has and lends.',
  'ExemptPriorityLevelConfiguration.nominalConcurrencyShares':
    'Its part of all seats. 0 when it is not said.',
  'ExemptPriorityLevelConfiguration.lendablePercent': 'How much of that others may use: 0 to 100.',
  LimitResponse: 'Whether requests wait or are turned away.',
  'LimitResponse.type': 'Queue or Reject.',
  'LimitResponse.queuing': 'The queues, when the type is Queue.',
  QueuingConfiguration: 'Queues in which flows wait.',
  'QueuingConfiguration.queues': 'How many there are. 64 when it is not said.',
  'QueuingConfiguration.handSize': 'In how many of them one flow may wait. 8 when it is not said.',
  'QueuingConfiguration.queueLengthLimit':
    'How many requests wait in one; more are turned away. 50 when it is not said.',
});
