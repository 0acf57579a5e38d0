import { setMember } from '../json/set-member.ts';
import { itemElement } from './list-items.ts';
import { fieldElement, type PathElement, printPathElement } from './path-element.ts';
import {
  deduceForm,
  type Form,
  isMap,
  type JsonMap,
  type ListType,
  type MapType,
  sameDeduction,
  type Type,
} from './type.ts';
import { TypedError } from './typed-error.ts';

/**
 * Live values with a configuration merged into them: the configuration wins leaf by leaf, and
 * nothing is removed. Both fit the type. Parts of either stand in the result.
 */
export function mergeTyped(live: unknown, config: unknown, type: Type): unknown {
  return visit(live, config, type);
}

/** `undefined` is what is not there, and a result that is not there. */
function visit(live: unknown, config: unknown, type: Type): unknown {
  const [left, right] = [deduceForm(type, live), deduceForm(type, config)];
  if (config === undefined) return visitForm(left.form, live, config, type);
  if (live !== undefined && !sameDeduction(type, left, right)) {
    visitForm(left.form, live, config, type);
  }
  return visitForm(right.form, live, config, type);
}

function visitForm(form: Form | undefined, live: unknown, config: unknown, type: Type): unknown {
  if (form === 'map') return visitMaps(live, config, type.map as MapType);
  if (form === 'list') return visitLists(live, config, type.list as ListType);
  return leaf(live, config);
}

function leaf(live: unknown, config: unknown): unknown {
  return config === undefined ? live : config;
}

function visitMaps(live: unknown, config: unknown, type: MapType): unknown {
  const left: JsonMap = isMap(live) ? live : {};
  const right: JsonMap = isMap(config) ? config : {};
  const [names, more] = [Object.keys(left), Object.keys(right)];
  // Both empty is one piece, so that null and an empty map stay different things.
  if (type.relationship === 'atomic' || (names.length === 0 && more.length === 0)) {
    return leaf(live, config);
  }
  const merged: Record<string, unknown> = {};
  const add = (name: string, mine: unknown, theirs: unknown) => {
    const fieldType = type.fields.get(name)?.type ?? type.element;
    if (fieldType === undefined) {
      const path = printPathElement(fieldElement(name));
      throw new TypedError([{ path, message: 'field not declared in schema' }]);
    }
    const value = visit(mine, theirs, fieldType);
    if (value !== undefined) setMember(merged, name, value);
  };
  for (const name of names)
    add(name, left[name], Object.hasOwn(right, name) ? right[name] : undefined);
  for (const name of more) if (!Object.hasOwn(left, name)) add(name, undefined, right[name]);
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function visitLists(live: unknown, config: unknown, type: ListType): unknown {
  const left: readonly unknown[] = Array.isArray(live) ? live : [];
  const right: readonly unknown[] = Array.isArray(config) ? config : [];
  if (type.relationship === 'atomic' || (left.length === 0 && right.length === 0)) {
    return leaf(live, config);
  }
  const merged = mergeItems(indexItems(left, type, true), indexItems(right, type, false), type);
  return merged.length === 0 ? undefined : merged;
}

interface IndexedItems {
  readonly items: readonly unknown[];
  readonly elements: readonly PathElement[];
  /** Live items that cannot be told apart are null here: nothing is merged into them. */
  readonly byElement: ReadonlyMap<PathElement, unknown>;
}

function indexItems(
  items: readonly unknown[],
  type: ListType,
  allowDuplicates: boolean,
): IndexedItems {
  const byElement = new Map<PathElement, unknown>();
  const elements = items.map((item) => {
    const element = itemElement(type, item);
    if (byElement.has(element) && !allowDuplicates) {
      const message = `duplicate entries for key ${printPathElement(element)}`;
      throw new TypedError([{ path: '', message }]);
    }
    byElement.set(element, byElement.has(element) ? null : item);
    return element;
  });
  return { items, elements, byElement };
}

/**
 * Items that both have stand in the order of the configuration; those of one side keep their place
 * among them.
 */
function mergeItems(live: IndexedItems, config: IndexedItems, type: ListType): unknown[] {
  const merged: unknown[] = [];
  const add = (mine: unknown, theirs: unknown) => {
    const value = visit(mine, theirs, type.element);
    if (value !== undefined) merged.push(value);
  };
  const shared = config.elements.filter((element) => live.byElement.has(element));
  let nextShared = 0;
  const taken = new Set<PathElement>();
  const takeConfigured = (element: PathElement) => {
    taken.add(element);
    add(live.byElement.get(element), config.byElement.get(element));
    if (shared[nextShared] === element) nextShared += 1;
  };
  let [at, from] = [0, 0];
  while (at < live.elements.length || from < config.elements.length) {
    const mine = live.elements[at];
    const theirs = config.elements[from];
    if (mine !== undefined && mine === theirs) {
      takeConfigured(mine);
      at += 1;
      from += 1;
      continue;
    }
    if (mine !== undefined && !config.byElement.has(mine)) {
      add(live.items[at], undefined);
      at += 1;
      continue;
    }
    if (mine !== undefined) {
      // A shared item whose turn has not come, or has gone: it is placed by the configuration.
      const waits =
        theirs !== undefined && nextShared < shared.length && shared[nextShared] !== mine;
      if (waits || taken.has(mine)) {
        at += 1;
        if (waits) continue;
      }
    }
    if (theirs !== undefined) {
      takeConfigured(theirs);
      from += 1;
    }
  }
  return merged;
}
