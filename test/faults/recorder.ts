/** Requests that are written down as the checker wants them. */
import { EventEmitter, once } from 'node:events';
import type { ApiClient, Reply } from './api-client.ts';
import { collectionPath, flunder, objectPath, readItem, type Selection } from './flunders.ts';
import type {
  Delete,
  Get,
  History,
  Item,
  List,
  Moment,
  Put,
  Token,
  WriteOutcome,
} from './history.ts';

export interface Counts {
  acknowledged: number;
  refused: number;
  unknown: number;
  reads: number;
  failedReads: number;
}

const FAILURES_MAX = 100;
/** More than there can be. */
const ITEMS_MAX = 10_000;

/** A client's knowledge after a request: the present state of a key, its absence, or nothing. */
export type Known = Item | 'absent' | undefined;

export class Recorder {
  readonly writes: (Put | Delete)[] = [];
  readonly gets: Get[] = [];
  readonly lists: List[] = [];
  /** The first answers to writes that say that something is wrong with the server. */
  readonly failures: Reply[] = [];
  readonly counts: Counts = { acknowledged: 0, refused: 0, unknown: 0, reads: 0, failedReads: 0 };
  readonly #progress = new EventEmitter().setMaxListeners(0);
  #moment = 0;

  moment(): Moment {
    this.#moment += 1;
    return this.#moment;
  }

  /** Resolves once so many more writes are acknowledged; rejects when the signal fires first. */
  async acknowledges(writes: number, signal: AbortSignal): Promise<void> {
    const enough = this.counts.acknowledged + writes;
    while (this.counts.acknowledged < enough) {
      await once(this.#progress, 'acknowledged', { signal });
    }
  }

  async create(client: ApiClient, key: string, token: Token): Promise<Known> {
    const [namespace] = key.split('/');
    const [outcome, timed] = await this.#write(client, { key, token }, () =>
      client.send('POST', collectionPath(namespace), flunder(key, token)),
    );
    this.writes.push({ kind: 'create', key, token, outcome, ...timed });
    return known(outcome, { key, token });
  }

  async update(client: ApiClient, { key, revision }: Item, token: Token): Promise<Known> {
    const object = flunder(key, token, String(revision));
    const [outcome, timed] = await this.#write(client, { key, token }, () =>
      client.send('PUT', objectPath(key), object),
    );
    this.writes.push({ kind: 'update', key, token, expected: revision, outcome, ...timed });
    return known(outcome, { key, token });
  }

  async delete(client: ApiClient, { key, revision }: Item): Promise<Known> {
    const preconditions = { resourceVersion: String(revision) };
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    const [outcome, timed] = await this.#write(client, undefined, () =>
      client.send('DELETE', objectPath(key), options),
    );
    this.writes.push({ kind: 'delete', key, expected: revision, outcome, ...timed });
    return outcome.kind === 'ok' ? 'absent' : undefined;
  }

  async get(client: ApiClient, key: string): Promise<Known> {
    const start = this.moment();
    const reply = await this.#read(() => client.send('GET', objectPath(key)));
    if (reply === undefined || (reply.status !== 200 && reply.status !== 404)) return undefined;
    const found = reply.status === 200 ? readItem(reply.body) : undefined;
    this.gets.push({ client: client.name, key, found, start, end: this.moment() });
    return found ?? 'absent';
  }

  /** All pages of a list; undefined when one of them could not be had. */
  async list(
    client: ApiClient,
    selection: Selection,
    options: { limit?: number; attempts?: number } = {},
  ): Promise<List | undefined> {
    const start = this.moment();
    const items: Item[] = [];
    const query = new URLSearchParams(selection.query);
    if (options.limit !== undefined) query.set('limit', String(options.limit));
    let revision: number | undefined;
    for (let attempt = 0; attempt < (options.attempts ?? 1); ) {
      const path = `${collectionPath(selection.namespace)}?${query}`;
      const reply = await this.#read(() => client.send('GET', path));
      if (reply?.status !== 200) {
        if (reply?.status === 410) return undefined;
        attempt += 1;
        continue;
      }
      const page = reply.body as {
        metadata: { resourceVersion: string; continue?: string };
        items: unknown[];
      };
      revision ??= Number(page.metadata.resourceVersion);
      for (const item of page.items) items.push(readItem(item));
      if (items.length > ITEMS_MAX) throw new Error(`the list ${path} does not end`);
      if (page.metadata.continue) {
        query.set('continue', page.metadata.continue);
        continue;
      }
      const { scope } = selection;
      return { client: client.name, scope, revision, items, start, end: this.moment() };
    }
    return undefined;
  }

  history(rest: Pick<History, 'watches' | 'final'>): History {
    const { writes, gets, lists } = this;
    return { writes, gets, lists, ...rest };
  }

  async #write(
    client: ApiClient,
    sent: { key: string; token: Token } | undefined,
    send: () => Promise<Reply>,
  ): Promise<[WriteOutcome, { client: string; start: Moment; end: Moment }]> {
    const start = this.moment();
    const reply = await send().catch(() => undefined);
    const outcome = outcomeOf(reply, sent);
    if (reply && reply.status >= 500 && this.failures.length < FAILURES_MAX) {
      this.failures.push(reply);
    }
    const counted = { ok: 'acknowledged', refused: 'refused', unknown: 'unknown' } as const;
    this.counts[counted[outcome.kind]] += 1;
    if (outcome.kind === 'ok') this.#progress.emit('acknowledged');
    return [outcome, { client: client.name, start, end: this.moment() }];
  }

  async #read(send: () => Promise<Reply>): Promise<Reply | undefined> {
    const reply = await send().catch(() => undefined);
    if (reply !== undefined && reply.status < 500) this.counts.reads += 1;
    else this.counts.failedReads += 1;
    return reply;
  }
}

function outcomeOf(
  reply: Reply | undefined,
  sent: { key: string; token: Token } | undefined,
): WriteOutcome {
  if (reply === undefined || reply.status >= 500) return { kind: 'unknown' };
  if (reply.status >= 400) return { kind: 'refused', code: reply.status };
  if (sent === undefined) return { kind: 'ok' };
  const { key, token, revision } = readItem(reply.body);
  if (key !== sent.key || token !== sent.token) {
    throw new Error(`${sent.key} = ${sent.token} was answered with ${key} = ${token}`);
  }
  return { kind: 'ok', revision };
}

function known(outcome: WriteOutcome, written: { key: string; token: Token }): Known {
  if (outcome.kind !== 'ok' || outcome.revision === undefined) return undefined;
  return { ...written, revision: outcome.revision };
}
