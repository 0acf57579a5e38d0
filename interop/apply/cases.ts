/** Histories that once showed a difference, as short as they could be made. Each runs with every other. */
import { type Edit, type History, type JsonObject, NAME, type Step } from './step.ts';

export interface Case {
  readonly name: string;
  readonly history: History;
}

type Fields = Readonly<Record<string, JsonObject[string]>>;
type Writing = Partial<Extract<Step, { do: 'apply' }>>;

function kindOf(kind: string, group: string) {
  const object = (version: string, { metadata = {}, ...fields }: Fields): JsonObject => ({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: NAME, ...(metadata as JsonObject) },
    ...fields,
  });
  return {
    create: (version: string, manager: string, fields: Fields = {}): Step => ({
      do: 'create',
      version,
      manager,
      body: object(version, fields),
    }),
    apply: (version: string, manager: string, fields: Fields = {}, more: Writing = {}): Step => ({
      do: 'apply',
      version,
      manager,
      body: object(version, fields),
      ...more,
    }),
  };
}

function put(version: string, manager: string, more: Partial<Extract<Step, { do: 'put' }>>): Step {
  return {
    do: 'put',
    version,
    manager,
    edits: [],
    managedFields: 'kept',
    resourceVersion: 'live',
    ...more,
  };
}

function set(path: string, value: JsonObject[string]): Edit {
  return { op: 'set', path: path.split('.'), value };
}

function applyScale(version: string, manager: string, spec: JsonObject, more: Writing = {}): Step {
  return {
    do: 'apply',
    version,
    manager,
    subresource: 'scale',
    body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: NAME }, spec },
    ...more,
  };
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const force = { force: true } as const;
const mixture = kindOf('Mixture', 'apply.example.com');
const flunder = kindOf('Flunder', 'wardle.example.com');

export const mixtureCases: readonly Case[] = [
  {
    name: 'the annotation of the last apply keeps annotations that are empty without it',
    history: [
      mixture.apply('v2', 'kubectl', {
        metadata: { annotations: { [LAST_APPLIED]: '{"metadata":{"labels":{"x":"1"}}}\n' } },
      }),
    ],
  },
  {
    name: 'an applier that changes the version keeps what others filled in below what it still applies',
    history: [
      mixture.apply('v1', 'three', { spec: {} }, force),
      put('v1', 'one', { edits: [set('spec.text', 'a')] }),
      mixture.apply('v2', 'three', { spec: {} }),
    ],
  },
  {
    name: 'an applier that changes the version and applies no metadata any more',
    history: [
      mixture.apply('v2', 'two', { metadata: { finalizers: ['example.com/a'] } }),
      mixture.apply('v1', 'two'),
    ],
  },
  {
    name: 'an update whose list lacks the keys of its items keeps the owners, and changes nothing else',
    history: [
      mixture.create('v2', 'three', { spec: {} }),
      put('v1', 'one', {
        edits: [set('status.conditions', [{ type: 'c' }, { type: 'a' }, { status: 'c' }])],
      }),
    ],
  },
  {
    name: 'a status is applied beside a spec that somebody owns in another version',
    history: [
      mixture.create('v2', 'one', { spec: { when: '2021-01-01T00:00:00Z' } }),
      mixture.apply(
        'v1',
        'two',
        { spec: { when: '2020-01-01T00:00:00Z' } },
        { subresource: 'status' },
      ),
    ],
  },
  {
    name: 'the metadata of an object within an object is a struct',
    history: [
      mixture.apply('v2', 'kubectl', {
        spec: { template: { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'c' } } },
      }),
    ],
  },
  ...['struct', 'byName'].map((field) => ({
    name: `a null that is applied in ${field} is refused`,
    history: [mixture.apply('v2', 'two', { spec: { [field]: { a: null } } }, force)],
  })),
  {
    name: 'a null that is applied where anything may be is not kept',
    history: [mixture.apply('v1', 'two', { spec: { anything: null } })],
  },
  {
    name: 'what is applied cannot be had in the version of another owner',
    history: [
      mixture.create('v2', 'one', { spec: { text: 'a' } }),
      mixture.apply('v1', 'two', { spec: { changing: [null, 'a'] } }, force),
    ],
  },
  {
    name: 'a status that loses everything but its owner',
    history: [
      mixture.create('v2', 'two'),
      mixture.apply('v1', 'two', { status: { replicas: 0 } }, { subresource: 'status' }),
      mixture.apply('v2', 'two', { status: {} }, { subresource: 'status' }),
    ],
  },
  {
    name: 'the last finalizer goes with an apply',
    history: [
      mixture.apply('v1', 'one', { metadata: { finalizers: ['example.com/a'] } }),
      { do: 'delete', version: 'v2' },
      mixture.apply('v2', 'one', { metadata: { annotations: {} } }),
    ],
  },
  {
    name: 'an object with a status that is none is created without it, and nobody owns anything',
    history: [
      mixture.create('v2', 'one', { status: { conditions: [{ type: 'b' }, {}] } }),
      mixture.create('v2', 'one', { status: { conditions: [null] } }),
    ],
  },
  {
    name: 'sets that a client sends are written in order',
    history: [mixture.apply('v2', 'two'), put('v2', 'kubectl', { managedFields: 'crowded' })],
  },
  {
    name: 'who scales to none owns nothing',
    history: [
      mixture.create('v1', 'one', { spec: { replicas: 1 } }),
      put('v1', 'two', { subresource: 'scale', edits: [set('spec.replicas', 0)] }),
    ],
  },
  {
    name: 'who scales takes the replicas from their owners, without a time',
    history: [
      mixture.create('v1', 'one', { spec: { replicas: 1, text: 'a' } }),
      mixture.apply('v2', 'two', { spec: { replicas: 1 } }),
      put('v2', 'three', { subresource: 'scale', edits: [set('spec.replicas', 2)] }),
      put('v2', 'three', { subresource: 'scale', edits: [set('spec.replicas', 3)] }),
      mixture.apply('v1', 'two', { spec: { replicas: 1 } }),
    ],
  },
  {
    name: 'a scale that does not change what it says',
    history: [
      mixture.create('v1', 'one', { spec: { replicas: 1, text: 'a' } }),
      put('v1', 'one', { subresource: 'scale' }),
      put('v1', 'two', { edits: [set('spec.text', 'b')] }),
    ],
  },
  {
    name: 'an apply to the scale that conflicts, and one that changes nothing',
    history: [
      mixture.apply('v1', 'one', { spec: { replicas: 1 } }),
      applyScale('v1', 'two', { replicas: 2 }),
      applyScale('v1', 'two', { replicas: 1 }),
      mixture.apply('v1', 'one', { spec: { replicas: 3 } }),
    ],
  },
  {
    name: 'an empty patch of a scale that nobody has set',
    history: [
      mixture.apply('v1', 'three'),
      { do: 'patch', version: 'v1', subresource: 'scale', type: 'json', body: [] },
    ],
  },
  {
    name: 'a new finalizer of an object that is going',
    history: [
      mixture.create('v1', 'one', { metadata: { finalizers: ['example.com/a'] } }),
      { do: 'delete', version: 'v1' },
      put('v1', 'two', { edits: [set('metadata.finalizers', ['example.com/b'])] }),
    ],
  },
];

export const flunderCases: readonly Case[] = [
  {
    name: 'what a client leaves empty nobody owns',
    history: [
      flunder.apply('v1alpha1', 'two', { status: {} }, force),
      put('v1beta1', 'two', { edits: [set('spec.fischerReference', '')] }),
    ],
  },
  {
    name: 'a reference without a name is not owned in the other version',
    history: [
      flunder.create('v1alpha1', 'one'),
      put('v1alpha1', 'three', { edits: [set('spec.referenceType', 'Fischer')] }),
      flunder.apply('v1beta1', 'two'),
    ],
  },
  {
    name: 'a reference of a type that is not told is lost',
    history: [
      flunder.create('v1beta1', 'two'),
      put('v1beta1', 'two', {
        edits: [set('spec.fischerReference', 'b')],
        managedFields: 'broken',
      }),
    ],
  },
  {
    name: 'a spec that loses everything but its owner stays',
    history: [
      flunder.apply('v1alpha1', 'two', { spec: {} }, force),
      flunder.apply('v1alpha1', 'one', { spec: { referenceType: 'Flunder' } }, force),
      flunder.apply('v1alpha1', 'one'),
    ],
  },
  {
    name: 'empty metadata that is applied with a new version is no change',
    history: [
      flunder.create('v1alpha1', 'one'),
      flunder.apply('v1alpha1', 'two', { spec: {} }, force),
      put('v1beta1', 'three', { edits: [set('spec.referenceType', 'Fischer')] }),
      flunder.apply('v1beta1', 'two', { metadata: { finalizers: [] }, spec: {} }, force),
    ],
  },
  {
    name: 'who was there before the first apply loses a map that another version has not any more',
    history: [
      flunder.create('v1alpha1', 'one'),
      put('v1alpha1', 'one', { edits: [set('metadata.annotations', { x: '1' })] }),
      flunder.apply('v1beta1', 'three', { metadata: { annotations: { x: '2' } } }, force),
      flunder.apply('v1alpha1', 'three', {}, force),
    ],
  },
  {
    name: 'old changes that are put together twice are forgotten',
    history: [
      flunder.apply('v1alpha1', 'three'),
      put('v1beta1', 'one', {
        edits: [set('metadata.annotations', { x: '2' })],
        managedFields: 'crowded',
      }),
      put('v1alpha1', 'three', {
        edits: [set('spec.referenceType', 'Fischer')],
        managedFields: 'aged',
      }),
    ],
  },
];
