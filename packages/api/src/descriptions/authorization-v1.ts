/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  SubjectAccessReview: 'Asks whether somebody may do something.',
  LocalSubjectAccessReview: 'Asks whether somebody may do something in one namespace.',
  SubjectAccessReviewSpec: 'Who wants to do what: something with a resource, or with a path.',
  'SubjectAccessReviewSpec.resourceAttributes': 'What should be done with a resource.',
  'SubjectAccessReviewSpec.nonResourceAttributes':
    'What should be done with a path that is no resource.',
  'SubjectAccessReviewSpec.user': 'The name of the user; may be left out when there are groups.',
  'SubjectAccessReviewSpec.groups': 'The groups of the user.',
  'SubjectAccessReviewSpec.extra': 'What else an authenticator says of the user.',
  'SubjectAccessReviewSpec.uid': 'The uid of the user.',

  SubjectAccessReviewStatus: 'Whether it is permitted.',
  'SubjectAccessReviewStatus.allowed': 'It is permitted.',
  'SubjectAccessReviewStatus.denied':
    'It is forbidden, whatever others say. Without either, nobody permits it.',
  'SubjectAccessReviewStatus.reason': 'Why, for people.',
  'SubjectAccessReviewStatus.evaluationError':
    'What went wrong while deciding; the decision may still hold.',

  SelfSubjectAccessReview: 'Asks whether the one who is asking may do something.',
  SelfSubjectAccessReviewSpec: 'What should be done: something with a resource, or with a path.',
  'SelfSubjectAccessReviewSpec.resourceAttributes': 'What should be done with a resource.',
  'SelfSubjectAccessReviewSpec.nonResourceAttributes':
    'What should be done with a path that is no resource.',

  ResourceAttributes: 'A request for a resource.',
  'ResourceAttributes.namespace':
    'The namespace; empty means all of them, or none for resources without.',
  'ResourceAttributes.verb':
    'What should be done: get, list, watch, create, update, patch, delete and others; * is every verb.',
  'ResourceAttributes.group': 'The group of the resource; * is every group.',
  'ResourceAttributes.version': 'The version of the resource; * is every version.',
  'ResourceAttributes.resource': 'The resource; * is all of them.',
  'ResourceAttributes.subresource': 'The subresource, if it is about one.',
  'ResourceAttributes.name': 'The name of the object; empty means all of them.',
  'ResourceAttributes.fieldSelector': 'Limits the request to objects with these fields.',
  'ResourceAttributes.labelSelector': 'Limits the request to objects with these labels.',
  FieldSelectorAttributes: 'A limit by fields, as text or taken apart.',
  'FieldSelectorAttributes.rawSelector': 'As it stands in a query. Not together with requirements.',
  'FieldSelectorAttributes.requirements': 'Taken apart; all of them limit the request.',
  LabelSelectorAttributes: 'A limit by labels, as text or taken apart.',
  'LabelSelectorAttributes.rawSelector': 'As it stands in a query. Not together with requirements.',
  'LabelSelectorAttributes.requirements': 'Taken apart; all of them limit the request.',

  NonResourceAttributes: 'A request for a path that is no resource.',
  'NonResourceAttributes.path': 'The path.',
  'NonResourceAttributes.verb': 'The method of HTTP in small letters.',

  SelfSubjectRulesReview: 'Asks for everything that the one who is asking may do in a namespace.',
  SelfSubjectRulesReviewSpec: 'The namespace that is asked about.',
  'SelfSubjectRulesReviewSpec.namespace': 'The name of the namespace.',
  SubjectRulesReviewStatus: 'What is permitted, as far as it can be listed.',
  'SubjectRulesReviewStatus.resourceRules': 'What is permitted on resources. Order means nothing.',
  'SubjectRulesReviewStatus.nonResourceRules': 'What is permitted on paths. Order means nothing.',
  'SubjectRulesReviewStatus.incomplete':
    'There may be more; some authorizers cannot list their rules.',
  'SubjectRulesReviewStatus.evaluationError': 'What went wrong while listing.',
  ResourceRule: 'Verbs that are permitted on resources.',
  'ResourceRule.verbs': 'Permitted verbs; * is every verb.',
  'ResourceRule.apiGroups': 'Groups of the resources; * is every group.',
  'ResourceRule.resources': 'Resources, or resource/subresource; * is all of them.',
  'ResourceRule.resourceNames': 'Names of objects that the rule is limited to. Empty: all objects.',
  NonResourceRule: 'Verbs that are permitted on paths.',
  'NonResourceRule.verbs': 'Permitted verbs; * is every verb.',
  'NonResourceRule.nonResourceURLs': 'Paths; a * may stand at the end.',
});
