/** cel-go's lists extension, as Kubernetes enables it: its third version, whose calls have costs. */
import { LIST_CREATE_COST, STRING_TRAVERSAL_FACTOR } from '../declarations/estimate.ts';
import type { FunctionDeclaration, Library, Overload } from '../declarations/library.ts';
import { CelError, celError } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  runtimeName,
  STRING,
  TIMESTAMP,
  type Type,
  typeParameter,
  UINT,
} from '../values/types.ts';
import {
  isList,
  type ListValue,
  type Result,
  type Step,
  typeOfValue,
  type Value,
} from '../values/value.ts';
import { declare, global, member, refuseBeyondBudget } from './declare.ts';
import { distinct, flatten, slice } from './list-changes.ts';
import {
  estimateDistinct,
  estimateFlatten,
  estimateRange,
  estimateReverse,
  estimateSlice,
  estimateSort,
  estimateSortBy,
} from './list-estimates.ts';
import { sortByKeys } from './sort-by-keys.ts';
import { SORT_BY_MACRO } from './sort-by-macro.ts';

const T = typeParameter('T');
const LIST = listOf(T);

const SORTABLE: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/** Making a number takes longer than what is counted for it. */
const STEPS_PER_NUMBER = 6;

/** The default bound of `lists.range` in cel-go. */
const RANGE_SIZE_MAX = 1_000_000;

export const LIST_EXTENSIONS: Library = {
  name: 'cel.lib.ext.lists',
  macros: [SORT_BY_MACRO],
  functions: [
    declare('slice', {
      ...member('list_slice', [LIST, INT, INT], LIST, ([list, start, end]) =>
        slice(list as ListValue, start as bigint, end as bigint),
      ),
      actualCost: (_, result) => listCost(1, sizeOfList(result)),
      estimateCost: estimateSlice,
    }),
    flattenFunction(),
    sortFunction('sort', (type) => ({
      id: `list_${runtimeName(type)}_sort`,
      parameters: [listOf(type)],
      result: listOf(type),
      actualCost: ([list]) => selfCompareCost(list),
      estimateCost: estimateSort(type),
    })),
    sortFunction('@sortByAssociatedKeys', (type) => ({
      id: `list_${runtimeName(type)}_sortByAssociatedKeys`,
      parameters: [LIST, listOf(type)],
      result: LIST,
      actualCost: ([, keys]) => selfCompareCost(keys),
      estimateCost: estimateSortBy(type),
    })),
    declare('lists.range', {
      ...global('lists_range', [INT], listOf(INT), ([count], step) => {
        return range(count as bigint, step);
      }),
      actualCost: (_, result) => listCost(1, sizeOfList(result)),
      estimateCost: estimateRange,
    }),
    declare('reverse', {
      ...member('list_reverse', [LIST], LIST, ([list]) => reversed(list as ListValue)),
      actualCost: (_, result) => listCost(1, sizeOfList(result)),
      estimateCost: estimateReverse,
    }),
    declare('distinct', {
      ...member('list_distinct', [LIST], LIST, ([list]) => {
        refuseBeyondBudget(selfCompareCost(list));
        return distinct(list as ListValue);
      }),
      actualCost: ([list]) => selfCompareCost(list),
      estimateCost: estimateDistinct,
    }),
  ],
};

/** Looks at its arguments itself: what is typed `dyn` may turn out to be flat already. */
function flattenFunction(): FunctionDeclaration {
  const cost = ([list, depth]: readonly Result[]): number =>
    listCost(typeof depth === 'bigint' ? Number(depth) : 1, sizeOfList(list));
  const overloads: readonly Overload[] = [
    { id: 'list_flatten', member: true, parameters: [listOf(LIST)], result: LIST },
    { id: 'list_flatten_int', member: true, parameters: [listOf(DYN), INT], result: listOf(DYN) },
  ].map((overload) => ({ ...overload, actualCost: cost, estimateCost: estimateFlatten }));
  return {
    name: 'flatten',
    overloads,
    singleton: { accepts: () => true, call: ([list, depth]) => flattenValue(list, depth) },
  };
}

function flattenValue(list: Value | undefined, depth: Value | undefined): Result {
  if (isList(list) && (depth === undefined || typeof depth === 'bigint')) {
    return flatten(list, depth ?? 1n);
  }
  const [of, by] = [list, depth].map((value) =>
    value === undefined ? '' : runtimeName(typeOfValue(value)),
  );
  return celError(`no such overload: ${of}.flatten(${by})`);
}

function sortFunction(
  name: 'sort' | '@sortByAssociatedKeys',
  overload: (type: Type) => Omit<Overload, 'member'>,
): FunctionDeclaration {
  return {
    name,
    overloads: SORTABLE.map((type) => ({ member: true, ...overload(type) })),
    singleton: {
      accepts: isList,
      call: ([list, keys]) => {
        if (!isList(list) || (keys !== undefined && !isList(keys))) {
          return celError(`no such overload: ${name}`);
        }
        refuseBeyondBudget(selfCompareCost(keys ?? list));
        return sortByKeys(list, keys ?? list);
      },
    },
  };
}

function range(count: bigint, step: Step): Result {
  if (count < 0n) return celError(`lists.range: size must be non-negative, got ${count}`);
  if (count > RANGE_SIZE_MAX) {
    return celError(`lists.range: size ${count} exceeds maximum allowed (${RANGE_SIZE_MAX})`);
  }
  const length = Number(count);
  step(STEPS_PER_NUMBER * length);
  return arrayList(Array.from({ length }, (_, index) => BigInt(index)));
}

function reversed(list: ListValue): Result {
  const elements: Value[] = [];
  for (let index = list.size - 1; index >= 0; index--) {
    const element = list.at(index);
    if (element instanceof CelError) return element;
    elements.push(element);
  }
  return arrayList(elements);
}

function sizeOfList(value: Result | undefined): number {
  return isList(value) ? value.size : 1;
}

/** The call itself, the list that is made, and the elements times a factor. */
function listCost(factor: number, size: number): number {
  return Math.trunc(size * (factor < 0 ? 1 : factor)) + 1 + LIST_CREATE_COST;
}

/** As if every element were compared with every other. */
function selfCompareCost(list: Result | undefined): number {
  const size = sizeOfList(list);
  const first = isList(list) && size > 0 ? list.at(0) : undefined;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return listCost(isText ? 2 + STRING_TRAVERSAL_FACTOR : 2, size * size);
}
