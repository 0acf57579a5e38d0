import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { EventHandler, Informer } from '@tributary/client';
import type { LiveResource, LiveResources, Logger } from '@tributary/server';
import { undescribedDefinitions } from '../definition/openapi-problems.ts';
import { followDefinitions } from './follow-definitions.ts';

type Change = {
  generation?: number;
  uid?: string;
  accepted?: boolean;
  going?: boolean;
  short?: string;
};

function definitionOf(change: Change = {}): CustomResourceDefinition {
  const { generation = 1, uid = 'u', accepted = true, going = false, short = 't' } = change;
  const names = { plural: 'things', kind: 'Thing' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'things.g.example.com',
      uid,
      generation,
      ...(going && { deletionTimestamp: '2020-01-01T00:00:00Z' }),
    },
    spec: {
      group: 'g.example.com',
      scope: 'Cluster',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema: {} }],
    },
    status: {
      acceptedNames: { ...names, shortNames: [short] },
      conditions: [
        { type: 'NamesAccepted', status: accepted ? 'True' : 'False', lastTransitionTime: null },
      ],
      storedVersions: ['v1'],
    },
  };
}

let seen: string[] = [];
let handler: EventHandler<CustomResourceDefinition> = {};
let isRefused = false;

beforeEach(() => {
  seen = [];
  isRefused = false;
  const informer = {
    addHandler: (given: EventHandler<CustomResourceDefinition>) => {
      handler = given;
      return { whenSynced: async () => {}, close: () => {} };
    },
  } as unknown as Informer<CustomResourceDefinition>;
  const live: LiveResources = {
    serve: (id: string, { endsWatches }: LiveResource) => {
      if (isRefused) throw new Error('somebody has it');
      seen.push(`serve ${id}${endsWatches ? '' : ', watches go on'}`);
    },
    stop: (id) => seen.push(`stop ${id}`),
    apis: () => [],
    onChange: () => () => {},
  };
  const log = { error: () => seen.push('logged') } as unknown as Logger;
  followDefinitions({
    informer,
    live,
    log,
    undescribed: undescribedDefinitions(),
    converterOf: () => assert.fail('there is no webhook'),
  });
});

const served = 'serve things.g.example.com';
const stopped = 'stop things.g.example.com';
const add = (definition: CustomResourceDefinition) =>
  handler.onAdd?.(definition, { initial: false });
const remove = () => handler.onDelete?.(definitionOf(), { finalStateUnknown: false });
const update = (change: Change) => handler.onUpdate?.(definitionOf(), definitionOf(change));

test('what has its names is served', () => {
  add(definitionOf({ accepted: false }));
  assert.deepEqual(seen, []);
  update({});
  assert.deepEqual(seen, [served]);
});

test('what did not change is not served again', () => {
  add(definitionOf());
  update({});
  assert.deepEqual(seen, [served]);
});

const endings: readonly [string, Change][] = [
  ['its spec', { generation: 2 }],
  ['its names', { short: 'other' }],
  ['another of the same name', { uid: 'other' }],
];
for (const [name, change] of endings) {
  test(`watches end with ${name}`, () => {
    add(definitionOf());
    update(change);
    assert.deepEqual(seen, [served, served]);
  });
}

test('watches go on while it goes', () => {
  add(definitionOf());
  update({ going: true });
  assert.deepEqual(seen, [served, `${served}, watches go on`]);
});

test('what has lost its names, or is gone, is served no longer', () => {
  add(definitionOf());
  update({ accepted: false });
  remove();
  assert.deepEqual(seen, [served, stopped]);
  add(definitionOf());
  remove();
  assert.deepEqual(seen, [served, stopped, served, stopped]);
});

test('what cannot be served any more is not served as it was', () => {
  add(definitionOf());
  isRefused = true;
  update({ generation: 2 });
  assert.deepEqual(seen, [served, stopped, 'logged']);
});
