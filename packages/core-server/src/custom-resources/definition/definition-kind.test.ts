/** A server with CustomResourceDefinitions only, and their status controllers. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '@tributary/api/apiextensions-v1';
import { type Client, createClient, systemClock } from '@tributary/client';
import { SharedInformers } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { eventually } from '../../../../../test/harness/index.ts';
import { definition } from '../../../test/definition-fixture.ts';
import { findCondition, isTrue } from './conditions/condition.ts';
import { runCustomResourceConditions } from './conditions/condition-controllers.ts';
import { APIEXTENSIONS_GROUP, customResourceDefinitionKind } from './definition-kind.ts';
import { CLEANUP_FINALIZER } from './deletion.ts';
import { customResourceDefinitions } from './resource-type.ts';
import { undescribedDefinitions } from './undescribed-definitions.ts';

const kind = customResourceDefinitionKind({ nowMs: () => 0 });
const TIMEOUT_MS = 30_000;

/** A definition as a client sends it. */
function definitionBody(plural: string, names: Partial<CustomResourceDefinitionNames> = {}) {
  const { spec } = definition();
  return {
    metadata: { name: `${plural}.example.com` },
    spec: { ...spec, names: { plural, kind: `Kind-${plural}`, ...names } },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
  };
}

describe('CustomResourceDefinitions', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(
      defineApi({ group: APIEXTENSIONS_GROUP, builtIn: true, resources: [kind] }),
    );
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  test('are deleted after their finalizer is removed', async () => {
    const all = server.client(kind);
    await all.create(definitionBody('things'));
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com';
    const { object } = await server.request('DELETE', path);
    const marked = object as CustomResourceDefinition;
    assert.deepEqual(marked.metadata.finalizers, [CLEANUP_FINALIZER]);
    assert.equal(marked.metadata.generation, 1);
    assert.equal(marked.metadata.deletionGracePeriodSeconds, undefined);
    assert.equal(findCondition(marked, 'Terminating')?.reason, 'InstanceDeletionPending');
    const again = (await server.request('DELETE', path)).object as CustomResourceDefinition;
    assert.deepEqual(again.status.conditions, marked.status.conditions);
    assert.equal(again.metadata.generation, 1);
    await all.patch('things.example.com', { metadata: { finalizers: null } });
    assert.equal((await server.request('GET', path)).status, 404);
  });

  test('record every storage version in storedVersions', async () => {
    const all = server.client(kind);
    const [first] = definition().spec.versions ?? [];
    assert.ok(first);
    await all.create(definitionBody('things'));
    const versions = [
      { ...first, storage: false },
      { ...first, name: 'v2' },
    ];
    const changed = await all.patch('things.example.com', { spec: { versions } });
    assert.deepEqual(changed.status.storedVersions, ['v1', 'v2']);
    assert.equal(changed.metadata.generation, 2);
  });
});

describe('conditions of CustomResourceDefinitions', () => {
  let server: TestServer;
  let client: Client;
  let informers: SharedInformers;
  const stop = new AbortController();
  const problems: unknown[] = [];
  let done: Promise<void>;

  before(async () => {
    server = await startTestServer(
      defineApi({ group: APIEXTENSIONS_GROUP, builtIn: true, resources: [kind] }),
    );
    const port = await server.listen();
    client = createClient({
      server: port.url,
      ca: { pem: port.ca },
      identity: { authorization: { kind: 'token', token: port.token } },
      namespace: 'default',
    });
    const clock = systemClock;
    informers = new SharedInformers({ client, clock, onError: (error) => problems.push(error) });
    const log: Logger = {
      verbosity: 0,
      info: () => {},
      verbose: () => {},
      error: (error: unknown) => problems.push(error),
    } as unknown as Logger;
    done = runCustomResourceConditions(
      { client, informers, clock, log, signal: stop.signal },
      undescribedDefinitions(),
    );
    await informers.whenSynced(AbortSignal.timeout(TIMEOUT_MS));
  });
  after(async () => {
    stop.abort();
    await done;
    await informers.close();
    await client.close();
    await server.close();
    assert.deepEqual(problems, []);
  });

  const definitions = () => client.resource<CustomResourceDefinition>(customResourceDefinitions);

  async function until(
    plural: string,
    holds: (one: CustomResourceDefinition) => boolean,
  ): Promise<CustomResourceDefinition> {
    let last: CustomResourceDefinition | undefined;
    return eventually(
      () => `${plural} stay ${JSON.stringify(last?.status)}`,
      async () => {
        last = await definitions().get(`${plural}.example.com`);
        return holds(last) && last;
      },
    );
  }

  const create = (plural: string, names?: Partial<CustomResourceDefinitionNames>) =>
    definitions().create(definitionBody(plural, names));

  test('a definition is established after its names are accepted', async () => {
    await create('firsts');
    const { status } = await until('firsts', (one) => isTrue(one, 'Established'));
    assert.deepEqual(
      status.conditions?.map(({ type, reason }) => `${type} ${reason}`),
      ['NamesAccepted NoConflicts', 'Established InitialNamesAccepted'],
    );
    assert.equal(status.acceptedNames.listKind, 'Kind-firstsList');
  });

  test('of many definitions with one short name one gets it, and the next after its deletion', async () => {
    const plurals = Array.from({ length: 8 }, (_, index) => `rivals${index}`);
    await Promise.all(plurals.map((plural) => create(plural, { shortNames: ['contested'] })));
    const processed = () =>
      Promise.all(plurals.map((plural) => until(plural, (one) => one.status.conditions !== null)));
    const withContested = (all: readonly CustomResourceDefinition[]) =>
      all.filter(({ status }) => status.acceptedNames.shortNames?.includes('contested'));
    const [winner, ...others] = withContested(await processed());
    assert.ok(winner);
    assert.deepEqual(others, []);
    const name = winner.metadata.name ?? '';
    const deleted = name.split('.')[0] ?? '';
    await definitions().delete(name);
    await definitions().patch(name, { kind: 'merge', body: { metadata: { finalizers: null } } });
    plurals.splice(plurals.indexOf(deleted), 1);
    const next = await eventually('another definition has the name', async () => {
      const all = withContested(await processed());
      return all.length > 0 && all;
    });
    assert.equal(next.length, 1);
    const successor = next[0]?.metadata.name?.split('.')[0] ?? '';
    await until(successor, (one) => isTrue(one, 'Established'));
  });

  test('a hundred definitions created at once are established', async () => {
    const plurals = Array.from({ length: 100 }, (_, index) => `many${index}`);
    await Promise.all(plurals.map((plural) => create(plural)));
    for (const plural of plurals) await until(plural, (one) => isTrue(one, 'Established'));
  });
});
