/**
 * Judges a recorded history: was there one store behind it that lost nothing, and did every client
 * see that store?
 *
 * The argument in short. Every value names the write it came from, and every change has a revision.
 * So all evidence together (answers, reads, events, the final list) gives for each key one sequence
 * of states. The rules say that this sequence is one that the writes explain (`unexplained`,
 * `applied-twice`, `overwrote`), that its numbers are those of one counter that only grows
 * (`revision-reused`, `revision-back`), that it ends with what is there in the end (`lost`), that
 * each read shows a moment of it between its question and its answer (`stale`, `torn`,
 * `wrong-refusal`), and that each watch tells it from where it began, whole and in order
 * (`watch-missed`, `watch-repeated`, `watch-reordered`, `watch-wrong`).
 *
 * It is sound: a write without an answer is never held against the store, whichever way it went.
 */
import { buildChains, type Chains, revisionOf, type Version } from './chain.ts';
import type { Get, History, List, Scope, WatchEvent, WatchLog, Write } from './history.ts';

export type Rule =
  | 'lost'
  | 'overwrote'
  | 'applied-twice'
  | 'unexplained'
  | 'revision-reused'
  | 'revision-back'
  | 'stale'
  | 'torn'
  | 'wrong-refusal'
  | 'watch-missed'
  | 'watch-repeated'
  | 'watch-reordered'
  | 'watch-wrong';

export interface Violation {
  readonly rule: Rule;
  readonly detail: string;
}

export function checkHistory(history: History): Violation[] {
  const chains = buildChains(history);
  return [
    ...checkRevisions(history, chains),
    ...checkExplained(chains),
    ...checkOrder(history, chains),
    ...checkFinal(history, chains),
    ...checkReads(history, chains),
    ...checkRefusals(history, chains),
    ...history.watches.flatMap((log) => [...checkWatch(log, history, chains)]),
  ];
}

/** A few of each rule: one fault tends to break a rule many times. */
export function describeViolations(
  violations: readonly { readonly rule: string; readonly detail: string }[],
  perRule = 3,
): string {
  const byRule = Map.groupBy(violations, ({ rule }) => rule);
  return [...byRule]
    .flatMap(([rule, all]) => [
      ...all.slice(0, perRule).map(({ detail }) => `${rule}: ${detail}`),
      ...(all.length > perRule ? [`${rule}: … and ${all.length - perRule} more`] : []),
    ])
    .join('\n');
}

/**
 * `revision-reused`: a revision is one change of one key. A store that lost commits and assigned their numbers again
 * shows two changes under one number. `revision-back`: a write that began after an observation of revision R has a
 * larger one. This catches a counter that went back even where no number is used twice.
 */
function* checkRevisions(history: History, chains: Chains): Generator<Violation> {
  for (const { first, second } of chains.contradictions) {
    const { key, revision, token = 'deleted', by } = first;
    const other = `${second.key} = ${second.token ?? 'deleted'}, by ${second.by}`;
    yield {
      rule: 'revision-reused',
      detail: `${revision} is ${key} = ${token}, by ${by}, and ${other}`,
    };
  }
  for (const write of history.writes) {
    const revision = revisionOf(write, chains.at);
    const floor = chains.floor(write.start);
    if (revision === undefined || revision > floor) continue;
    const detail = `${describe(write)} got ${revision}; ${floor} was known before it began`;
    yield { rule: 'revision-back', detail };
  }
}

/**
 * `unexplained`: every state was requested by a write to that key that was not refused. This catches values made up or
 * torn, writes that happen although the client got a refusal, and keys that vanish without a deletion. `applied-twice`:
 * a write happens once. A store that replays its log twice, or a server that retries after a failure it misread, shows
 * one write at two revisions.
 */
function* checkExplained(chains: Chains): Generator<Violation> {
  const firstSeen = new Map<string, number>();
  for (const version of chains.versions) {
    const { key, revision, token } = version;
    if (token === undefined) {
      if (!isDeleteExplained(version, chains)) {
        yield { rule: 'unexplained', detail: `${key} was deleted at ${revision}, nobody asked` };
      }
      continue;
    }
    const put = chains.put(token);
    if (put === undefined || put.key !== key || put.outcome.kind === 'refused') {
      const why = put === undefined ? 'nobody wrote that' : `but ${describe(put)}`;
      yield { rule: 'unexplained', detail: `${key} = ${token} at ${revision}, ${why}` };
    }
    const first = firstSeen.get(token);
    if (first !== undefined) {
      const detail = `${key} = ${token} happened at ${first} and again at ${revision}`;
      yield { rule: 'applied-twice', detail };
    }
    firstSeen.set(token, first ?? revision);
  }
}

function isDeleteExplained({ key, previous }: Version, { deletesOf }: Chains): boolean {
  return previous?.token !== undefined && deletesOf(key, previous.revision).length > 0;
}

/**
 * `overwrote`: an update follows the very state it named, and a create follows nothing, so the
 * states of a key form a line. If two compare-and-sets on one state succeeded, the later of them
 * follows the other one instead. The same when an acknowledged write is forgotten and the key goes
 * on from the state before.
 */
function* checkOrder(history: History, chains: Chains): Generator<Violation> {
  const seen = new Set<string>();
  for (const { token, key, revision, previous } of chains.versions) {
    // Of a write that was applied twice only the first time can follow what it named.
    if (token === undefined || seen.has(token)) continue;
    seen.add(token);
    const put = chains.put(token);
    if (put === undefined) continue;
    const found = previous?.token === undefined ? undefined : previous.revision;
    const named = put.kind === 'create' ? undefined : put.expected;
    if (found === named) continue;
    const detail = `${key} = ${token} at ${revision} is on top of ${found ?? 'nothing'}, and ${describe(put)}`;
    yield { rule: 'overwrote', detail };
  }
  for (const write of history.writes) {
    if (write.kind !== 'delete' || write.outcome.kind !== 'ok') continue;
    const next = chains.at(write.key, write.expected)?.next;
    const [first] = chains.deletesOf(write.key, write.expected).filter(isAcknowledged);
    if (next?.token === undefined && first === write) continue;
    const by = next?.token ?? (first ? describe(first) : 'nothing');
    yield { rule: 'overwrote', detail: `${describe(write)}, and so did ${by}` };
  }
}

/**
 * `lost`: a key's last state is the final one. Every state that was acknowledged, or observed by a reader or a watcher,
 * is in the sequence of its key; when it is the last and is not final, it is lost. When it is not the last, its
 * successor was checked to follow it.
 */
function* checkFinal(
  { final: { revision: end }, writes }: History,
  chains: Chains,
): Generator<Violation> {
  for (const [key, versions] of chains.keys) {
    const last = versions.at(-1);
    const there = chains.final.get(key);
    const expected = last?.token === undefined ? undefined : last.revision;
    if (there?.revision === expected) continue;
    const was = `${key} was ${last?.token ?? 'deleted'} at ${last?.revision}`;
    yield lost(`${was}, the final list at ${end} has it ${there ? `at ${there.revision}` : 'not'}`);
  }
  for (const write of writes) {
    if (write.kind !== 'delete' || write.outcome.kind !== 'ok') continue;
    if (chains.final.get(write.key)?.revision !== write.expected) continue;
    yield lost(`${describe(write)}, the final list at ${end} has it still`);
  }
}

function lost(detail: string): Violation {
  return { rule: 'lost', detail };
}

/**
 * `stale`: a read knows every state observed before it began. `floor` is the highest such revision, and revisions are
 * the order of commits, so the state that a get shows must not have been replaced at `floor`, and a list must not be
 * older. Reads across a restart are no exception: an observed state must have been on disk. `torn`: a list is the state
 * of its whole scope at exactly the revision it names.
 */
function* checkReads(history: History, chains: Chains): Generator<Violation> {
  for (const get of history.gets) {
    const floor = chains.floor(get.start);
    if (!isFresh(get, floor, chains)) {
      const { client, key, found } = get;
      const what = found ? `${found.token} at ${found.revision}` : 'nothing';
      const detail = `${client} found ${what} in ${key}; ${floor} was known before it asked`;
      yield { rule: 'stale', detail };
    }
  }
  for (const list of [...history.lists, history.final]) {
    const floor = chains.floor(list.start);
    if (list.revision < floor) {
      const detail = `the list of ${list.client} is at ${list.revision}; ${floor} was known before`;
      yield { rule: 'stale', detail };
    }
    // Wrong items of the final list are lost.
    if (list !== history.final) yield* checkList(list, chains);
  }
}

function isFresh({ key, found }: Get, floor: number, { at, keys }: Chains): boolean {
  if (found !== undefined) {
    const next = at(key, found.revision)?.next;
    return next === undefined || next.isInferred || next.revision > floor;
  }
  const present = at(key, floor);
  if (present?.token === undefined || present.next?.isInferred) return true;
  return (keys.get(key) ?? []).some(({ token, revision }) => !token && revision > floor);
}

function* checkList(list: List, { keys, at }: Chains): Generator<Violation> {
  const { client, revision, scope, items } = list;
  const listed = new Map(items.map((item) => [item.key, item.revision]));
  for (const key of keys.keys()) {
    const state = at(key, revision);
    const isThere = state?.token !== undefined && scope.selects(key, state.token);
    const expected = isThere ? state.revision : undefined;
    const shown = listed.get(key);
    if (shown === expected || (shown === undefined && state?.next?.isInferred)) continue;
    const detail = `the list of ${client} at ${revision} has ${key} at ${shown}, not at ${expected}`;
    yield { rule: 'torn', detail };
  }
}

/**
 * `wrong-refusal`: a write that names a state is refused only when that state is no longer there.
 * It certainly was there when whatever replaced it began after the refusal.
 */
function* checkRefusals({ writes }: History, chains: Chains): Generator<Violation> {
  for (const write of writes) {
    if (write.kind === 'create' || write.outcome.kind !== 'refused') continue;
    const { key, expected, outcome, end } = write;
    if (outcome.code !== 404 && outcome.code !== 409) continue;
    const state = chains.at(key, expected);
    if (state?.revision !== expected || state.token === undefined) continue;
    if (!state.next || beginOf(state.next, chains) > end) {
      yield { rule: 'wrong-refusal', detail: `${describe(write)}, and ${expected} was there` };
    }
  }
}

/** When the writes that can have made a version had begun, at the earliest. */
function beginOf({ key, token, previous }: Version, { put, deletesOf }: Chains): number {
  if (token !== undefined) return put(token)?.start ?? 0;
  const starts = deletesOf(key, previous?.revision ?? 0).map(({ start }) => start);
  return starts.length === 0 ? 0 : Math.min(...starts);
}

/**
 * From the sequences of all keys follows what a watch must have told, exactly.
 *
 * `watch-missed`: it told something later, and not this. `watch-repeated`: it told a change twice,
 * or one that the list it began with included. `watch-reordered`: a change came behind a later one,
 * or behind a bookmark that promised that nothing earlier would come. `watch-wrong`: a change of
 * another kind, with another value, or one that it did not ask for.
 *
 * Where a watch was cut, it went on after the last revision it had been told: all its connections
 * together count as one, up to the final list.
 */
function* checkWatch(log: WatchLog, { final }: History, chains: Chains): Generator<Violation> {
  const { watcher, scope } = log;
  const due = [...dueEvents(scope, chains)];
  for (const { after, events, isLast } of stretches(log)) {
    const seen = new Map<number, WatchEvent>();
    let last = after;
    for (const event of events) {
      const { type, revision } = event;
      const what = `${watcher}: ${type} at ${revision}`;
      if (type !== 'BOOKMARK' && (seen.has(revision) || revision <= after)) {
        yield { rule: 'watch-repeated', detail: `${what} came after ${last}, once more` };
        continue;
      }
      if (revision < last) yield { rule: 'watch-reordered', detail: `${what} came after ${last}` };
      if (type !== 'BOOKMARK') seen.set(revision, event);
      last = Math.max(last, revision);
    }
    const until = isLast ? Math.max(last, final.revision) : last;
    const expected = due.filter((event) => isDue(event, after, until));
    yield* compare(watcher, seen, expected);
  }
}

function* compare(
  watcher: string,
  seen: ReadonlyMap<number, WatchEvent>,
  expected: readonly DueEvent[],
): Generator<Violation> {
  const asked = new Set<number>();
  for (const { type, key, token, revision } of expected) {
    asked.add(revision);
    const what = `${type} of ${key} = ${token} at ${revision}`;
    const event = seen.get(revision);
    if (event === undefined) yield { rule: 'watch-missed', detail: `${watcher}: ${what}` };
    else if (event.type === 'BOOKMARK') continue;
    else if (event.type !== type || event.key !== key || event.token !== token) {
      const reported = `${event.type} of ${event.key} = ${event.token}`;
      yield { rule: 'watch-wrong', detail: `${watcher}: ${reported} instead of ${what}` };
    }
  }
  for (const event of seen.values()) {
    if (asked.has(event.revision) || event.type === 'BOOKMARK') continue;
    const reported = `${event.type} of ${event.key} = ${event.token} at ${event.revision}`;
    yield { rule: 'watch-wrong', detail: `${watcher}: ${reported}, which it did not ask for` };
  }
}

interface DueEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly token: string;
  readonly revision: number;
  /** For an event of unknown revision: it is after this one. */
  readonly inferredAfter: number | undefined;
}

/** The event of every version for a watcher of a scope. */
function* dueEvents(scope: Scope, { versions }: Chains): Generator<DueEvent> {
  for (const { key, revision, token, previous, isInferred } of versions) {
    const old = previous?.token;
    const was = old !== undefined && scope.selects(key, old);
    const is = token !== undefined && scope.selects(key, token);
    const inferredAfter = isInferred ? previous?.revision : undefined;
    if (is) yield { type: was ? 'MODIFIED' : 'ADDED', key, token, revision, inferredAfter };
    // The event of an object that leaves has its last value.
    else if (was) yield { type: 'DELETED', key, token: old, revision, inferredAfter };
  }
}

function isDue({ revision, inferredAfter }: DueEvent, after: number, until: number): boolean {
  return (inferredAfter ?? revision - 1) >= after && revision <= until;
}

interface Stretch {
  readonly after: number;
  readonly events: readonly WatchEvent[];
  readonly isLast: boolean;
}

/** Connections that went on where the one before ended are one stretch. */
function stretches({ watcher, sessions }: WatchLog): Stretch[] {
  const joined: { after: number; events: WatchEvent[] }[] = [];
  let mayList = true;
  for (const { start, after, events, end } of sessions) {
    const current = joined.at(-1);
    if (start === 'list') {
      if (!mayList) throw new TypeError(`${watcher} listed again without being told to`);
      joined.push({ after, events: [...events] });
    } else {
      const place = current?.events.at(-1)?.revision ?? current?.after;
      if (place !== after) throw new TypeError(`${watcher} was at ${place}, resumed at ${after}`);
      for (const event of events) current?.events.push(event);
    }
    mayList = end === 'expired';
  }
  return joined.map((stretch, at) => ({ ...stretch, isLast: at === joined.length - 1 }));
}

function isAcknowledged({ outcome }: Write): boolean {
  return outcome.kind === 'ok';
}

function describe(write: Write): string {
  const { client, kind, key, outcome } = write;
  const value = write.kind === 'delete' ? '' : ` = ${write.token}`;
  const on = write.kind === 'create' ? '' : ` on ${write.expected}`;
  const responses = {
    ok: 'was acknowledged',
    refused: `was refused with ${outcome.kind === 'refused' ? outcome.code : ''}`,
    unknown: 'had no answer',
  };
  return `${kind} ${key}${value}${on} of ${client} ${responses[outcome.kind]}`;
}
