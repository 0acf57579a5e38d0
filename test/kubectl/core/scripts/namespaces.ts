import { manifest, type Script } from '../script.ts';

/** Its parts are here for all to see before it is gone: the real one alone never finishes. */
export const namespaces: Script = {
  name: 'namespaces',
  steps: [
    { run: 'create namespace NAMESPACE-b' },
    { run: 'create ns NAMESPACE-b' },
    { run: 'create namespace Not_A_Name' },
    { run: 'create namespace NAMESPACE-dry --dry-run=server -o name' },
    { run: 'create namespace NAMESPACE-dry --dry-run=client -o yaml' },
    { run: 'get namespace NAMESPACE-b' },
    { run: 'get ns NAMESPACE-b -o wide' },
    { run: 'get ns/NAMESPACE-b -o name' },
    { run: 'get ns NAMESPACE-b -o yaml' },
    { run: 'get ns NAMESPACE-b -o json' },
    { run: 'get ns NAMESPACE-b -o jsonpath={.spec.finalizers},{.status.phase}' },
    {
      run: 'get ns NAMESPACE-b -o custom-columns=NAME:.metadata.name,PHASE:.status.phase,NO:.no',
    },
    { run: 'get ns NAMESPACE-b --show-labels' },
    { run: 'get ns NAMESPACE-b -L kubernetes.io/metadata.name' },
    { run: 'get ns --field-selector status.phase=Active,metadata.name=NAMESPACE-b' },
    { run: 'get ns --field-selector status.phase=Terminating,metadata.name=NAMESPACE-b' },
    { run: 'get ns --field-selector spec.nope=1' },
    { run: 'get ns -l kubernetes.io/metadata.name=NAMESPACE-b -o name' },
    { run: 'get ns -o name', keep: /^namespace\/(?:default|kube-)/ },
    { run: 'label ns NAMESPACE-b team=a' },
    { run: 'label ns NAMESPACE-b team=b' },
    { run: 'label ns NAMESPACE-b team=b --overwrite' },
    { run: 'label ns NAMESPACE-b kubernetes.io/metadata.name-' },
    { run: 'annotate ns NAMESPACE-b note=hello' },
    { run: ['patch', 'ns', 'NAMESPACE-b', '-p', '{"metadata":{"labels":{"team":null}}}'] },
    { run: ['patch', 'ns', 'NAMESPACE-b', '--type=merge', '-p', '{"spec":{"finalizers":["x"]}}'] },
    {
      run: ['get', 'ns', 'NAMESPACE-b', '-o', 'jsonpath={.metadata.labels}{.metadata.annotations}'],
    },
    {
      run: 'get --raw /api/v1/namespaces/NAMESPACE-none',
    },
    { run: 'get ns NAMESPACE-none' },
    { run: 'get ns NAMESPACE-none --ignore-not-found' },
    { run: 'create configmap late --namespace=NAMESPACE-none' },
    { run: 'apply -f -', input: manifest('Namespace', {}, 'NAMESPACE-c') },
    { run: 'apply -f -', input: manifest('Namespace', {}, 'NAMESPACE-c') },
    {
      run: 'apply -f -',
      input: manifest('Namespace', { metadata: { labels: { a: 'b' } } }, 'NAMESPACE-c'),
    },
    { run: 'delete ns default' },
    { run: 'delete ns NAMESPACE-none' },
  ],
};
