/** From the first object of a namespace to its last: what controllers bring and take away. */
import assert from 'node:assert/strict';
import type { Scenario, Step } from '../../scenario.ts';
import { manifest } from '../script.ts';
import { eventually } from './eventually.ts';

/** Every command here names a namespace, which this one has no use for. */
export const UNSCOPED =
  /^warning: deleting cluster-scoped resources, not scoped to the provided namespace\n$/i;
const HOME = 'NAMESPACE-home';
const inHome = (kind: string, rest: object = {}): object =>
  manifest(kind, { ...rest, metadata: { namespace: HOME, ...Object(rest).metadata } });
const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'one' };

/** One of every kind that lives in a namespace. */
const contents: readonly object[] = [
  inHome('ConfigMap', { data: { a: '1' } }),
  inHome('Secret', { stringData: { a: '1' } }),
  inHome('Service', { spec: { ports: [{ port: 80 }] } }),
  inHome('ServiceAccount'),
  inHome('EndpointSlice', { addressType: 'IPv4', endpoints: [] }),
  inHome('Lease'),
  inHome('Role', { rules: [rule] }),
  inHome('RoleBinding', { roleRef, subjects: [] }),
  inHome('Event', { involvedObject: { namespace: HOME }, reason: 'R', message: 'm' }),
];
const created = [
  'configmap/one created',
  'secret/one created',
  'service/one created',
  'serviceaccount/one created',
  'endpointslice.discovery.k8s.io/one created',
  'lease.coordination.k8s.io/one created',
  'role.rbac.authorization.k8s.io/one created',
  'rolebinding.rbac.authorization.k8s.io/one created',
  'event/one created',
].join('\n');
const KINDS = 'cm,secret,svc,sa,endpointslice,lease,role,rolebinding,event';
const yaml = contents.map((one) => `---\n${JSON.stringify(one)}\n`).join('');

const createHome: Step = { run: `create namespace ${HOME}`, stdout: `namespace/${HOME} created` };
const provided: readonly Step[] = [
  { run: `get sa default -n ${HOME} -o name`, stdout: 'serviceaccount/default' },
  {
    run: `get cm kube-root-ca.crt -n ${HOME} -o jsonpath={.data}`,
    stdout: /^\{"ca\.crt":"-----BEGIN CERTIFICATE-----/,
  },
];
const deleteHome: Step = {
  run: `delete ns ${HOME}`,
  stdout: `namespace "${HOME}" deleted`,
  stderr: UNSCOPED,
};
const isGone: Step = {
  run: `get ns ${HOME}`,
  code: 1,
  stdout: '',
  stderr: `Error from server (NotFound): namespaces "${HOME}" not found`,
};
const release: Step = {
  run: `patch cm held -n ${HOME} --type=merge -p {"metadata":{"finalizers":null}}`,
  stdout: 'configmap/held patched',
};

export const namespaceLife: readonly Scenario[] = [
  {
    name: 'a namespace goes with everything in it, and comes back empty',
    play: async (stage) => {
      const { step } = stage;
      await step(createHome);
      for (const one of provided) await eventually(stage, one);
      await step({ run: `create -f - -n ${HOME}`, input: yaml, stdout: created });
      await step(deleteHome);
      await step(isGone);
      await step({
        run: `get ${KINDS} -n ${HOME} -o name`,
        stdout: '',
      });
      await step(createHome);
      for (const one of provided) await eventually(stage, one);
      await step({
        run: `get ${KINDS} -n ${HOME} -o name`,
        stdout: 'configmap/kube-root-ca.crt\nserviceaccount/default',
      });
      await step({ ...deleteHome, run: `delete ns ${HOME} --wait=false` });
      await eventually(stage, isGone);
    },
  },
  {
    name: 'a namespace waits for finalizers in it',
    play: async (stage) => {
      const { step, start } = stage;
      await step(createHome);
      const held = manifest(
        'ConfigMap',
        { metadata: { namespace: HOME, finalizers: ['example.com/hold'] } },
        'held',
      );
      await step({ run: `create -f - -n ${HOME}`, input: held, stdout: 'configmap/held created' });
      const deletion = await start(`delete ns ${HOME}`);
      await eventually(stage, {
        run: [
          'get',
          'ns',
          HOME,
          '-o',
          'jsonpath={range .status.conditions[?(@.status=="True")]}{.type}: {.message}\n{end}',
        ],
        stdout: [
          /^NamespaceContentRemaining: Some resources are remaining: configmaps\. has 1 resource instances$/m,
          /^NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: example\.com\/hold in 1 resource instances$/m,
        ],
      });
      await step({
        run: `get ns ${HOME}`,
        stdout: /^NAME +STATUS +AGE\n\S+ +Terminating +\d+s\n$/,
      });
      await step({
        run: `create cm late -n ${HOME}`,
        code: 1,
        stdout: '',
        stderr: `error: failed to create configmap: configmaps "late" is forbidden: unable to create new content in namespace ${HOME} because it is being terminated`,
        differs: [
          {
            before: '1.21',
            because: '1.20 has other words before those of the server',
            stderr: `Error from server (Forbidden): configmaps "late" is forbidden: unable to create new content in namespace ${HOME} because it is being terminated`,
          },
        ],
      });
      const waiting = await start(`wait ns/${HOME} --for=delete --timeout=60s -v=6`);
      await waiting.waitForLog(/watch=true/); // 1.20 fails when it is gone before
      await step(release);
      assert.deepEqual(await deletion.exited, { code: 0, signal: null }, deletion.log());
      assert.equal((await waiting.exited).code, 0, waiting.log());
      await step(isGone);
    },
  },
  {
    name: 'describe of a namespace',
    steps: [
      {
        run: 'describe ns NAMESPACE',
        stdout: [
          /^Name: +NAMESPACE\nLabels: +kubernetes\.io\/metadata\.name=NAMESPACE\nAnnotations: +<none>\nStatus: +Active\n/,
        ],
      },
    ],
  },
];
