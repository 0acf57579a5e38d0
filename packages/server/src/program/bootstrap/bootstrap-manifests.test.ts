import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import { everything } from '../../../test/everything-api.ts';
import { defineApi } from '../../definition/api.ts';
import type { PolicyRule } from './access.ts';
import { bootstrapManifests } from './bootstrap-manifests.ts';
import { BootstrapOptionError, type BootstrapOptions } from './bootstrap-options.ts';
import { componentManifests, components } from './component-manifests.ts';
import { manifestList, sorted } from './manifest-list.ts';

const image = 'registry.example.com/everything:1';
const objects = bootstrapManifests(everything, { image });

function find(kind: string, name: string, among: readonly KubeObject[] = objects): KubeObject {
  const found = among.find((one) => one.kind === kind && one.metadata.name === name);
  assert.ok(found, `${kind} ${name}`);
  return found;
}

describe('what is created for an API', () => {
  test('is everything a cluster needs, what others need first', () => {
    assert.deepEqual(
      objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [
        'Namespace everything-system',
        'ServiceAccount everything-apiserver',
        'ClusterRole everything.example.com:admin',
        'ClusterRole everything.example.com:apiserver',
        'ClusterRole everything.example.com:edit',
        'ClusterRole everything.example.com:view',
        'ClusterRoleBinding everything.example.com:apiserver',
        'ClusterRoleBinding everything.example.com:auth-delegator',
        'RoleBinding everything.example.com:auth-reader',
        'Service everything-apiserver',
        'Deployment everything-apiserver',
        'APIService v1.everything.example.com',
        'APIService v1alpha1.everything.example.com',
        'APIService v1beta1.everything.example.com',
      ],
    );
  });

  test('is the same whenever it is asked for, and in whichever order it was made', () => {
    const again = bootstrapManifests(everything, { image });
    assert.equal(JSON.stringify(again), JSON.stringify(objects));
    assert.deepEqual(manifestList(objects.toReversed()), manifestList(objects));
    assert.deepEqual(sorted([...objects].reverse()), objects);
  });

  test('carries one label by which all of it is found', () => {
    for (const { kind, metadata } of objects) {
      const { labels = {} } = metadata;
      assert.equal(labels['app.kubernetes.io/name'], 'everything-apiserver', kind);
    }
  });

  test('prefers versions as Kubernetes orders them', () => {
    const priorities = ['v1', 'v1beta1', 'v1alpha1'].map((version) => {
      const { spec } = find('APIService', `${version}.everything.example.com`);
      const { groupPriorityMinimum, versionPriority } = spec as Record<string, number>;
      return [groupPriorityMinimum, versionPriority];
    });
    assert.deepEqual(priorities, [
      [1000, 17],
      [1000, 16],
      [1000, 15],
    ]);
  });

  test('runs without rights on its machine', () => {
    const { spec } = find('Deployment', 'everything-apiserver') as KubeObject & {
      spec: { template: { spec: Record<string, unknown> } };
    };
    const { securityContext, containers } = spec.template.spec;
    assert.partialDeepStrictEqual(securityContext, {
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    assert.partialDeepStrictEqual(containers, [
      {
        image,
        livenessProbe: { httpGet: { path: '/livez', port: 'https', scheme: 'HTTPS' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'https', scheme: 'HTTPS' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    ]);
  });
});

describe('rights', () => {
  const account = (among: readonly KubeObject[]) =>
    among.flatMap(({ kind, metadata, rules }) =>
      kind === 'ClusterRole' && metadata.name?.endsWith(':apiserver')
        ? (rules as PolicyRule[])
        : [],
    );

  test('the account reads what admission needs, and writes nothing', () => {
    const rules = account(objects);
    assert.ok(rules.length > 0);
    for (const { verbs } of rules) assert.deepEqual(verbs, ['get', 'list', 'watch']);
    const read = rules.flatMap(({ resources }) => resources);
    for (const resource of [
      'namespaces',
      'validatingwebhookconfigurations',
      'mutatingadmissionpolicybindings',
      'flowschemas',
    ]) {
      assert.ok(read.includes(resource), resource);
    }
  });

  test('its bindings are to roles that every cluster has, and to its own', () => {
    const roles = objects.flatMap(({ kind, roleRef }) =>
      kind.endsWith('Binding') ? [(roleRef as { name: string }).name] : [],
    );
    assert.deepEqual(roles, [
      'everything.example.com:apiserver',
      'system:auth-delegator',
      'extension-apiserver-authentication-reader',
    ]);
    assert.equal(
      find('RoleBinding', 'everything.example.com:auth-reader').metadata.namespace,
      'kube-system',
    );
  });

  const can = (role: string, verb: string, resource: string) =>
    (find('ClusterRole', `everything.example.com:${role}`).rules as PolicyRule[]).some(
      ({ verbs, resources, apiGroups }) =>
        verbs.includes(verb) &&
        resources.includes(resource) &&
        apiGroups.includes('everything.example.com'),
    );
  const cases = [
    { verb: 'list', resource: 'widgets', roles: ['view', 'edit', 'admin'] },
    { verb: 'get', resource: 'widgets/status', roles: ['view', 'edit', 'admin'] },
    { verb: 'get', resource: 'widgets/scale', roles: ['view', 'edit', 'admin'] },
    { verb: 'create', resource: 'widgets', roles: ['edit', 'admin'] },
    { verb: 'patch', resource: 'widgets/scale', roles: ['edit', 'admin'] },
    { verb: 'patch', resource: 'widgets/status', roles: [] },
    { verb: 'list', resource: 'shelves', roles: ['view', 'edit', 'admin'] },
    { verb: 'delete', resource: 'shelves', roles: ['admin'] },
    { verb: 'create', resource: 'shelves/dust', roles: ['admin'] },
    { verb: 'update', resource: 'shelves', roles: [] },
  ];
  for (const { verb, resource, roles } of cases) {
    test(`${verb} ${resource} is for ${roles.join(', ') || 'nobody'}`, () => {
      const able = ['view', 'edit', 'admin'].filter((role) => can(role, verb, resource));
      assert.deepEqual(able, roles);
    });
  }

  test('each is added to the role of that name', () => {
    for (const role of ['view', 'edit', 'admin']) {
      const { labels = {} } = find('ClusterRole', `everything.example.com:${role}`).metadata;
      const aggregated = Object.keys(labels).filter((key) => key.includes('aggregate-to'));
      assert.deepEqual(aggregated, [`rbac.authorization.k8s.io/aggregate-to-${role}`]);
    }
  });
});

describe('options', () => {
  const apiService = (options: Partial<BootstrapOptions>) =>
    find(
      'APIService',
      'v1.everything.example.com',
      bootstrapManifests(everything, { image, ...options }),
    ).spec as Record<string, unknown>;

  test('whom to trust', () => {
    assert.equal(apiService({}).insecureSkipTLSVerify, undefined);
    assert.equal(apiService({}).caBundle, undefined);
    assert.equal(apiService({ trust: { kind: 'ca', ca: 'PEM' } }).caBundle, 'UEVN');
    assert.equal(
      apiService({ trust: { kind: 'nothing is verified' } }).insecureSkipTLSVerify,
      true,
    );
  });

  test('a pair becomes a Secret, and the pod reads that Secret', () => {
    const serving = { cert: 'C', key: 'K', ca: 'A' };
    const made = bootstrapManifests(everything, { image, serving, service: 'api' });
    const secret = find('Secret', 'api-tls', made);
    assert.equal(secret.type, 'kubernetes.io/tls');
    assert.deepEqual(secret.data, { 'ca.crt': 'QQ==', 'tls.crt': 'Qw==', 'tls.key': 'Sw==' });
    assert.match(JSON.stringify(find('Deployment', 'api', made)), /"secretName":"api-tls"/);
  });

  test('a claim is where objects are kept', () => {
    const made = bootstrapManifests(everything, { image, storageClaim: 'disk' });
    const text = JSON.stringify(find('Deployment', 'everything-apiserver', made));
    assert.match(text, /"persistentVolumeClaim":\{"claimName":"disk"\}/);
    assert.doesNotMatch(text, /emptyDir/);
  });

  const refused: readonly { options: Partial<BootstrapOptions>; option: string }[] = [
    { options: { image: '' }, option: 'image' },
    { options: { image: 'a b' }, option: 'image' },
    { options: { namespace: 'Not.A.Label' }, option: 'namespace' },
    { options: { service: '1st' }, option: 'service' },
    { options: { storageClaim: '-' }, option: 'storageClaim' },
  ];
  for (const { options, option } of refused) {
    test(`${JSON.stringify(options)} is refused`, () => {
      assert.throws(
        () => bootstrapManifests(everything, { image, ...options }),
        (error) => error instanceof BootstrapOptionError && error.option === option,
      );
    });
  }

  test('groups of Kubernetes itself are not installed', () => {
    const { resources } = everything;
    const builtIn = defineApi({ group: 'apps', builtIn: true, resources });
    assert.throws(() => bootstrapManifests(builtIn, { image }), /apps/);
  });
});

for (const component of components) {
  describe(`the ${component}`, () => {
    const made = componentManifests(component, { image });

    test('has a namespace of its own, with a warning and a NetworkPolicy', () => {
      const namespace = find('Namespace', `tributary-${component}`, made);
      const warning = namespace.metadata.annotations?.['aggregation.tributary.dev/warning'];
      assert.match(warning ?? '', /can act as any user/);
      assert.partialDeepStrictEqual(find('NetworkPolicy', component, made).spec, {
        podSelector: {},
        policyTypes: ['Ingress'],
        ingress: [{ ports: [{ port: 6443 }] }],
      });
    });

    test('may speak for users, and write nothing', () => {
      const { rules } = find('ClusterRole', `tributary:${component}:apiserver`, made);
      const verbs = new Set((rules as PolicyRule[]).flatMap((rule) => rule.verbs));
      assert.deepEqual([...verbs].sort(), ['get', 'impersonate', 'list', 'watch']);
    });

    test('registers nothing', () => {
      assert.ok(made.every(({ kind }) => kind !== 'APIService'));
    });
  });
}
