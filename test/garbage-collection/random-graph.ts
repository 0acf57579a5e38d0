import type { SeededRandom } from '../harness/index.ts';
import type { TestKind } from './kinds.ts';
import {
  type Deletion,
  descendants,
  finalGraph,
  type ModelGraph,
  type ModelObject,
  type ModelReference,
  NAMESPACED,
  type Policy,
} from './model.ts';

/** Referred to and never made. */
export const ABSENT = `${NAMESPACED}absent`;

/** Most have one, so that most go with it. */
const OWNERS = [1, 1, 1, 2, 3];
const CHANCES = {
  owned: 0.8,
  absent: 0.05,
  elsewhere: 0.05,
  wrongScope: 0.1,
  circle: 0.1,
  /** That those are deleted first that own something. */
  owners: 0.8,
} as const;

export interface GraphOptions {
  readonly kinds: readonly TestKind[];
  readonly namespaces: readonly string[];
  readonly size: number;
  /**
   * Objects without a namespace whose owner has one own nothing. When upstream hears of a dependent of such an object
   * first, it looks for the owner in the dependent's namespace, and may delete the object.
   */
  readonly undecidedOwnNothing?: boolean | undefined;
}

/** Owners come before their dependents, apart from circles. */
export function randomGraph(random: SeededRandom, spec: GraphOptions): ModelGraph {
  const graph = new Map<string, ModelObject>();
  for (let index = 0; index < spec.size; index += 1) {
    const kind = random.pick(spec.kinds);
    const namespace = kind.namespaced ? random.pick(spec.namespaces) : '';
    const name = `${kind.namespaced ? NAMESPACED : 'c-'}${index}`;
    const candidates = [...graph.values()].filter(
      (one) => !spec.undecidedOwnNothing || !isUndecided(one),
    );
    const isOwned = random.chance(CHANCES.owned);
    const owners = isOwned ? randomOwners(random, candidates, namespace) : [];
    graph.set(name, { name, kind: kind.kind, namespace, owners });
  }
  return withCircles(random, graph);
}

function randomOwners(
  random: SeededRandom,
  candidates: readonly ModelObject[],
  namespace: string,
): readonly ModelReference[] {
  const unknownClients = candidates.filter(
    (one) => one.namespace !== '' && one.namespace !== namespace,
  );
  if (namespace === '' && unknownClients.length > 0 && random.chance(CHANCES.wrongScope)) {
    // It is never decided, so nothing may wait for it.
    return [{ owner: random.pick(unknownClients).name, blocks: false }];
  }
  const valid = candidates.filter((one) => one.namespace === '' || one.namespace === namespace);
  const names = new Set<string>();
  const wanted = random.pick(OWNERS);
  for (let count = 0; count < wanted; count += 1) {
    const isUnknown = namespace !== '' && random.chance(CHANCES.elsewhere);
    if (random.chance(CHANCES.absent) && namespace !== '') names.add(ABSENT);
    else if (isUnknown && unknownClients.length > 0) names.add(random.pick(unknownClients).name);
    else if (valid.length > 0) names.add(random.pick(valid).name);
  }
  return [...names].map((owner) => ({ owner, blocks: random.chance(0.7) }));
}

/** An owner may depend on its dependent. Cycles of blocked deletions are left out: there upstream has a race. */
function withCircles(random: SeededRandom, graph: ModelGraph): ModelGraph {
  const next = new Map(graph);
  // Objects that are garbage without their cycle may be collected before the cycle is closed.
  const staying = finalGraph(graph, []);
  for (const object of graph.values()) {
    const [first] = object.owners;
    const owner = next.get(first?.owner ?? '');
    if (owner === undefined || !random.chance(CHANCES.circle)) continue;
    if (owner.namespace !== object.namespace || owner.owners.length === 0) continue;
    if (isUndecided(owner) || !staying.has(owner.name)) continue;
    if (owner.owners.some((reference) => reference.owner === object.name)) continue;
    const owners = [...owner.owners, { owner: object.name, blocks: false }];
    next.set(owner.name, { ...owner, owners });
  }
  return next;
}

/** It has no namespace, and its owner has one. */
function isUndecided({ namespace, owners }: ModelObject): boolean {
  return namespace === '' && owners.some(({ owner }) => owner.startsWith(NAMESPACED));
}

const POLICIES: readonly Policy[] = ['Background', 'Foreground', 'Orphan'];

/**
 * Concurrent deletions. Whether an orphan loses its reference before it is collected for another reason is not defined,
 * so deletions whose effects meet are left out where one of them leaves orphans.
 */
export function randomDeletions(
  random: SeededRandom,
  graph: ModelGraph,
  count: number,
): readonly Deletion[] {
  const chosen: Deletion[] = [];
  const touched = new Map<string, ReadonlySet<string>>();
  const names = random.shuffle([...graph.keys()]);
  const owners = names.filter((name) => descendants(graph, name).size > 1);
  for (const name of random.chance(CHANCES.owners) ? [...owners, ...names] : names) {
    if (chosen.length >= count) break;
    if (touched.has(name)) continue;
    const policy = random.pick(POLICIES);
    const reach = descendants(graph, name);
    const isAlone = chosen.every(
      (other) =>
        isDisjoint(touched.get(other.name) ?? new Set(), reach) ||
        (policy !== 'Orphan' &&
          other.policy !== 'Orphan' &&
          !reach.has(other.name) &&
          touched.get(other.name)?.has(name) !== true),
    );
    if (!isAlone) continue;
    touched.set(name, reach);
    chosen.push({ name, policy });
  }
  return chosen;
}

function isDisjoint(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].every((name) => !b.has(name));
}
