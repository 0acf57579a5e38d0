import { formatTime, type KubeObject, type OwnerReference } from '@tributary/apimachinery';
import type { Client, Clock, NewObject, ResourceType } from '@tributary/client';
import type { ObjectReference } from './object-reference.ts';
import { formatReference, referenceOf } from './object-reference.ts';
import { referenceCache } from './reference-cache.ts';

const events: ResourceType = { group: '', version: 'v1', plural: 'events', namespaced: true };
const COMPONENT = 'garbage-collector-controller';
/** The namespace of Events about cluster-scoped objects. */
const DEFAULT_NAMESPACE = 'default';
/** The number of pairs whose Events are not repeated. */
const REPORTED_MAX = 1_000;
/** Concurrent writes; further Events are dropped, because many invalid references at once need no Event each. */
const WRITES_MAX = 25;
const NAME_CHARACTERS_MAX = 200;

/** Writes an Event about an invalid owner reference. */
type ReportOwner = (dependent: ObjectReference, reference: OwnerReference) => void;

interface OwnerEventsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export function ownerEvents({ client, clock, signal, onError }: OwnerEventsOptions): ReportOwner {
  const reported = referenceCache(REPORTED_MAX);
  let writes = 0;
  return (dependent, reference) => {
    // One Event per pair of dependent and owner.
    const pair = { ...dependent, uid: `${dependent.uid} ${reference.uid}` };
    if (writes >= WRITES_MAX || reported.has(pair)) return;
    reported.add(pair);
    writes += 1;
    const event = invalidNamespaceEvent(dependent, reference, clock.nowMs());
    client
      .resource(events)
      .in(event.metadata.namespace ?? DEFAULT_NAMESPACE)
      .create(event, { signal })
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      })
      .finally(() => {
        writes -= 1;
      });
  };
}

/** As upstream. */
function invalidNamespaceEvent(
  dependent: ObjectReference,
  reference: OwnerReference,
  nowMs: number,
): NewObject<KubeObject> {
  const { apiVersion, kind, namespace, name, uid } = dependent;
  const owner = formatReference(referenceOf(reference, namespace));
  const time = formatTime(nowMs);
  const number = (BigInt(Math.floor(nowMs)) * 1_000_000n).toString(16);
  return {
    metadata: {
      name: `${name.slice(0, NAME_CHARACTERS_MAX)}.${number}`,
      namespace: namespace === '' ? DEFAULT_NAMESPACE : namespace,
    },
    involvedObject: { kind, ...(namespace !== '' && { namespace }), name, uid, apiVersion },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`,
    source: { component: COMPONENT },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Warning',
    reportingComponent: COMPONENT,
    reportingInstance: '',
  };
}
