/**
 * Judges a recorded history of namespaces that were deleted while others wrote into them.
 *
 * Events give every namespace one life or several, each with a uid: it is open from the revision at which it was made
 * until the one at which its deletion was asked for, and is gone at a third. The rules say what may happen to objects in
 * which part of a life. A request without an answer is never held against the server, whichever way it went.
 */
import type { NamespacedRef, NamespaceHistory } from './namespace-history.ts';

export type NamespaceRule =
  | 'late-create'
  | 'lost'
  | 'unasked'
  | 'left-over'
  | 'stuck'
  | 'gone-too-early'
  | 'unseen';

export interface NamespaceViolation {
  readonly rule: NamespaceRule;
  readonly detail: string;
}

interface Life {
  readonly name: string;
  readonly uid: string;
  readonly from: number;
  /** Infinity while it has not happened. */
  deleting: number;
  gone: number;
}

/** The lives of all namespaces, by name, in order. */
type Lives = ReadonlyMap<string, readonly Life[]>;

export function checkNamespaces(history: NamespaceHistory): NamespaceViolation[] {
  const lives = livesOf(history);
  return [
    ...checkCreates(history, lives),
    ...checkSeen(history),
    ...checkRetained(history, lives),
    ...checkDeletions(history, lives),
    ...checkOrder(history, lives),
    ...checkNothingLeft(history),
  ];
}

function livesOf({ namespaces }: NamespaceHistory): Lives {
  const lives = new Map<string, Life[]>();
  for (const { name, uid, revision, isDeleting, type } of namespaces) {
    const all = lives.get(name) ?? [];
    lives.set(name, all);
    let life = all.find((one) => one.uid === uid);
    if (life === undefined) {
      life = { name, uid, from: revision, deleting: Infinity, gone: Infinity };
      all.push(life);
    }
    if (isDeleting || type === 'DELETED') life.deleting = Math.min(life.deleting, revision);
    if (type === 'DELETED') life.gone = revision;
  }
  return lives;
}

/** The life in which a namespace took new objects at a revision. */
function openAt(lives: Lives, namespace: string, revision: number): Life | undefined {
  return (lives.get(namespace) ?? []).find(
    ({ from, deleting }) => from < revision && revision < deleting,
  );
}

/** `late-create`: nothing is ever created in a namespace that is missing or going away. */
function* checkCreates(history: NamespaceHistory, lives: Lives): Generator<NamespaceViolation> {
  const added = history.objects.filter(({ type }) => type === 'ADDED');
  for (const created of [...history.creates, ...added]) {
    const { namespace, revision } = created;
    if (openAt(lives, namespace, revision) !== undefined) continue;
    const known = (lives.get(namespace) ?? []).map(describeLife).join(', ') || 'it never was';
    yield { rule: 'late-create', detail: `${describe(created)} at ${revision}: ${known}` };
  }
}

/** `unseen`: an acknowledged create is told to watchers, as the object and the revision that were acknowledged. */
function* checkSeen({ creates, objects }: NamespaceHistory): Generator<NamespaceViolation> {
  const added = new Map(
    objects.filter(({ type }) => type === 'ADDED').map((event) => [event.uid, event]),
  );
  for (const created of creates) {
    if (added.get(created.uid)?.revision === created.revision) continue;
    yield { rule: 'unseen', detail: `${describe(created)} at ${created.revision}` };
  }
}

/** `lost`: an object that was acknowledged or observed in a namespace that was not deleted exists in the end. */
function* checkRetained(history: NamespaceHistory, lives: Lives): Generator<NamespaceViolation> {
  const there = new Set(history.final.objects.map(({ uid }) => uid));
  const reported = new Set<string>();
  const added = history.objects.filter(({ type }) => type === 'ADDED');
  for (const created of [...history.creates, ...added]) {
    const life = openAt(lives, created.namespace, created.revision);
    if (life === undefined || life.deleting !== Infinity) continue;
    if (created.revision > (history.final.readAt[created.plural] ?? 0)) continue;
    if (there.has(created.uid) || reported.has(created.uid)) continue;
    reported.add(created.uid);
    yield { rule: 'lost', detail: `${describe(created)} of ${created.revision}` };
  }
}

/**
 * `unasked`: a namespace is deleted on request, and an object because its namespace is. `stuck`: a namespace whose
 * deletion was acknowledged, or has begun, does not exist in the end.
 */
function* checkDeletions(history: NamespaceHistory, lives: Lives): Generator<NamespaceViolation> {
  const asked = new Set(history.deletions.map(({ uid }) => uid));
  for (const life of [...lives.values()].flat()) {
    if (life.deleting === Infinity || asked.has(life.uid)) continue;
    yield { rule: 'unasked', detail: `${life.name}: ${describeLife(life)}` };
  }
  for (const event of history.objects) {
    if (event.type !== 'DELETED' && !event.isDeleting) continue;
    if (openAt(lives, event.namespace, event.revision) === undefined) continue;
    yield { rule: 'unasked', detail: `${describe(event)} was deleted at ${event.revision}` };
  }
  const certain = new Set(history.deletions.filter((one) => one.isCertain).map(({ uid }) => uid));
  for (const { name, uid, isDeleting } of history.final.namespaces) {
    if (isDeleting || certain.has(uid)) yield { rule: 'stuck', detail: name };
  }
}

/** `gone-too-early`: when a namespace goes, nothing is in it any more. */
function* checkOrder(history: NamespaceHistory, lives: Lives): Generator<NamespaceViolation> {
  const goneAt = new Map(
    history.objects
      .filter(({ type }) => type === 'DELETED')
      .map(({ uid, revision }) => [uid, revision]),
  );
  for (const event of history.objects) {
    if (event.type !== 'ADDED') continue;
    const life = (lives.get(event.namespace) ?? []).find(
      ({ from, gone }) => from < event.revision && event.revision < gone,
    );
    if (life === undefined || life.gone === Infinity) continue;
    if ((goneAt.get(event.uid) ?? Infinity) < life.gone) continue;
    const detail = `${describe(event)} was there when its namespace went at ${life.gone}`;
    yield { rule: 'gone-too-early', detail };
  }
}

/** `left-over`: in the end there is nothing of namespaces that are not there, neither in the API nor in the store. */
function* checkNothingLeft({ namespaces, final }: NamespaceHistory): Generator<NamespaceViolation> {
  const there = new Set(final.namespaces.map(({ name }) => name));
  for (const object of final.objects) {
    if (!there.has(object.namespace)) yield { rule: 'left-over', detail: describe(object) };
  }
  const missing = new Set(namespaces.map(({ name }) => name).filter((name) => !there.has(name)));
  for (const key of final.storedKeys) {
    const isOfMissing = key.split('/').some((part) => missing.has(part));
    if (isOfMissing) yield { rule: 'left-over', detail: `the key ${key}` };
  }
}

function describe({ plural, namespace, name, uid }: NamespacedRef): string {
  return `${plural} ${namespace}/${name} (${uid})`;
}

function describeLife({ from, deleting, gone }: Life): string {
  return `made at ${from}, deleted at ${deleting}, gone at ${gone}`;
}
