/** What a collector says of an owner in another namespace. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GraphSite } from '../../test/garbage-collection/run-graph.ts';

const NAMESPACES = ['gc-event-here', 'gc-event-there'] as const;
const WITHIN_MS = 30_000;
const POLL_MS = 100;

type Fields = Readonly<Record<string, unknown>>;

/** The Event about the dependent, with what differs from run to run taken out. */
export async function ownerEvent(site: GraphSite): Promise<Fields> {
  const [here, there] = NAMESPACES;
  for (const name of NAMESPACES) await make(site, '/api/v1/namespaces', { metadata: { name } });
  const owner = await make(site, maps(there), { metadata: { name: 'owner' } });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner };
  const finalizers = ['example.com/hold'];
  const dependent = await make(site, maps(here), {
    metadata: { name: 'dependent', ownerReferences: [reference], finalizers },
  });
  const event = await eventOf(site, here, dependent);
  // Whether objects in a list say what they are is not the collector's matter.
  const { kind: _, apiVersion: __, metadata, firstTimestamp, lastTimestamp, ...rest } = event;
  const { name } = metadata as { name: string };
  assert.match(name, /^dependent\.[0-9a-f]{16}$/);
  assert.equal(firstTimestamp, lastTimestamp);
  return labelled(rest, { [owner]: 'OWNER', [dependent]: 'DEPENDENT' });
}

function maps(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

async function make(site: GraphSite, path: string, object: object): Promise<string> {
  const { status, body } = await site.send('POST', path, object);
  assert.equal(status, 201, JSON.stringify(body));
  return (body as { metadata: { uid: string } }).metadata.uid;
}

async function eventOf(site: GraphSite, namespace: string, uid: string): Promise<Fields> {
  const deadline = performance.now() + WITHIN_MS;
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.uid%3D${uid}`;
  for (;;) {
    const { body } = await site.send('GET', path);
    const [event] = (body as { items?: readonly Fields[] }).items ?? [];
    if (event !== undefined) return event;
    assert.ok(performance.now() < deadline, `no Event within ${WITHIN_MS} ms`);
    await sleep(POLL_MS);
  }
}

function labelled(value: Fields, labels: Readonly<Record<string, string>>): Fields {
  let text = JSON.stringify(value);
  for (const [uid, label] of Object.entries(labels)) text = text.replaceAll(uid, label);
  return JSON.parse(text) as Fields;
}
