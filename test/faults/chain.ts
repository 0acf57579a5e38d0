/** The states of each key in order, from the evidence of a history. */
import type { Delete, History, Item, Moment, Put, Token, Write } from './history.ts';

/** One state of one key: true from its own revision until the next one's. */
export interface Version {
  readonly key: string;
  /** Of an inferred deletion it is the last that it can have had. */
  readonly revision: number;
  /** Absent when the key was deleted. */
  readonly token: Token | undefined;
  /** A requested deletion without an observation, which the next state, or the end, implies. */
  readonly isInferred: boolean;
  readonly previous: Version | undefined;
  readonly next: Version | undefined;
}

/** An observation of a key's state at a revision. */
export interface Sighting {
  readonly key: string;
  readonly revision: number;
  readonly token: Token | undefined;
  readonly by: string;
}

export interface Chains {
  /** The versions of each key in order of revision. */
  readonly keys: ReadonlyMap<string, readonly Version[]>;
  /** All of them in order of revision. */
  readonly versions: readonly Version[];
  /** Sightings that contradict an earlier one of the same revision. */
  readonly contradictions: readonly { readonly first: Sighting; readonly second: Sighting }[];
  /** The final state. */
  readonly final: ReadonlyMap<string, Item>;
  put(token: Token): Put | undefined;
  /** Deletes of a state that were not refused. */
  deletesOf(key: string, expected: number): readonly Delete[];
  at(key: string, revision: number): Version | undefined;
  /** The highest revision observed before a moment. */
  floor(moment: Moment): number;
}

type Building = { -readonly [Field in keyof Version]: Version[Field] };

export function buildChains(history: History): Chains {
  const puts = putsByToken(history);
  const deletes = deletesByState(history);
  const final = new Map(history.final.items.map((item) => [item.key, item]));
  const { byRevision, contradictions } = agree(sightings(history));
  const keys = new Map<string, Building[]>();
  const sorted = [...byRevision.values()].toSorted((a, b) => a.revision - b.revision);
  for (const { key, revision, token } of sorted) {
    const versions = keys.get(key) ?? [];
    keys.set(key, versions);
    versions.push(version({ key, revision, token, isInferred: false }));
  }
  const deletesOf = (key: string, expected: number) => deletes.get(state(key, expected)) ?? [];
  for (const [key, versions] of keys) {
    const complete = withInferredDeletes(versions, {
      isCreated: ({ token = '' }) => puts.get(token)?.kind === 'create',
      isDeletable: ({ revision }) => deletesOf(key, revision).length > 0,
      isGone: !final.has(key),
      end: history.final.revision,
    });
    link(complete);
    keys.set(key, complete);
  }
  const at = (key: string, revision: number) => lastUpTo(keys.get(key) ?? [], revision);
  return {
    keys,
    versions: [...keys.values()].flat().toSorted((a, b) => a.revision - b.revision),
    contradictions,
    final,
    put: (token) => puts.get(token),
    deletesOf,
    at,
    floor: floorOf(history, at),
  };
}

function* sightings({ writes, gets, lists, watches, final }: History): Generator<Sighting> {
  for (const write of writes) {
    const { key, client, outcome } = write;
    if (write.kind === 'delete' || outcome.kind !== 'ok' || outcome.revision === undefined)
      continue;
    const { token } = write;
    yield { key, revision: outcome.revision, token, by: `the answer to ${client}` };
  }
  for (const { found, client } of gets) if (found) yield { ...found, by: `a get of ${client}` };
  for (const { items, client, revision } of [...lists, final]) {
    for (const item of items) yield { ...item, by: `a list of ${client} at ${revision}` };
  }
  for (const { watcher, scope, sessions } of watches) {
    for (const event of sessions.flatMap(({ events }) => events)) {
      if (event.type === 'BOOKMARK') continue;
      const { type, key, revision, token } = event;
      const by = `${type} for ${watcher}`;
      if (type !== 'DELETED') yield { key, revision, token, by };
      // In a selection by value, DELETED may also mean that the object does not belong any more.
      else if (!scope.isByValue) yield { key, revision, token: undefined, by };
    }
  }
}

function agree(all: Iterable<Sighting>): {
  byRevision: Map<number, Sighting>;
  contradictions: { first: Sighting; second: Sighting }[];
} {
  const byRevision = new Map<number, Sighting>();
  const contradictions: { first: Sighting; second: Sighting }[] = [];
  for (const second of all) {
    const first = byRevision.get(second.revision);
    if (first === undefined) byRevision.set(second.revision, second);
    else if (first.key !== second.key || first.token !== second.token) {
      contradictions.push({ first, second });
    }
  }
  return { byRevision, contradictions };
}

/** A delete is answered without a revision; where no watch saw it either, it must be inferred. */
function withInferredDeletes(
  versions: readonly Building[],
  know: {
    isCreated(version: Building): boolean;
    isDeletable(version: Building): boolean;
    isGone: boolean;
    end: number;
  },
): Building[] {
  return versions.flatMap((each, at) => {
    const next = versions[at + 1];
    const mustBeDeleted = next === undefined ? know.isGone : know.isCreated(next);
    if (each.token === undefined || !mustBeDeleted || !know.isDeletable(each)) return [each];
    const revision = next === undefined ? know.end : next.revision - 0.5;
    return [each, version({ key: each.key, revision, token: undefined, isInferred: true })];
  });
}

function version(known: Omit<Version, 'previous' | 'next'>): Building {
  return { ...known, previous: undefined, next: undefined };
}

function link(versions: readonly Building[]): void {
  for (const [at, each] of versions.entries()) {
    each.previous = versions[at - 1];
    each.next = versions[at + 1];
  }
}

function putsByToken({ writes }: History): Map<Token, Put> {
  const puts = new Map<Token, Put>();
  for (const write of writes) {
    if (write.kind === 'delete') continue;
    if (puts.has(write.token)) throw new TypeError(`two writes have the token ${write.token}`);
    puts.set(write.token, write);
  }
  return puts;
}

function deletesByState({ writes }: History): Map<string, Delete[]> {
  const deletes = new Map<string, Delete[]>();
  for (const write of writes) {
    if (write.kind !== 'delete' || write.outcome.kind === 'refused') continue;
    const name = state(write.key, write.expected);
    deletes.set(name, [...(deletes.get(name) ?? []), write]);
  }
  return deletes;
}

function state(key: string, revision: number): string {
  return `${key}@${revision}`;
}

type FindVersion = (key: string, revision: number) => Version | undefined;

function floorOf(history: History, at: FindVersion): (moment: Moment) => number {
  let highest = 0;
  const reported = [...reportedRevisions(history, at)]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, revision }) => {
      highest = Math.max(highest, revision);
      return { at, revision: highest };
    });
  return (moment) => reported[firstIndex(reported, ({ at }) => at >= moment) - 1]?.revision ?? 0;
}

function* reportedRevisions(
  { writes, gets, lists, watches }: History,
  at: FindVersion,
): Generator<{ at: Moment; revision: number }> {
  for (const write of writes) {
    const revision = revisionOf(write, at);
    if (revision !== undefined) yield { at: write.end, revision };
  }
  for (const { end, found } of gets) if (found) yield { at: end, revision: found.revision };
  for (const { end, revision } of lists) yield { at: end, revision };
  for (const { sessions } of watches) {
    for (const { events } of sessions) yield* events;
  }
}

/** The revision of an acknowledged write; that of a delete comes from observers. */
export function revisionOf(write: Write, at: FindVersion): number | undefined {
  if (write.outcome.kind !== 'ok') return undefined;
  if (write.kind !== 'delete') return write.outcome.revision;
  const next = at(write.key, write.expected)?.next;
  return next?.token === undefined && next?.isInferred === false ? next.revision : undefined;
}

function lastUpTo(versions: readonly Version[], revision: number): Version | undefined {
  return versions[firstIndex(versions, (each) => each.revision > revision) - 1];
}

/** The first of sorted values for which something holds from there on; their number when of none. */
function firstIndex<T>(values: readonly T[], holds: (value: T) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(values[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
