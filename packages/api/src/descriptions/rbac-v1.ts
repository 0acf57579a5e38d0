/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  Role: 'Permissions within one namespace, given to subjects by role bindings.',
  'Role.rules': 'What is permitted.',
  ClusterRole:
    'Permissions in the whole cluster, or in a namespace when a role binding gives them.',
  'ClusterRole.rules': 'What is permitted.',
  'ClusterRole.aggregationRule':
    'Fills the rules from other cluster roles; what is written there is overwritten.',
  AggregationRule: 'Which cluster roles are put together into this one.',
  'AggregationRule.clusterRoleSelectors':
    'Cluster roles that one of these chooses lend their rules.',

  PolicyRule:
    'Verbs that are permitted on resources or on paths. Nothing is ever forbidden by a rule.',
  'PolicyRule.verbs': 'Permitted verbs; * is every verb.',
  'PolicyRule.apiGroups': 'Groups of the resources; "" is the core group, * every group.',
  'PolicyRule.resources': 'Resources, or resource/subresource; * is all of them.',
  'PolicyRule.resourceNames': 'Names of objects that the rule is limited to. Empty: all objects.',
  'PolicyRule.nonResourceURLs': 'Paths that are not resources; a * may stand at the end.',

  RoleBinding: 'Gives the permissions of a role to subjects, within its namespace.',
  'RoleBinding.subjects': 'Who gets the permissions.',
  'RoleBinding.roleRef': 'A role of the namespace or a cluster role. It never changes.',
  ClusterRoleBinding: 'Gives the permissions of a cluster role to subjects, in the whole cluster.',
  'ClusterRoleBinding.subjects': 'Who gets the permissions.',
  'ClusterRoleBinding.roleRef': 'The cluster role. It never changes.',

  Subject: 'A user, a group or a service account.',
  'Subject.kind': 'User, Group or ServiceAccount.',
  'Subject.apiGroup': 'The group of the subject; empty for service accounts.',
  'Subject.name': 'The name of the subject.',
  'Subject.namespace': 'The namespace of a service account; nothing else has one.',

  RoleRef: 'The role whose permissions are given.',
  'RoleRef.apiGroup': 'The group of the role.',
  'RoleRef.kind': 'Role or ClusterRole.',
  'RoleRef.name': 'The name of the role.',
});
