/** Objects that exist from the start, and differences between a control plane and a whole cluster. */
import type { Scenario, Step } from '../../scenario.ts';
import { manifest } from '../script.ts';
import { eventually } from './eventually.ts';
import { UNSCOPED } from './namespaces.ts';

const OLD_LAYOUT = {
  before: '1.27',
  because: 'until 1.26 explain reads OpenAPI v2 and has another layout',
};

/** Descriptions are short and in our own words, and there must be some. */
function explain(run: string, field: string): Step {
  const described = (indent: number): RegExp =>
    new RegExp(
      `^ {${indent}}${field}\\t<.+>.*\\n(?: {${indent}}enum: .*\\n)? {${indent + 2}}[A-Z]`,
      'm',
    );
  return {
    run: `explain ${run}`,
    stdout: [/^DESCRIPTION:\n {4}\S/m, described(2)],
    differs: [{ ...OLD_LAYOUT, stdout: [/^DESCRIPTION:\n {5}\S/m, described(3)] }],
  };
}

export const fixtures: readonly Scenario[] = [
  {
    name: 'the API itself is a Service',
    steps: [
      {
        run: 'get svc kubernetes -n default',
        stdout:
          /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nkubernetes +ClusterIP +10\.\d+\.\d+\.1 +<none> +443\/TCP +[\dms]+\n$/,
      },
      {
        run: 'get endpointslice kubernetes -n default',
        stdout:
          /^NAME +ADDRESSTYPE +PORTS +ENDPOINTS +AGE\nkubernetes +IPv4 +\d+ +\d+\.\d+\.\d+\.\d+ +[\dms]+\n$/,
      },
    ],
  },
  {
    name: 'namespaces of the system, and what is in them',
    steps: [
      {
        run: 'get ns default kube-system kube-public kube-node-lease -o jsonpath={.items[*].status.phase}',
        stdout: 'Active Active Active Active',
      },
      {
        run: 'get cm extension-apiserver-authentication -n kube-system -o jsonpath={.data}',
        stdout: [/"client-ca-file":/, /"requestheader-username-headers":"\[\\"x-remote-user\\"\]"/],
      },
      {
        run: 'get leases -n kube-system -o name',
        stdout: /^lease\.coordination\.k8s\.io\/apiserver-/m,
      },
    ],
  },
  {
    name: 'get all: of several kinds, with their names',
    steps: [
      { run: 'create service clusterip a --tcp=80', stdout: 'service/a created' },
      {
        run: 'get all',
        stdout:
          /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nservice\/a +ClusterIP +10\.\S+ +<none> +80\/TCP +\d+s\n$/,
      },
      { run: 'delete all --all', stdout: /^service "a" deleted/ },
      { run: 'get all', stdout: '', stderr: 'No resources found in NAMESPACE namespace.' },
    ],
  },
  {
    name: 'roles are aggregated',
    play: async (stage) => {
      const { step } = stage;
      await step({
        run: 'describe clusterrole view',
        stdout: /^ +configmaps +\[\] +\[\] +\[get list watch\]$/m,
      });
      await step({
        run: 'create -f -',
        input: manifest(
          'ClusterRole',
          {
            metadata: { labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
            rules: [{ apiGroups: [''], resources: ['ponds-NAMESPACE'], verbs: ['get'] }],
          },
          'NAMESPACE-ponds',
        ),
        stdout: 'clusterrole.rbac.authorization.k8s.io/NAMESPACE-ponds created',
      });
      await step({
        run: 'create rolebinding ada --clusterrole=admin --user=ada',
        stdout: 'rolebinding.rbac.authorization.k8s.io/ada created',
      });
      for (const role of ['view', 'edit', 'admin']) {
        await eventually(stage, {
          run: `describe clusterrole ${role}`,
          stdout: /^ +ponds-NAMESPACE +\[\] +\[\] +\[get\]$/m,
        });
      }
      await step({
        run: 'auth can-i get ponds-NAMESPACE --as=ada',
        stdout: 'yes',
        stderr: /^Warning: the server doesn't have a resource type 'ponds-NAMESPACE'/,
      });
      await step({
        run: 'delete clusterrole NAMESPACE-ponds',
        stdout: /"NAMESPACE-ponds" deleted/,
        stderr: UNSCOPED,
      });
      await eventually(stage, {
        run: 'auth can-i get ponds-NAMESPACE --as=ada',
        code: 1,
        stdout: 'no',
        stderr: /^Warning: the server doesn't have a resource type 'ponds-NAMESPACE'/,
      });
    },
  },
  {
    name: 'explain describes',
    steps: [
      explain('configmap', 'immutable'),
      explain('secret', 'stringData'),
      explain('service.spec', 'clusterIP'),
      explain('namespace.spec', 'finalizers'),
      explain('serviceaccount', 'imagePullSecrets'),
      explain('role.rules', 'verbs'),
      explain('rolebinding', 'roleRef'),
      explain('lease.spec', 'holderIdentity'),
      explain('endpointslice', 'addressType'),
      explain('certificatesigningrequest.spec', 'signerName'),
      explain('subjectaccessreview.spec', 'resourceAttributes'),
    ],
  },
  {
    name: 'versions and parts',
    steps: [
      {
        run: 'version -o json',
        stdout: [/"serverVersion": \{/, /"minor": "\d+"/, /"gitVersion": "v1\.\d+/],
        stderr: /^(?:WARNING: version difference .*\n)?$/i,
      },
      { run: 'cluster-info', stdout: /control plane|master/ },
      {
        run: 'get componentstatuses',
        stdout: /^NAME +STATUS +MESSAGE +ERROR\n\S+ +Healthy +ok *\n/,
        stderr: 'Warning: v1 ComponentStatus is deprecated in v1.19+',
      },
      { run: 'get --raw /.well-known/openid-configuration', stdout: /"jwks_uri":/ },
    ],
  },
];
