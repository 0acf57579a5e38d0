/** Shared by a run on namespaces: its requests, recorded for the checker. */
import { eventually } from '../harness/index.ts';
import { ApiClient, type Reply } from './api-client.ts';
import { type CoreKind, collectionOf, NAMESPACES_PATH, readObject } from './core-objects.ts';
import type { AcknowledgedCreate, NamespaceHistory } from './namespace-history.ts';
import type { Target } from './target.ts';

export interface RunCounts {
  acknowledged: number;
  /** Of what: 403 in a namespace that is going away, 404 in one that is not there. */
  terminating: number;
  missing: number;
  unknown: number;
}

const RESPONSE_MS = 60_000;
const FINALIZER = 'example.com/hold';

export class NamespaceRun {
  readonly target: Target;
  readonly creates: AcknowledgedCreate[] = [];
  readonly deletions: { uid: string; isCertain: boolean }[] = [];
  readonly counts: RunCounts = { acknowledged: 0, terminating: 0, missing: 0, unknown: 0 };

  constructor(target: Target) {
    this.target = target;
  }

  /** One attempt; whether it is certain that the object was made. */
  async create(
    client: ApiClient,
    kind: CoreKind,
    place: { namespace: string; name: string; isHeld?: boolean },
  ): Promise<boolean> {
    const { namespace, name, isHeld = false } = place;
    const metadata = { name, ...(isHeld && { finalizers: [FINALIZER] }) };
    const object = { metadata, ...kind.content };
    const reply = await client
      .send('POST', collectionOf(kind, namespace), object)
      .catch(() => undefined);
    this.#count(reply, `${kind.plural} ${namespace}/${name}`);
    if (reply?.status !== 201) return false;
    const { uid, revision } = readObject(kind.plural, reply.body);
    this.creates.push({ plural: kind.plural, namespace, name, uid, revision });
    return true;
  }

  /** Until it is there; gives its uid. */
  async makeNamespace(client: ApiClient, name: string): Promise<string> {
    const body = { metadata: { name } };
    const { body: made } = await untilResponse(async () => {
      const reply = await client.send('POST', NAMESPACES_PATH, body);
      // An attempt that was not answered may have succeeded.
      return reply.status === 409 ? client.send('GET', `${NAMESPACES_PATH}/${name}`) : reply;
    });
    return readObject('namespaces', made).uid;
  }

  /** One attempt, written down whatever comes of it. */
  async deleteNamespace(client: ApiClient, name: string, uid: string): Promise<void> {
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    const reply = await client
      .send('DELETE', `${NAMESPACES_PATH}/${name}`, options)
      .catch(() => undefined);
    this.deletions.push({ uid, isCertain: reply?.status === 200 });
  }

  /** Takes the finalizers from an object, if that succeeds; it is tried again as long as it is there. */
  async release(client: ApiClient, path: string): Promise<void> {
    const found = await client.send('GET', path).catch(() => undefined);
    if (found?.status !== 200) return;
    const object = found.body as { metadata: object };
    const released = { ...object, metadata: { ...object.metadata, finalizers: [] } };
    await client.send('PUT', path, released).catch(() => undefined);
  }

  async list(
    client: ApiClient,
    path: string,
  ): Promise<{ items: readonly unknown[]; revision: number }> {
    const { body } = await untilResponse(() => client.send('GET', path));
    const list = body as { items: unknown[]; metadata: { resourceVersion: string } };
    return { items: list.items, revision: Number(list.metadata.resourceVersion) };
  }

  history(rest: Pick<NamespaceHistory, 'namespaces' | 'objects' | 'final'>): NamespaceHistory {
    return { creates: this.creates, deletions: this.deletions, ...rest };
  }

  #count(reply: Reply | undefined, what: string): void {
    const { status = 0, body } = reply ?? {};
    if (status === 201) this.counts.acknowledged += 1;
    else if (status === 403) this.counts.terminating += 1;
    else if (status === 404) this.counts.missing += 1;
    else if (status === 0 || status >= 500 || status === 429) this.counts.unknown += 1;
    else throw new Error(`${what} was answered with ${status}: ${JSON.stringify(body)}`);
  }
}

export async function withClient<T>(
  target: Target,
  name: string,
  use: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const client = new ApiClient(name, target);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** Servers are killed all the time: a request without an answer is sent again, a refusal is an error. */
async function untilResponse(send: () => Promise<Reply>): Promise<Reply> {
  let last: Reply | undefined;
  const good = async () => {
    last = await send().catch(() => undefined);
    if (last === undefined || last.status >= 500 || last.status === 429) return undefined;
    if (last.status < 300) return last;
    throw new Error(`refused: ${last.status} ${JSON.stringify(last.body)}`);
  };
  const what = () => `a good answer: ${last?.status} ${JSON.stringify(last?.body)}`;
  return eventually(what, good, { withinMs: RESPONSE_MS });
}
