import { manifest, type Script } from '../script.ts';

const AUTHORIZATION = 'authorization.k8s.io/v1';
const ROBOT = 'system:serviceaccount:NAMESPACE:robot';

/** Permissions, as an administrator reviews them for others and as users review their own. */
export const access: Script = {
  name: 'access',
  steps: [
    { run: 'create role reader --verb=get,list --resource=configmaps' },
    { run: 'create role namer --verb=get --resource=secrets --resource-name=shown' },
    { run: 'create role granter --verb=create,bind --resource=rolebindings,roles' },
    { run: 'create rolebinding ada --role=reader --user=ada' },
    { run: 'create rolebinding group --role=namer --group=readers' },
    { run: 'create rolebinding robot --role=reader --serviceaccount=NAMESPACE:robot' },
    { run: 'create rolebinding eve --role=granter --user=eve' },
    { run: 'create configmap one --from-literal=a=1' },
    { run: 'create secret generic shown --from-literal=a=1' },
    { run: 'create secret generic hidden --from-literal=a=1' },
    { run: 'auth can-i create configmaps' },
    { run: ['auth', 'can-i', '*', '*'] },
    { run: 'auth can-i get configmaps --as=ada' },
    { run: 'auth can-i list cm/one --as=ada' },
    { run: 'auth can-i delete configmaps --as=ada' },
    { run: 'auth can-i get configmaps --as=ada -n default' },
    { run: 'auth can-i get configmaps --as=ada -A' },
    { run: 'auth can-i get secrets/shown --as=bob --as-group=readers' },
    { run: 'auth can-i get secrets/hidden --as=bob --as-group=readers' },
    { run: `auth can-i list configmaps --as=${ROBOT}` },
    { run: `auth can-i list services --as=${ROBOT} -q` },
    { run: 'auth can-i get services --subresource=status --as=ada' },
    { run: 'auth can-i get /version --as=ada' },
    { run: 'auth can-i get /metrics --as=ada' },
    { run: 'auth can-i get nopes --as=ada' },
    { run: 'auth can-i --list' },
    { run: 'auth can-i --list --as=ada' },
    { run: 'auth can-i --list --as=bob --as-group=readers --as-group=system:authenticated' },
    { run: `auth can-i --list --as=${ROBOT}` },
    { run: 'auth can-i --list --as=system:anonymous --as-group=system:unauthenticated' },
    { run: 'get cm one --as=ada -o name' },
    { run: 'get cm one --as=nobody -o name' },
    { run: 'get cm --as=nobody' },
    { run: 'get secret shown --as=bob --as-group=readers -o name' },
    { run: 'get secret hidden --as=bob --as-group=readers' },
    { run: 'get ns --as=ada' },
    { run: 'delete cm one --as=ada' },
    { run: 'create cm two --as=ada' },
    { run: ['patch', 'cm', 'one', '-p', '{"data":{"a":"2"}}', '--as=ada'] },
    { run: 'create rolebinding grab --clusterrole=cluster-admin --user=eve --as=eve' },
    { run: 'create role grab --verb=get --resource=secrets --as=eve' },
    { run: 'create rolebinding share --role=reader --user=bob --as=eve' },
    { run: 'get cm --as-group=readers' },
    { run: 'auth whoami', since: '1.28' },
    { run: 'auth whoami --as=ada --as-group=readers -o yaml', since: '1.28' },
    { run: `auth whoami --as=${ROBOT}`, since: '1.28' },
    {
      run: 'create -f - -o yaml',
      input: {
        apiVersion: AUTHORIZATION,
        kind: 'SubjectAccessReview',
        spec: {
          user: 'ada',
          resourceAttributes: { namespace: 'NAMESPACE', verb: 'get', resource: 'configmaps' },
        },
      },
    },
    {
      run: 'create -f - -o yaml',
      input: {
        apiVersion: AUTHORIZATION,
        kind: 'LocalSubjectAccessReview',
        metadata: { namespace: 'NAMESPACE' },
        spec: {
          user: 'ada',
          resourceAttributes: { namespace: 'NAMESPACE', verb: 'delete', resource: 'configmaps' },
        },
      },
    },
    {
      run: 'create -f - -o yaml',
      input: { apiVersion: AUTHORIZATION, kind: 'SubjectAccessReview', spec: { user: 'ada' } },
    },
    {
      run: 'create -f - -o yaml --as=ada',
      input: {
        apiVersion: AUTHORIZATION,
        kind: 'SelfSubjectAccessReview',
        spec: { nonResourceAttributes: { path: '/version', verb: 'get' } },
      },
    },
    {
      run: 'create -f - -o yaml',
      input: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: 'nonsense' },
      },
    },
    {
      run: 'create -f -',
      input: manifest(
        'Role',
        { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
        'all',
      ),
    },
    { run: 'auth can-i get tokenreviews' },
  ],
};
