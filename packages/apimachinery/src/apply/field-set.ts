import { compareText } from '../values/compare-text.ts';
import { fieldOf, isKeyElement, type PathElement, sortedPathElements } from './path-element.ts';
import type { Type } from './type.ts';

type Members = ReadonlySet<PathElement>;
type Children = ReadonlyMap<PathElement, FieldSet>;

const NO_MEMBERS: Members = new Set();
const NO_CHILDREN: Children = new Map();

/** Upstream's `fieldpath.Set`: a set of paths as a tree. Immutable; operations share unchanged subtrees. */
export class FieldSet {
  static readonly empty = new FieldSet(NO_MEMBERS, NO_CHILDREN);

  /** Elements at which a path ends. */
  readonly members: Members;
  /** Elements at which longer paths continue. No child is empty. */
  readonly children: Children;

  constructor(members: Members, children: Children) {
    this.members = members;
    this.children = children;
  }

  static of(...paths: readonly (readonly PathElement[])[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  has(path: readonly PathElement[]): boolean {
    let set: FieldSet | undefined = this;
    const last = path.length - 1;
    for (let depth = 0; depth < last; depth += 1) {
      set = set.children.get(path[depth] as PathElement);
      if (set === undefined) return false;
    }
    return last >= 0 && set.members.has(path[last] as PathElement);
  }

  /** The paths below an element. */
  below(element: PathElement): FieldSet {
    return this.children.get(element) ?? FieldSet.empty;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    const members = other.members.isSubsetOf(this.members)
      ? this.members
      : this.members.union(other.members);
    let children = this.children;
    for (const [element, set] of other.children) {
      const own = this.children.get(element);
      const both = own?.union(set) ?? set;
      if (both === own) continue;
      if (children === this.children) children = new Map(children);
      (children as Map<PathElement, FieldSet>).set(element, both);
    }
    return members === this.members && children === this.children
      ? this
      : new FieldSet(members, children);
  }

  isDisjointFrom(other: FieldSet): boolean {
    if (this.members.size > 0 && other.members.size > 0) {
      if (!this.members.isDisjointFrom(other.members)) return false;
    }
    for (const [element, set] of other.children) {
      const own = this.children.get(element);
      if (own !== undefined && !own.isDisjointFrom(set)) return false;
    }
    return true;
  }

  intersection(other: FieldSet): FieldSet {
    if (this.isDisjointFrom(other)) return FieldSet.empty;
    const members = this.members.intersection(other.members);
    const children = new Map<PathElement, FieldSet>();
    const [small, large] = this.children.size < other.children.size ? [this, other] : [other, this];
    for (const [element, set] of small.children) {
      const both = large.children.get(element)?.intersection(set);
      if (both !== undefined && !both.isEmpty) children.set(element, both);
    }
    return fieldSet(members, children);
  }

  /** The set without the paths of another set; longer paths below them stay. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, (set, less) => set.difference(less));
  }

  /** The set without the paths of another set and all paths below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    const rest = this.#without(other, (set, less) => set.recursiveDifference(less));
    if (other.members.size === 0 || rest.children.size === 0) return rest;
    const children = new Map([...rest.children].filter(([element]) => !other.members.has(element)));
    return children.size === rest.children.size ? rest : fieldSet(rest.members, children);
  }

  #without(other: FieldSet, minus: (set: FieldSet, less: FieldSet) => FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const overlaps = !this.members.isDisjointFrom(other.members);
    const members = overlaps ? this.members.difference(other.members) : this.members;
    let children = this.children;
    for (const [element, less] of other.children) {
      const set = this.children.get(element);
      const rest = set && minus(set, less);
      if (rest === set || rest === undefined) continue;
      const copy: Map<PathElement, FieldSet> =
        children === this.children ? new Map(children) : (children as Map<PathElement, FieldSet>);
      if (rest.isEmpty) copy.delete(element);
      else copy.set(element, rest);
      children = copy;
    }
    return !overlaps && children === this.children ? this : fieldSet(members, children);
  }

  /** Upstream's `EnsureNamedFieldsAreMembers`: adds declared fields of structs that have paths below them. */
  withDeclaredFields(type: Type | undefined): FieldSet {
    const members = new Set(this.members);
    const children = new Map<PathElement, FieldSet>();
    for (const [element, set] of this.children) {
      const name = fieldOf(element);
      const field = name === undefined ? undefined : type?.map?.fields.get(name);
      if (field !== undefined) members.add(element);
      children.set(element, set.withDeclaredFields(field?.type ?? elementType(type, element)));
    }
    return fieldSet(members, children);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.members.size !== other.members.size || this.children.size !== other.children.size) {
      return false;
    }
    if (!this.members.isSubsetOf(other.members)) return false;
    for (const [element, set] of this.children) {
      const counterpart = other.children.get(element);
      if (counterpart === undefined || !set.equals(counterpart)) return false;
    }
    return true;
  }

  /** All paths in order; at each depth those that end there come before longer ones. */
  *paths(prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
    for (const element of sortedElements(this.members)) yield [...prefix, element];
    for (const element of sortedElements(this.children.keys())) {
      yield* this.below(element).paths([...prefix, element]);
    }
  }
}

function fieldSet(members: Members, children: Children): FieldSet {
  return members.size === 0 && children.size === 0
    ? FieldSet.empty
    : new FieldSet(members, children);
}

function elementType(type: Type | undefined, element: PathElement): Type | undefined {
  if (fieldOf(element) !== undefined) return type?.map?.element;
  return isKeyElement(element) ? type?.list?.element : undefined;
}

export function sortedElements(elements: Iterable<PathElement>): PathElement[] {
  const sorted = [...elements];
  if (sorted.length < 2) return sorted;
  const areFields = sorted.every((element) => element.startsWith('f:'));
  return areFields ? sorted.sort(compareText) : sortedPathElements(sorted);
}

interface Node {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, Node>;
}

export class FieldSetBuilder {
  /** Allocated with the first path, because most sets of a comparison stay empty. */
  #root: Node | undefined;

  /** Ignores the empty path: the object as a whole has no owner. */
  insert(path: readonly PathElement[]): void {
    const last = path.at(-1);
    if (last === undefined) return;
    this.#root ??= node();
    let parent = this.#root;
    for (let depth = 0; depth < path.length - 1; depth += 1) {
      const element = path[depth] as PathElement;
      let child = parent.children.get(element);
      if (child === undefined) {
        child = node();
        parent.children.set(element, child);
      }
      parent = child;
    }
    parent.members.add(last);
  }

  build(): FieldSet {
    return this.#root === undefined ? FieldSet.empty : frozen(this.#root);
  }
}

function node(): Node {
  return { members: new Set(), children: new Map() };
}

function frozen({ members, children }: Node): FieldSet {
  if (children.size === 0) return fieldSet(members, NO_CHILDREN);
  return fieldSet(members, new Map([...children].map(([element, one]) => [element, frozen(one)])));
}
