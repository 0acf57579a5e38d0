/** The event of a collector about an owner in another namespace. */
import assert from 'node:assert/strict';
import type { GraphSite } from '../../test/garbage-collection/run-graph.ts';
import { eventually } from '../../test/harness/index.ts';

const NAMESPACES = ['gc-event-here', 'gc-event-there'] as const;

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
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.uid%3D${uid}`;
  const first = async () => {
    const { body } = await site.send('GET', path);
    return (body as { items?: readonly Fields[] }).items?.[0];
  };
  return eventually('there is an Event', first, { withinMs: 60_000, everyMs: 50 });
}

function labelled(value: Fields, labels: Readonly<Record<string, string>>): Fields {
  let text = JSON.stringify(value);
  for (const [uid, label] of Object.entries(labels)) text = text.replaceAll(uid, label);
  return JSON.parse(text) as Fields;
}
