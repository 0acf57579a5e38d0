/** Claims, volumes and attribute classes are deleted when they are not in use, without other controllers. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import {
  ignoreNotFound,
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  serviceAccounts,
  volumeAttributesClasses,
} from '@tributary/client/controller';
import { eventually, startTestCore, type TestCore } from './core-fixture.ts';

let core: TestCore;
before(async () => {
  core = await startTestCore();
});
after(async () => {
  await core[Symbol.asyncDispose]();
  assert.deepEqual(core.problems, []);
});

type Any = KubeObject & { spec: object; status?: object };
const of = (type: typeof pods, namespace?: string) => {
  const all = core.admin.resource<Any>(type);
  return namespace === undefined ? all : all.in(namespace);
};
const resources = { requests: { storage: '1Gi' } };
const claim = (name: string, more: object = {}) =>
  ({ metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources, ...more } }) as Any;
const volume = (name: string, more: object = {}) =>
  ({
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/tmp/v' },
      ...more,
    },
  }) as Any;
const attributes = (name: string) =>
  ({ metadata: { name }, driverName: 'csi.example.com', parameters: { a: 'b' } }) as unknown as Any;

const isGone = (type: typeof pods, name: string, namespace?: string) =>
  eventually(
    () => ignoreNotFound(of(type, namespace).get(name)),
    (object) => object === undefined,
  );

async function makeNamespace(name: string): Promise<void> {
  await of(namespaces).create({ metadata: { name }, spec: {} } as Any);
  await eventually(
    () => ignoreNotFound(of(serviceAccounts, name).get('default')),
    (object) => object !== undefined,
  );
}

test('unused objects are deleted, and have the finalizer until then', async () => {
  const cases = [
    { type: persistentVolumeClaims, object: claim('free'), namespace: 'default', short: 'pvc' },
    { type: persistentVolumes, object: volume('free'), short: 'pv' },
    { type: volumeAttributesClasses, object: attributes('free'), short: 'vac' },
  ];
  for (const { type, object, namespace, short } of cases) {
    const created = await of(type, namespace).create(object);
    assert.deepEqual(created.metadata.finalizers, [`kubernetes.io/${short}-protection`]);
    await of(type, namespace).delete('free');
    await isGone(type, 'free', namespace);
  }
});

test('a namespace with a claim is deleted', async () => {
  await makeNamespace('ending');
  await of(persistentVolumeClaims, 'ending').create(claim('data'));
  await of(namespaces).delete('ending');
  await isGone(namespaces, 'ending');
});

test('a claim in use is deleted after the last scheduled pod', async () => {
  await makeNamespace('busy');
  const claims = of(persistentVolumeClaims, 'busy');
  const inBusy = of(pods, 'busy');
  const pod = (name: string, spec: object) =>
    ({
      metadata: { name },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
        ...spec,
      },
    }) as Any;
  await claims.create(claim('data'));
  await claims.create(claim('other'));
  for (const name of ['one', 'two']) await inBusy.create(pod(name, { nodeName: 'node' }));
  await inBusy.create(pod('waiting', {}));
  await claims.delete('data');
  // Claims are processed in order: after the deletion of a later one, the first was processed.
  await claims.delete('other');
  await isGone(persistentVolumeClaims, 'other', 'busy');
  assert.ok((await claims.get('data')).metadata.deletionTimestamp);
  await inBusy.delete('one', { gracePeriodSeconds: 0 });
  await claims.create(claim('third'));
  await claims.delete('third');
  await isGone(persistentVolumeClaims, 'third', 'busy');
  assert.ok((await claims.get('data')).metadata.deletionTimestamp);
  await inBusy.delete('two', { gracePeriodSeconds: 0 });
  await isGone(persistentVolumeClaims, 'data', 'busy');
  assert.equal((await inBusy.get('waiting')).metadata.name, 'waiting');
});

test('a bound volume is not deleted', async () => {
  const volumes = of(persistentVolumes);
  const bound = await volumes.create(volume('bound'));
  await volumes.update({ ...bound, status: { phase: 'Bound' } }, { subresource: 'status' });
  await volumes.create(volume('unbound'));
  await volumes.delete('bound');
  await volumes.delete('unbound');
  await isGone(persistentVolumes, 'unbound');
  const waiting = await volumes.get('bound');
  await volumes.update({ ...waiting, status: { phase: 'Released' } }, { subresource: 'status' });
  await isGone(persistentVolumes, 'bound');
});

test('a VolumeAttributesClass in use is not deleted', async () => {
  const classes = of(volumeAttributesClasses);
  const claims = of(persistentVolumeClaims, 'default');
  await classes.create(attributes('gold'));
  await classes.create(attributes('silver'));
  await claims.create(claim('golden', { volumeAttributesClassName: 'gold' }));
  const csi = { hostPath: undefined, csi: { driver: 'csi.example.com', volumeHandle: 'h' } };
  const ofClass = { ...csi, volumeAttributesClassName: 'gold', storageClassName: 's' };
  await of(persistentVolumes).create(volume('golden', ofClass));
  await classes.delete('gold');
  await classes.delete('silver');
  await isGone(volumeAttributesClasses, 'silver');
  await claims.delete('golden');
  await isGone(persistentVolumeClaims, 'golden', 'default');
  assert.ok((await classes.get('gold')).metadata.deletionTimestamp);
  await of(persistentVolumes).delete('golden');
  await isGone(volumeAttributesClasses, 'gold');
});
