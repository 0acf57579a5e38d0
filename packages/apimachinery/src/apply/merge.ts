import { setMember } from '../json/json-object.ts';
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
 * Merges a configuration into the live value: leaves of the configuration win, and nothing is removed. Both must be valid
 * for the type. The result shares parts of both.
 */
export function mergeTyped(live: unknown, config: unknown, type: Type): unknown {
  return visit(live, config, type);
}

/** `undefined` means absent, also as a result. */
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
  const [leftNames, rightNames] = [Object.keys(left), Object.keys(right)];
  // Two empty maps are leaves, so that null differs from an empty map.
  if (type.relationship === 'atomic' || (leftNames.length === 0 && rightNames.length === 0)) {
    return leaf(live, config);
  }
  const merged: Record<string, unknown> = {};
  const add = (name: string, liveMember: unknown, configMember: unknown) => {
    const fieldType = type.fields.get(name)?.type ?? type.element;
    if (fieldType === undefined) {
      const path = printPathElement(fieldElement(name));
      throw new TypedError([{ path, message: 'field not declared in schema' }]);
    }
    const value = visit(liveMember, configMember, fieldType);
    if (value !== undefined) setMember(merged, name, value);
  };
  for (const name of leftNames)
    add(name, left[name], Object.hasOwn(right, name) ? right[name] : undefined);
  for (const name of rightNames) if (!Object.hasOwn(left, name)) add(name, undefined, right[name]);
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
  /** Null for live items with the same key: nothing is merged into them. */
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
 * Shared items follow the order of the configuration; items of one side keep their position relative to them. This is
 * the algorithm of upstream's `mergeListItems`.
 */
function mergeItems(live: IndexedItems, config: IndexedItems, type: ListType): unknown[] {
  const merged: unknown[] = [];
  const add = (liveItem: unknown, configItem: unknown) => {
    const value = visit(liveItem, configItem, type.element);
    if (value !== undefined) merged.push(value);
  };
  const shared = config.elements.filter((element) => live.byElement.has(element));
  let nextShared = 0;
  const added = new Set<PathElement>();
  const addConfigured = (element: PathElement) => {
    added.add(element);
    add(live.byElement.get(element), config.byElement.get(element));
    if (shared[nextShared] === element) nextShared += 1;
  };
  let [liveIndex, configIndex] = [0, 0];
  while (liveIndex < live.elements.length || configIndex < config.elements.length) {
    const liveElement = live.elements[liveIndex];
    const configElement = config.elements[configIndex];
    if (liveElement !== undefined && liveElement === configElement) {
      addConfigured(liveElement);
      liveIndex += 1;
      configIndex += 1;
      continue;
    }
    if (liveElement !== undefined && !config.byElement.has(liveElement)) {
      add(live.items[liveIndex], undefined);
      liveIndex += 1;
      continue;
    }
    if (liveElement !== undefined) {
      // A shared item out of order is added at its position in the configuration.
      const isOutOfOrder =
        configElement !== undefined &&
        nextShared < shared.length &&
        shared[nextShared] !== liveElement;
      if (isOutOfOrder || added.has(liveElement)) {
        liveIndex += 1;
        if (isOutOfOrder) continue;
      }
    }
    if (configElement !== undefined) {
      addConfigured(configElement);
      configIndex += 1;
    }
  }
  return merged;
}
