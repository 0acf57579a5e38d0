import type { Script, ScriptStep } from '../script.ts';

const KINDS = [
  'namespaces',
  'configmaps',
  'secrets',
  'services',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'serviceaccounts',
  'events.v1.',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'certificatesigningrequests.certificates.k8s.io',
  'componentstatuses',
  'subjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
];

/** The lines of a listing that are about them. */
const OURS = new RegExp(`^(?:NAME|${KINDS.map((kind) => kind.replace(/\..*/, '')).join('|')})\\b`);

/** An explanation needs a resource as the release spells it: without a group in some. */
function explain(kind: string): ScriptStep {
  const [plural, ...group] = kind.split('.');
  const version = group[0] === 'v1' ? 'v1' : `${group.join('.')}/v1`;
  const of = group.length === 0 ? [] : [`--api-version=${version}`];
  return { run: ['explain', plural ?? '', '--recursive', ...of], fieldsOnly: true };
}

export const discovery: Script = {
  name: 'discovery',
  steps: [
    { run: 'api-resources', keep: OURS },
    { run: 'api-resources -o wide', keep: OURS },
    { run: 'api-resources -o name', keep: OURS },
    { run: 'api-resources --namespaced=false --verbs=list,watch -o name', keep: OURS },
    { run: 'api-resources --api-group=rbac.authorization.k8s.io' },
    { run: 'api-resources --api-group=authorization.k8s.io' },
    { run: 'api-resources --api-group=authentication.k8s.io' },
    { run: 'api-resources --api-group=events.k8s.io -o wide' },
    { run: 'api-resources --categories=all', keep: OURS, since: '1.26' },
    {
      run: 'api-versions',
      keep: /^(?:v1|(?:authentication|authorization|rbac\S+|events|discovery|coordination)\.k8s\.io\/v1)$/,
    },
    { run: 'cluster-info' },
    { run: 'get --raw /healthz' },
    { run: 'get --raw /livez' },
    { run: 'get --raw /readyz' },
    { run: 'get --raw /api' },
    { run: 'get --raw /nope' },
    { run: 'get --raw /apis/nope.example.com' },
    { run: 'get nopes' },
    { run: 'explain nopes' },
    { run: 'explain service.spec.nope' },
    { run: 'get componentstatuses -o name', keep: /^Warning/ },
    ...KINDS.map(explain),
  ],
};
