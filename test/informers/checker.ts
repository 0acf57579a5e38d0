/** Whether an informer told the truth, all of it, and ended with what the server has. */
import type { InformerEvent, Item, Life, Version } from './history.ts';

export interface InformerLog {
  /** In the order in which the handler was called. */
  readonly events: readonly InformerEvent[];
  /** The final store of the informer. */
  readonly store: readonly Item[];
  /** How often it asked for the whole state again while the changes were made. */
  readonly relists: number;
  /** How often it began with all objects, its first time included. */
  readonly beginnings: number;
  /**
   * After such a list, some client libraries say `update` when an object has ended and another one has its
   * name: client-go and @kubernetes/client-node do.
   */
  readonly replacesByUpdate: boolean;
}

export interface Truth {
  /** Every object that was there when the informer began, or came later. */
  readonly lives: readonly Life[];
  /** Versions up to here were there when the informer began. */
  readonly start: Version;
  /** The final list of the server. */
  readonly list: readonly Item[];
}

export type Rule =
  | 'repeated'
  | 'backwards'
  | 'unknown'
  | 'replaced'
  | 'invented'
  | 'missed'
  | 'reordered'
  | 'untold'
  | 'lost'
  | 'left over'
  | 'stale'
  | 'altered';

export interface Violation {
  readonly rule: Rule;
  readonly text: string;
}

export function checkInformer(log: InformerLog, truth: Truth): Violation[] {
  const { view, violations } = replay(log);
  return [
    ...violations,
    ...checkOrigin(log.events, truth),
    // After a list, changes that were overtaken are missed rightly, and the others come in any order.
    ...(log.relists === 0 ? [...checkOrder(log.events, truth), ...checkMissed(log, truth)] : []),
    ...checkReported(log.store, view),
    ...checkStore(log.store, truth.list),
  ];
}

export function describeViolations(violations: readonly Violation[]): string {
  const lines = violations.slice(0, SHOWN_MAX).map(({ rule, text }) => `${rule}: ${text}`);
  const more = violations.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

const SHOWN_MAX = 12;

type View = Map<string, { uid: string; version: Version }>;

/** Each call against what the handler was told before. */
function replay({ events, relists, beginnings, replacesByUpdate }: InformerLog): {
  view: View;
  violations: Violation[];
} {
  const view: View = new Map();
  const violations: Violation[] = [];
  const mayReplace = replacesByUpdate && relists > 0;
  for (const event of events) {
    const rule = contradiction(event, view.get(event.key), {
      mayReplace,
      mayRepeat: beginnings > 1,
    });
    if (rule !== undefined) {
      violations.push({ rule, text: `${label(event)}, known was ${known(view.get(event.key))}` });
    }
    if (event.kind === 'delete') view.delete(event.key);
    else view.set(event.key, { uid: event.uid, version: event.version });
  }
  return { view, violations };
}

function contradiction(
  { kind, uid, version }: InformerEvent,
  before: { uid: string; version: Version } | undefined,
  // After a list some clients tell of every object again, changed or not.
  { mayReplace, mayRepeat }: { mayReplace: boolean; mayRepeat: boolean },
): Rule | undefined {
  if (kind === 'add') return before === undefined ? undefined : 'repeated';
  if (before === undefined) return 'unknown';
  if (before.uid !== uid && !(kind === 'update' && mayReplace)) return 'replaced';
  if (version < before.version) return 'backwards';
  return kind === 'update' && version === before.version && !mayRepeat ? 'repeated' : undefined;
}

/** Every event is about an object and a version that was written, and no event comes twice. */
function checkOrigin(events: readonly InformerEvent[], { lives }: Truth): Violation[] {
  const known = new Map(lives.map((life) => [life.uid, life]));
  const violations: Violation[] = [];
  const added = new Set<string>();
  for (const event of events) {
    const life = known.get(event.uid);
    if (life === undefined || life.key !== event.key || !isOf(life, event)) {
      violations.push({ rule: 'invented', text: label(event) });
    }
    if (event.kind !== 'add') continue;
    if (added.has(event.uid)) violations.push({ rule: 'repeated', text: `second ${label(event)}` });
    added.add(event.uid);
  }
  return violations;
}

function isOf(life: Life, { kind, version }: InformerEvent): boolean {
  if (kind !== 'delete') return life.versions.includes(version);
  return life.ended && version >= (life.versions[0] ?? 0);
}

function checkOrder(events: readonly InformerEvent[], { start }: Truth): Violation[] {
  const violations: Violation[] = [];
  let before: InformerEvent | undefined;
  for (const event of events) {
    if (event.version <= start) continue;
    if (before !== undefined && event.version <= before.version) {
      violations.push({ rule: 'reordered', text: `${label(event)} after ${label(before)}` });
    }
    before = event;
  }
  return violations;
}

function checkMissed({ events }: InformerLog, { lives }: Truth): Violation[] {
  const reported = new Set(events.filter(({ kind }) => kind !== 'delete').map(versionLabel));
  const endings = new Set(events.filter(({ kind }) => kind === 'delete').map(({ uid }) => uid));
  const violations: Violation[] = [];
  for (const { key, uid, versions, ended } of lives) {
    for (const version of versions) {
      if (reported.has(versionLabel({ uid, version }))) continue;
      violations.push({ rule: 'missed', text: `${key} ${uid} at ${version}` });
    }
    if (ended && !endings.has(uid)) {
      violations.push({ rule: 'missed', text: `the end of ${key} ${uid}` });
    }
  }
  return violations;
}

/** A handler that believes every call knows what the store holds. */
function checkReported(store: readonly Item[], view: View): Violation[] {
  const violations: Violation[] = [];
  const rest = new Map(view);
  for (const item of store) {
    const reported = rest.get(item.key);
    rest.delete(item.key);
    if (reported?.uid === item.uid && reported.version === item.version) continue;
    violations.push({
      rule: 'untold',
      text: `the store has ${itemLabel(item)}, told was ${known(reported)}`,
    });
  }
  for (const [key, reported] of rest) {
    violations.push({
      rule: 'untold',
      text: `the store lacks ${key}, told was ${known(reported)}`,
    });
  }
  return violations;
}

/** Compares the final store of an informer with the server's list. */
export function checkStore(store: readonly Item[], list: readonly Item[]): Violation[] {
  const violations: Violation[] = [];
  const held = new Map(store.map((item) => [item.key, item]));
  for (const item of list) {
    const own = held.get(item.key);
    held.delete(item.key);
    if (own === undefined) violations.push({ rule: 'lost', text: itemLabel(item) });
    else if (own.uid !== item.uid || own.version !== item.version) {
      violations.push({ rule: 'stale', text: `${itemLabel(own)}, the server has ${known(item)}` });
    } else if (own.hash !== item.hash) {
      violations.push({ rule: 'altered', text: `the content of ${itemLabel(own)}` });
    }
  }
  for (const item of held.values()) violations.push({ rule: 'left over', text: itemLabel(item) });
  return violations;
}

function label({ kind, key, uid, version }: InformerEvent): string {
  return `${kind} of ${key} ${uid} at ${version}`;
}

function itemLabel({ key, uid, version }: Item): string {
  return `${key} ${uid} at ${version}`;
}

function versionLabel({ uid, version }: { uid: string; version: Version }): string {
  return `${uid} ${version}`;
}

function known(state: { uid: string; version: Version } | undefined): string {
  return state === undefined ? 'nothing' : `${state.uid} at ${state.version}`;
}
