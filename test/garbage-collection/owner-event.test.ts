import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerEvent } from '../../interop/garbage-collection/owner-event.ts';
import { startSimulatedSite } from './simulated-site.ts';

test('an owner in another namespace is told by an Event, as the original writes it', async (t) => {
  assert.deepEqual(await ownerEvent(await startSimulatedSite(t)), {
    involvedObject: {
      kind: 'ConfigMap',
      namespace: 'gc-event-here',
      name: 'dependent',
      uid: 'DEPENDENT',
      apiVersion: 'v1',
    },
    reason: 'OwnerRefInvalidNamespace',
    message:
      'ownerRef [v1/ConfigMap, namespace: gc-event-here, name: owner, uid: OWNER] does not exist in namespace "gc-event-here"',
    source: { component: 'garbage-collector-controller' },
    count: 1,
    type: 'Warning',
    eventTime: null,
    reportingComponent: 'garbage-collector-controller',
    reportingInstance: '',
  });
});
