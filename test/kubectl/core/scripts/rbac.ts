import { manifest, type Script } from '../script.ts';

const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
const subjects = [
  { kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'Group', name: 'readers', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'NAMESPACE' },
];
const here = { metadata: { namespace: 'NAMESPACE' } };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };

export const rbac: Script = {
  name: 'rbac',
  steps: [
    { run: 'create role reader --verb=get,list --resource=configmaps' },
    { run: 'create role named --verb=get --resource=secrets --resource-name=a --resource-name=b' },
    { run: 'create role sub --verb=get --resource=services/status,leases.coordination.k8s.io' },
    { run: 'create role reader --verb=get --resource=configmaps' },
    { run: 'create role none --verb=get --resource=nopes' },
    { run: 'create clusterrole NAMESPACE-reader --verb=get --resource=namespaces' },
    { run: 'create clusterrole NAMESPACE-url --verb=get --non-resource-url=/logs/*' },
    { run: 'create clusterrole NAMESPACE-sum --aggregation-rule=sum=NAMESPACE' },
    { run: 'create rolebinding readers --role=reader --user=ada --group=readers' },
    { run: 'create rolebinding viewers --clusterrole=view --serviceaccount=NAMESPACE:robot' },
    { run: 'create clusterrolebinding NAMESPACE-all --clusterrole=NAMESPACE-reader --user=ada' },
    { run: 'get roles' },
    { run: 'get roles -o wide' },
    { run: 'get rolebindings' },
    { run: 'get rolebindings -o wide' },
    { run: 'get clusterrole NAMESPACE-reader NAMESPACE-url -o wide' },
    { run: 'get clusterrolebinding NAMESPACE-all' },
    { run: 'get clusterrolebinding NAMESPACE-all -o wide' },
    { run: 'get role reader -o yaml' },
    { run: 'get clusterrole NAMESPACE-url -o yaml' },
    { run: 'get clusterrole NAMESPACE-sum -o yaml' },
    { run: 'get rolebinding readers -o yaml' },
    { run: 'get clusterrolebinding NAMESPACE-all -o yaml' },
    { run: 'describe role reader' },
    { run: 'describe role named' },
    { run: 'describe clusterrole NAMESPACE-url' },
    { run: 'describe rolebinding readers' },
    { run: 'describe rolebinding viewers' },
    { run: 'describe clusterrolebinding NAMESPACE-all' },
    { run: 'describe clusterrole cluster-admin' },
    { run: 'get clusterroles -l kubernetes.io/bootstrapping=rbac-defaults -o name' },
    { run: 'get clusterrolebindings -l kubernetes.io/bootstrapping=rbac-defaults -o wide' },
    { run: 'get roles -n kube-system -o name' },
    { run: 'get rolebindings -n kube-public -o wide' },
    { run: 'set subject rolebinding readers --user=bob' },
    { run: 'get rolebinding readers -o jsonpath={.subjects[*].name}' },
    { run: ['patch', 'rolebinding', 'readers', '-p', '{"roleRef":{"name":"named"}}'] },
    { run: 'create -f -', input: manifest('Role', { rules: [{ verbs: [] }] }, 'bad') },
    { run: 'create -f -', input: manifest('RoleBinding', { subjects, roleRef: {} }, 'bad') },
    {
      run: 'create -f - --validate=false',
      input: manifest('ClusterRoleBinding', { roleRef }, 'NAMESPACE-bad'),
    },
    {
      run: 'auth reconcile -f -',
      input: [
        manifest('Role', { ...here, rules }, 'reconciled'),
        manifest('RoleBinding', { ...here, subjects, roleRef }, 'reconciled'),
      ],
    },
    {
      run: 'auth reconcile -f - --remove-extra-permissions --remove-extra-subjects',
      input: [
        manifest('Role', { ...here, rules: [{ ...rules[0], verbs: ['get'] }] }, 'reconciled'),
        manifest('RoleBinding', { ...here, subjects: subjects.slice(0, 1), roleRef }, 'reconciled'),
      ],
    },
    { run: 'get role reconciled -o jsonpath={.rules}' },
    { run: 'get rolebinding reconciled -o jsonpath={.subjects}' },
    { run: 'delete rolebindings --all' },
    { run: 'delete roles --all' },
    { run: 'delete clusterrolebinding NAMESPACE-all' },
    { run: 'delete clusterrole NAMESPACE-reader NAMESPACE-url NAMESPACE-sum' },
  ],
};
