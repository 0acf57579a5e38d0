import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { EventHandler, Informer } from '@tributary/client';
import type { LiveResource, LiveResources, Logger } from '@tributary/server';
import { undescribedDefinitions } from '../definition/undescribed-definitions.ts';
import { serveDefinitions } from './serve-custom-resources.ts';

type Change = {
  generation?: number;
  uid?: string;
  accepted?: boolean;
  terminating?: boolean;
  short?: string;
};

function definitionOf(change: Change = {}): CustomResourceDefinition {
  const { generation = 1, uid = 'u', accepted = true, terminating = false, short = 't' } = change;
  const names = { plural: 'things', kind: 'Thing' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'things.g.example.com',
      uid,
      generation,
      ...(terminating && { deletionTimestamp: '2020-01-01T00:00:00Z' }),
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
let isRejected = false;

beforeEach(() => {
  seen = [];
  isRejected = false;
  const informer = {
    addHandler: (given: EventHandler<CustomResourceDefinition>) => {
      handler = given;
      return { whenSynced: async () => {}, close: () => {} };
    },
  } as unknown as Informer<CustomResourceDefinition>;
  const live: LiveResources = {
    serve: (id: string, { endsWatches }: LiveResource) => {
      if (isRejected) throw new Error('the name is in use');
      seen.push(`serve ${id}${endsWatches ? '' : ', watches continue'}`);
    },
    stop: (id) => seen.push(`stop ${id}`),
    apis: () => [],
    onChange: () => () => {},
  };
  const log = { error: () => seen.push('logged') } as unknown as Logger;
  serveDefinitions({
    informer,
    live,
    log,
    undescribed: undescribedDefinitions(),
    converterOf: () => assert.fail('no webhook expected'),
  });
});

const served = 'serve things.g.example.com';
const stopped = 'stop things.g.example.com';
const add = (definition: CustomResourceDefinition) =>
  handler.onAdd?.(definition, { initial: false });
const remove = () => handler.onDelete?.(definitionOf(), { finalStateUnknown: false });
const update = (change: Change) => handler.onUpdate?.(definitionOf(), definitionOf(change));

test('a definition with accepted names is served', () => {
  add(definitionOf({ accepted: false }));
  assert.deepEqual(seen, []);
  update({});
  assert.deepEqual(seen, [served]);
});

test('an unchanged definition is not compiled again', () => {
  add(definitionOf());
  update({});
  assert.deepEqual(seen, [served]);
});

const endings: readonly [string, Change][] = [
  ['the spec', { generation: 2 }],
  ['the names', { short: 'other' }],
  ['the uid', { uid: 'other' }],
];
for (const [name, change] of endings) {
  test(`watches end with a change of ${name}`, () => {
    add(definitionOf());
    update(change);
    assert.deepEqual(seen, [served, served]);
  });
}

test('watches continue while the definition terminates', () => {
  add(definitionOf());
  update({ terminating: true });
  assert.deepEqual(seen, [served, `${served}, watches continue`]);
});

test('a definition that lost its names or was deleted is not served', () => {
  add(definitionOf());
  update({ accepted: false });
  remove();
  assert.deepEqual(seen, [served, stopped]);
  add(definitionOf());
  remove();
  assert.deepEqual(seen, [served, stopped, served, stopped]);
});

test('an invalid change stops serving the previous state', () => {
  add(definitionOf());
  isRejected = true;
  update({ generation: 2 });
  assert.deepEqual(seen, [served, stopped, 'logged']);
});
