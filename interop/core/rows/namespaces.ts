/** Namespaces, and what may be done in one that is missing or on its way out. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import {
  baseOf,
  ConfigMap,
  type Kind,
  LocalSubjectAccessReview,
  Namespace,
  Secret,
} from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import {
  collection,
  creates,
  feature,
  get,
  given,
  object,
  pathOf,
  post,
  put,
  remove,
  row,
  TABLE,
  updates,
} from './words.ts';

/** The controllers of a whole cluster go on where these rows end, and the original has none. */
const CONTROLLED = ['watch: a life', 'delete: with a finalizer'];
const HOLD = 'example.com/hold';

function isUncontrolled({ name }: Row): boolean {
  return !CONTROLLED.some((end) => name.endsWith(end));
}

function finalize(finalizers: readonly string[], more: Partial<RequestStep> = {}): RequestStep {
  const body = object(Namespace, { spec: { finalizers } });
  return { name: 'finalize', method: 'PUT', path: `${pathOf(Namespace)}/finalize`, body, ...more };
}

const status = (phase: JsonObject): RequestStep => ({
  name: 'status',
  method: 'PUT',
  path: `${pathOf(Namespace)}/status`,
  body: object(Namespace, { metadata: { resourceVersion: '{rv:given-a}' }, ...phase }),
});

export const namespaces: RowGroup = {
  name: 'namespaces',
  rows: [
    ...everyKind(Namespace, {
      minimal: {},
      full: {
        metadata: { annotations: { a: 'b' }, finalizers: [HOLD] },
        spec: { finalizers: [HOLD, 'kubernetes'] },
      },
      changed: { metadata: { annotations: { a: 'b' } } },
      merge: { metadata: { annotations: { a: 'c' } } },
      json: [{ op: 'add', path: '/metadata/annotations/x', value: 'y' }],
      strategic: { metadata: { annotations: { a: null } } },
      applied: { metadata: { annotations: { a: 'applied' } } },
      wrongTypes: {
        'with finalizers that are a text': { spec: { finalizers: 'a' } },
        'with a spec that is a list': { spec: [] },
      },
      fieldSelectors: ['status.phase=Active', 'name={ns}-a'],
    }).filter(isUncontrolled),
    ...creates(Namespace, {
      'with a name that is no label': { metadata: { name: '{ns}.a' } },
      'with a long name': { metadata: { name: `a${'b'.repeat(63)}` } },
      'with another name in the label': {
        metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } },
      },
      'with a status': { status: { phase: 'Terminating' } },
      'with a bad finalizer': { spec: { finalizers: ['hold'] } },
    }),
    ...updates(Namespace, {
      'of the finalizers, ignored': { from: {}, to: { spec: { finalizers: [HOLD] } } },
      'without the label of the name': { from: {}, to: { metadata: { labels: {} } } },
      'of the status, ignored': { from: {}, to: { status: { phase: 'Terminating' } } },
    }),
    row(
      Namespace,
      'update',
      'finalizers by finalize',
      given(Namespace),
      finalize([HOLD, 'kubernetes']),
      get(Namespace),
    ),
    row(Namespace, 'update', 'a bad finalizer by finalize', given(Namespace), finalize(['hold'])),
    row(Namespace, 'update', 'finalize of a missing one', finalize([])),
    row(Namespace, 'update', 'finalize changes nothing else', given(Namespace), {
      ...finalize(['kubernetes']),
      body: object(Namespace, {
        metadata: { labels: { x: 'y' } },
        spec: { finalizers: ['kubernetes'] },
      }),
    }),
    row(
      Namespace,
      'get',
      'finalize cannot be read',
      given(Namespace),
      get(Namespace, { path: `${pathOf(Namespace)}/finalize` }),
    ),
    row(
      Namespace,
      'get',
      'the status',
      given(Namespace),
      get(Namespace, { path: `${pathOf(Namespace)}/status` }),
    ),
    row(
      Namespace,
      'update',
      'the status to Terminating',
      given(Namespace),
      status({ status: { phase: 'Terminating' } }),
    ),
    row(
      Namespace,
      'update',
      'the status with conditions',
      given(Namespace),
      status({
        status: {
          phase: 'Active',
          conditions: [
            {
              type: 'NamespaceContentRemaining',
              status: 'False',
              reason: 'R',
              message: 'm',
              lastTransitionTime: '2001-01-01T00:00:00Z',
            },
          ],
        },
      }),
    ),
    row(
      Namespace,
      'delete',
      'twice',
      given(Namespace, { spec: { finalizers: [HOLD] }, metadata: { finalizers: [HOLD] } }),
      remove(Namespace),
      remove(Namespace, { name: 'again', setup: true }),
    ),
    row(
      Namespace,
      'delete',
      'until its finalizers are gone',
      given(Namespace, { spec: { finalizers: [HOLD] } }),
      remove(Namespace),
      finalize([], { setup: true }),
      get(Namespace, { until: 404 }),
    ),
    row(
      Namespace,
      'delete',
      'in the foreground',
      given(Namespace),
      remove(Namespace, { body: { propagationPolicy: 'Foreground' } }),
    ),
    row(
      Namespace,
      'delete',
      'as a dry run',
      given(Namespace),
      remove(Namespace, { query: { dryRun: 'All' } }),
      get(Namespace),
    ),
    row(
      Namespace,
      'list',
      'shows a terminating one',
      given(Namespace, { metadata: { finalizers: [HOLD] } }),
      remove(Namespace, { setup: true }),
      get(Namespace, {
        name: 'table',
        headers: { accept: TABLE },
        // Without what controllers write into it.
        query: { includeObject: 'None' },
      }),
    ),
  ],
};

const lifecycle = feature('namespace lifecycle');
const inside = (kind: Kind): string => `${baseOf(kind)}/namespaces/{ns}-a/${kind.plural}`;
const held = given(Namespace, { metadata: { finalizers: [HOLD] } });
const going = remove(Namespace, { name: 'going', setup: true });
const ofSystem = ['default', 'kube-system', 'kube-public'];

export const namespaceLifecycle: RowGroup = {
  name: 'namespace-lifecycle',
  rows: [
    lifecycle(
      'a create in a missing namespace',
      post(ConfigMap, object(ConfigMap), { path: inside(ConfigMap) }),
    ),
    lifecycle('an apply in a missing namespace', {
      name: 'apply',
      method: 'PATCH',
      path: `${inside(ConfigMap)}/a`,
      query: { fieldManager: 'applier' },
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: object(ConfigMap),
    }),
    lifecycle('a list in a missing namespace', { name: 'list', path: inside(ConfigMap) }),
    lifecycle('a get in a missing namespace', { name: 'get', path: `${inside(ConfigMap)}/a` }),
    lifecycle('a delete in a missing namespace', {
      name: 'delete',
      method: 'DELETE',
      path: `${inside(ConfigMap)}/a`,
    }),
    lifecycle('a review in a missing namespace', {
      name: 'review',
      method: 'POST',
      path: inside(LocalSubjectAccessReview),
      body: {
        spec: {
          user: 'alice',
          resourceAttributes: { namespace: '{ns}-a', verb: 'get', resource: 'pods' },
        },
      },
    }),
    lifecycle(
      'a create in another namespace than the body’s',
      post(ConfigMap, object(ConfigMap, { metadata: { namespace: 'other' } })),
    ),
    lifecycle(
      'a create in a terminating namespace',
      held,
      going,
      post(ConfigMap, object(ConfigMap), { path: inside(ConfigMap) }),
    ),
    lifecycle(
      'a generated name in a terminating namespace',
      held,
      going,
      post(Secret, { metadata: { generateName: 'a-' } }, { path: inside(Secret) }),
    ),
    lifecycle(
      'an update in a terminating namespace',
      held,
      post(ConfigMap, object(ConfigMap, { metadata: { finalizers: [HOLD] } }), {
        name: 'given-c',
        path: inside(ConfigMap),
        setup: true,
      }),
      going,
      {
        name: 'change',
        method: 'PATCH',
        path: `${inside(ConfigMap)}/a`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { data: { a: '1' } },
        setup: true,
      },
    ),
    lifecycle(
      'a terminating namespace can be changed',
      held,
      going,
      put(
        Namespace,
        {},
        {
          body: object(Namespace, { metadata: { labels: { x: 'y' }, finalizers: [HOLD] } }),
          setup: true,
        },
      ),
    ),
    lifecycle(
      'a terminating namespace gets no new finalizer',
      held,
      going,
      put(
        Namespace,
        {},
        { body: object(Namespace, { metadata: { finalizers: [HOLD, 'example.com/more'] } }) },
      ),
    ),
    ...ofSystem.map((name) =>
      lifecycle(`${name} stays`, {
        name: 'delete',
        method: 'DELETE',
        path: `/api/v1/namespaces/${name}`,
      }),
    ),
    lifecycle('kube-node-lease stays not', {
      name: 'delete',
      method: 'DELETE',
      path: '/api/v1/namespaces/kube-node-lease',
      query: { dryRun: 'All' },
      setup: true,
    }),
    lifecycle('no collection is deleted', {
      name: 'clear',
      method: 'DELETE',
      path: collection(Namespace),
    }),
  ],
};
