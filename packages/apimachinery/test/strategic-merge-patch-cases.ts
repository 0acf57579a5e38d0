/** Results of the reference library with the schema below; it made every row. */
import type { PatchSchema } from '../src/patch/patch-schema.ts';

export interface StrategicMergePatchCase {
  name: string;
  original: unknown;
  patch: unknown;
  want?: unknown;
  error?: string;
}

export const strategicMergePatchCases: readonly StrategicMergePatchCase[] = [
  {
    name: 'an empty patch changes nothing',
    original: { name: 'a', spec: { map: { a: '1' } } },
    patch: {},
    want: { name: 'a', spec: { map: { a: '1' } } },
  },
  {
    name: 'null as a patch changes nothing',
    original: { name: 'a' },
    patch: null,
    want: { name: 'a' },
  },
  {
    name: 'a scalar is replaced',
    original: { name: 'a' },
    patch: { name: 'b' },
    want: { name: 'b' },
  },
  { name: 'a scalar is added', original: {}, patch: { name: 'b' }, want: { name: 'b' } },
  {
    name: 'null removes a field',
    original: { name: 'a', scalars: ['x'] },
    patch: { name: null },
    want: { scalars: ['x'] },
  },
  {
    name: 'null for an absent field',
    original: { name: 'a' },
    patch: { scalars: null },
    want: { name: 'a' },
  },
  {
    name: 'another type replaces',
    original: { spec: { name: 'a' } },
    patch: { spec: 'x' },
    want: { spec: 'x' },
  },
  {
    name: 'a map is merged',
    original: { spec: { name: 'a', map: { a: '1', b: '2' } } },
    patch: { spec: { map: { b: '3', c: '4' } } },
    want: { spec: { map: { a: '1', b: '3', c: '4' }, name: 'a' } },
  },
  {
    name: 'null inside a map of strings',
    original: { spec: { map: { a: '1', b: '2' } } },
    patch: { spec: { map: { a: null } } },
    want: { spec: { map: { b: '2' } } },
  },
  {
    name: 'nulls in a new field are dropped',
    original: {},
    patch: { spec: { name: null, map: { a: null, b: '1' }, inner: { name: null } } },
    want: { spec: { inner: {}, map: { b: '1' } } },
  },
  {
    name: 'nulls in a new list',
    original: {},
    patch: { plain: [{ name: 'a', value: null }] },
    want: { plain: [{ name: 'a' }] },
  },
  {
    name: 'nulls in a list that is replaced stay',
    original: { plain: [{ name: 'b' }] },
    patch: { plain: [{ name: 'a', value: null }] },
    want: { plain: [{ name: 'a', value: null }] },
  },
  {
    name: 'nulls in an element that is appended stay',
    original: { items: [{ name: 'b' }] },
    patch: { items: [{ name: 'a', value: null }] },
    want: { items: [{ name: 'a', value: null }, { name: 'b' }] },
  },
  {
    name: 'nulls in an element that is merged remove',
    original: { items: [{ name: 'a', value: 1 }] },
    patch: { items: [{ name: 'a', value: null }] },
    want: { items: [{ name: 'a' }] },
  },
  {
    name: 'a map with the strategy replace',
    original: { atomic: { name: 'a', map: { a: '1' } } },
    patch: { atomic: { map: { b: '2' } } },
    want: { atomic: { map: { b: '2' } } },
  },
  {
    name: 'a map with replace and retainKeys',
    original: { bothMap: { name: 'a' } },
    patch: { bothMap: { map: { b: '2' } } },
    want: { bothMap: { map: { b: '2' } } },
  },
  {
    name: '$patch: replace in a map',
    original: { spec: { name: 'a', map: { a: '1' } } },
    patch: { spec: { $patch: 'replace', map: { b: '2' } } },
    want: { spec: { map: { b: '2' } } },
  },
  {
    name: '$patch: delete in a map',
    original: { spec: { name: 'a' } },
    patch: { spec: { $patch: 'delete', name: 'b' } },
    want: { spec: {} },
  },
  {
    name: '$patch: merge in a map is unknown',
    original: { spec: { name: 'a' } },
    patch: { spec: { $patch: 'merge', name: 'b' } },
    error: 'unknown patch type: merge in map: map[$patch:merge name:b]',
  },
  {
    name: '$patch: null in a map is unknown',
    original: { spec: { name: 'a' } },
    patch: { spec: { $patch: null } },
    error: 'unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]',
  },
  {
    name: 'a number as $patch',
    original: { spec: { name: 'a' } },
    patch: { spec: { $patch: 5 } },
    error: 'unknown patch type: %!s(int64=5) in map: map[$patch:5]',
  },
  {
    name: '$patch: replace of the whole document',
    original: { name: 'a', spec: {} },
    patch: { $patch: 'replace', name: 'b' },
    want: { name: 'b' },
  },
  {
    name: '$patch: delete of the whole document',
    original: { name: 'a' },
    patch: { $patch: 'delete', name: 'b' },
    want: {},
  },
  {
    name: '$patch in a new map removes it',
    original: { name: 'a' },
    patch: { spec: { $patch: 'replace', name: 'b' } },
    want: { name: 'a' },
  },
  {
    name: '$patch below a new field',
    original: {},
    patch: { spec: { inner: { $patch: 'delete' }, name: 'b' } },
    want: { spec: { name: 'b' } },
  },
  {
    name: '$patch: null below a new field is not a directive',
    original: {},
    patch: {
      items: [
        { name: 'a', $patch: null },
        { name: 'b', $patch: 'delete' },
      ],
    },
    want: { items: [{ name: 'a' }] },
  },
  {
    name: 'scalars without a strategy are replaced',
    original: { replaced: ['a', 'b'] },
    patch: { replaced: ['c'] },
    want: { replaced: ['c'] },
  },
  {
    name: 'scalars are merged as a set',
    original: { scalars: ['a', 'b'] },
    patch: { scalars: ['b', 'c'] },
    want: { scalars: ['a', 'b', 'c'] },
  },
  {
    name: 'merged scalars of the patch come first',
    original: { scalars: ['a', 'b', 'c'] },
    patch: { scalars: ['d'] },
    want: { scalars: ['d', 'a', 'b', 'c'] },
  },
  {
    name: 'merged scalars have the order of the patch',
    original: { scalars: ['a', 'b', 'c', 'd'] },
    patch: { scalars: ['d', 'b'] },
    want: { scalars: ['a', 'c', 'd', 'b'] },
  },
  {
    name: 'merged scalars with duplicates',
    original: { scalars: ['a', 'b', 'a', 'c'] },
    patch: { scalars: ['c', 'c', 'd'] },
    want: { scalars: ['a', 'b', 'c', 'd'] },
  },
  {
    name: 'numbers are merged as a set',
    original: { numbers: [3, 1, 2] },
    patch: { numbers: [2, 9] },
    want: { numbers: [3, 1, 2, 9] },
  },
  {
    name: 'large numbers are merged as a set',
    original: { numbers: [9007199254740993n, 1] },
    patch: { numbers: [9007199254740993n, 2] },
    want: { numbers: [9007199254740993n, 2, 1] },
  },
  {
    name: 'an empty list changes nothing in a set',
    original: { scalars: ['a'] },
    patch: { scalars: [] },
    want: { scalars: ['a'] },
  },
  {
    name: 'an empty list empties a list that is replaced',
    original: { replaced: ['a'] },
    patch: { replaced: [] },
    want: { replaced: [] },
  },
  {
    name: 'removal from scalars',
    original: { scalars: ['a', 'b', 'c', 'b'] },
    patch: { '$deleteFromPrimitiveList/scalars': ['b', 'x'] },
    want: { scalars: ['a', 'c'] },
  },
  {
    name: 'removal and addition',
    original: { scalars: ['a', 'b', 'c'] },
    patch: { '$deleteFromPrimitiveList/scalars': ['a'], scalars: ['d'] },
    want: { scalars: ['d', 'b', 'c'] },
  },
  {
    name: 'removal from a list that is replaced otherwise',
    original: { replaced: ['a', 'b'] },
    patch: { '$deleteFromPrimitiveList/replaced': ['a'] },
    want: { replaced: ['b'] },
  },
  {
    name: 'removal from an absent list',
    original: {},
    patch: { '$deleteFromPrimitiveList/scalars': ['a'] },
    want: {},
  },
  {
    name: 'removal without a name',
    original: { scalars: ['a'] },
    patch: { $deleteFromPrimitiveList: ['a'] },
    error: 'invalid patch format of primitive list',
  },
  {
    name: 'removal with an empty name',
    original: { scalars: ['a'] },
    patch: { '$deleteFromPrimitiveList/': ['a'] },
    want: { scalars: ['a'] },
  },
  {
    name: 'removal with another prefix',
    original: { scalars: ['a'] },
    patch: { '$deleteFromPrimitiveListed/scalars': ['a'] },
    error: 'invalid patch format of primitive list',
  },
  {
    name: 'null as a removal removes the list',
    original: { scalars: ['a'] },
    patch: { '$deleteFromPrimitiveList/scalars': null },
    want: {},
  },
  {
    name: 'a string as a removal from a string sets it',
    original: { name: 'a' },
    patch: { '$deleteFromPrimitiveList/name': 'b' },
    want: { name: 'b' },
  },
  {
    name: 'maps are merged by their key',
    original: {
      items: [
        { name: 'a', value: 1 },
        { name: 'b', value: 2 },
      ],
    },
    patch: {
      items: [
        { name: 'b', value: 3 },
        { name: 'c', value: 4 },
      ],
    },
    want: {
      items: [
        { name: 'a', value: 1 },
        { name: 'b', value: 3 },
        { name: 'c', value: 4 },
      ],
    },
  },
  {
    name: 'maps of the patch that are new come first',
    original: { items: [{ name: 'a' }, { name: 'b' }] },
    patch: { items: [{ name: 'c' }] },
    want: { items: [{ name: 'c' }, { name: 'a' }, { name: 'b' }] },
  },
  {
    name: 'maps in the order of the patch',
    original: { items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }] },
    patch: { items: [{ name: 'c' }, { name: 'a' }] },
    want: { items: [{ name: 'b' }, { name: 'c' }, { name: 'a' }, { name: 'd' }] },
  },
  {
    name: 'maps by a number',
    original: {
      ports: [
        { name: 'a', value: 80 },
        { name: 'b', value: 443 },
      ],
    },
    patch: { ports: [{ name: 'c', value: 443 }] },
    want: {
      ports: [
        { name: 'a', value: 80 },
        { name: 'c', value: 443 },
      ],
    },
  },
  {
    name: 'a map that occurs twice in the patch',
    original: { items: [{ name: 'a', value: 1 }] },
    patch: {
      items: [
        { name: 'a', value: 2 },
        { name: 'a', scalars: ['x'] },
      ],
    },
    want: { items: [{ name: 'a', scalars: ['x'], value: 2 }] },
  },
  {
    name: 'a new map that occurs twice in the patch',
    original: { items: [{ name: 'a', value: 1 }] },
    patch: {
      items: [
        { name: 'b', value: 2 },
        { name: 'b', scalars: ['x'] },
      ],
    },
    want: {
      items: [
        { name: 'b', scalars: ['x'], value: 2 },
        { name: 'a', value: 1 },
      ],
    },
  },
  {
    name: 'a key that occurs twice in the original',
    original: {
      items: [
        { name: 'a', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
    patch: { items: [{ name: 'a', value: 3 }] },
    want: {
      items: [
        { name: 'a', value: 3 },
        { name: 'a', value: 2 },
      ],
    },
  },
  {
    name: 'lists inside elements are merged',
    original: {
      items: [{ name: 'a', value: 1, items: [{ name: 'x' }, { name: 'y' }], scalars: ['p'] }],
    },
    patch: { items: [{ name: 'a', items: [{ name: 'y', value: 2 }], scalars: ['q'] }] },
    want: {
      items: [
        {
          items: [{ name: 'x' }, { name: 'y', value: 2 }],
          name: 'a',
          scalars: ['q', 'p'],
          value: 1,
        },
      ],
    },
  },
  {
    name: '$patch: delete of an element',
    original: { items: [{ name: 'a' }, { name: 'b' }] },
    patch: { items: [{ $patch: 'delete', name: 'a' }] },
    want: { items: [{ name: 'b' }] },
  },
  {
    name: '$patch: delete of all with the key',
    original: {
      items: [
        { name: 'a', value: 1 },
        { name: 'b', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
    patch: { items: [{ $patch: 'delete', name: 'a' }] },
    want: { items: [{ name: 'b', value: 1 }] },
  },
  {
    name: '$patch: delete of an absent element',
    original: { items: [{ name: 'a' }] },
    patch: { items: [{ $patch: 'delete', name: 'x' }] },
    want: { items: [{ name: 'a' }] },
  },
  {
    name: '$patch: delete without the key',
    original: { items: [{ name: 'a' }] },
    patch: { items: [{ $patch: 'delete', value: 1 }] },
    error: 'map: map[$patch:delete value:1] does not contain declared merge key: name',
  },
  {
    name: '$patch: delete and addition',
    original: { items: [{ name: 'a' }, { name: 'b' }] },
    patch: {
      items: [
        { $patch: 'delete', name: 'a' },
        { name: 'c', value: 1 },
      ],
    },
    want: { items: [{ name: 'c', value: 1 }, { name: 'b' }] },
  },
  {
    name: '$patch: replace in a list',
    original: { items: [{ name: 'a' }, { name: 'b' }] },
    patch: { items: [{ name: 'c', value: 1 }, { $patch: 'replace' }] },
    want: { items: [{ name: 'c', value: 1 }] },
  },
  {
    name: '$patch: replace alone empties a list',
    original: { items: [{ name: 'a' }, { name: 'b' }] },
    patch: { items: [{ $patch: 'replace' }] },
    want: { items: [] },
  },
  {
    name: '$patch: merge in a list',
    original: { items: [{ name: 'a' }] },
    patch: { items: [{ $patch: 'merge', name: 'a' }] },
    error: 'merging lists cannot yet be specified in the patch',
  },
  {
    name: 'an unknown $patch in a list',
    original: { items: [{ name: 'a' }] },
    patch: { items: [{ $patch: 'drop', name: 'a' }] },
    error: 'unknown patch type: drop in map: map[$patch:drop name:a]',
  },
  {
    name: 'an element without its key',
    original: { items: [{ name: 'a' }] },
    patch: { items: [{ value: 1 }] },
    error: 'map: map[value:1] does not contain declared merge key: name',
  },
  {
    name: 'an element of the original without its key',
    original: { items: [{ value: 1 }, { name: 'a' }] },
    patch: { items: [{ name: 'b' }] },
    error: 'map: map[value:1] does not contain declared merge key: name',
  },
  {
    name: 'a null key',
    original: { items: [{ name: null }] },
    patch: { items: [{ name: null }] },
    error: 'map: map[] does not contain declared merge key: name',
  },
  {
    name: 'maps to merge without a key',
    original: { noKey: [{ name: 'a' }] },
    patch: { noKey: [{ name: 'b' }] },
    error: 'cannot merge lists without merge key for struct',
  },
  {
    name: 'maps without a strategy are replaced',
    original: { plain: [{ name: 'a' }, { name: 'b' }] },
    patch: { plain: [{ name: 'c' }] },
    want: { plain: [{ name: 'c' }] },
  },
  {
    name: 'a list of lists',
    original: { lists: [['a']] },
    patch: { lists: [['b']] },
    error: 'unexpected slice of slice',
  },
  {
    name: 'a list of lists where scalars are merged',
    original: { scalars: [['a']] },
    patch: { scalars: ['b'] },
    error: 'lists of lists are not supported',
  },
  {
    name: 'different types in one list',
    original: { scalars: ['a'] },
    patch: { scalars: [1] },
    error: 'list element types are not identical: [[a] [1]]',
  },
  {
    name: 'null in a list that is merged',
    original: { scalars: ['a'] },
    patch: { scalars: [null] },
    error: 'list element types are not identical: [[a] [<nil>]]',
  },
  {
    name: 'null first in a list that is merged',
    original: { scalars: [null] },
    patch: { scalars: ['a'] },
    error: 'runtime error: invalid memory address or nil pointer dereference',
  },
  {
    name: '$setElementOrder of scalars',
    original: { scalars: ['a', 'b', 'c'] },
    patch: { '$setElementOrder/scalars': ['c', 'a'] },
    want: { scalars: ['b', 'c', 'a'] },
  },
  {
    name: '$setElementOrder of scalars with additions',
    original: { scalars: ['a', 'b', 'c'] },
    patch: { '$setElementOrder/scalars': ['d', 'c', 'b', 'a'], scalars: ['d'] },
    want: { scalars: ['d', 'c', 'b', 'a'] },
  },
  {
    name: '$setElementOrder retains live elements between',
    original: { scalars: ['1', 'x', '2', 'y', '3'] },
    patch: { '$setElementOrder/scalars': ['3', '2', '1'] },
    want: { scalars: ['x', 'y', '3', '2', '1'] },
  },
  {
    name: '$setElementOrder with a removal',
    original: { scalars: ['a', 'b', 'c'] },
    patch: { '$setElementOrder/scalars': ['c', 'b'], '$deleteFromPrimitiveList/scalars': ['a'] },
    want: { scalars: ['c', 'b'] },
  },
  {
    name: '$setElementOrder of maps',
    original: {
      items: [
        { name: 'a', value: 1 },
        { name: 'b', value: 2 },
        { name: 'c', value: 3 },
      ],
    },
    patch: { '$setElementOrder/items': [{ name: 'c' }, { name: 'b' }, { name: 'a' }] },
    want: {
      items: [
        { name: 'c', value: 3 },
        { name: 'b', value: 2 },
        { name: 'a', value: 1 },
      ],
    },
  },
  {
    name: '$setElementOrder of maps with changes',
    original: {
      items: [
        { name: 'a', value: 1 },
        { name: 'b', value: 2 },
        { name: 'x', value: 3 },
      ],
    },
    patch: {
      '$setElementOrder/items': [{ name: 'c' }, { name: 'b' }, { name: 'a' }],
      items: [
        { name: 'c', value: 9 },
        { name: 'b', value: 8 },
      ],
    },
    want: {
      items: [
        { name: 'c', value: 9 },
        { name: 'b', value: 8 },
        { name: 'a', value: 1 },
        { name: 'x', value: 3 },
      ],
    },
  },
  {
    name: '$setElementOrder of maps, one removed and one added',
    original: { items: [{ name: 'e' }, { name: 'a' }] },
    patch: {
      '$setElementOrder/items': [{ name: 'b' }],
      items: [{ name: 'e', $patch: 'delete' }, { name: 'b' }],
    },
    want: { items: [{ name: 'a' }, { name: 'b' }] },
  },
  {
    name: '$setElementOrder of maps, the last removed and one added',
    original: { items: [{ name: 'a' }, { name: 'x' }, { name: 'e' }] },
    patch: {
      '$setElementOrder/items': [{ name: 'a' }, { name: 'b' }],
      items: [{ name: 'e', $patch: 'delete' }, { name: 'b' }],
    },
    want: { items: [{ name: 'a' }, { name: 'x' }, { name: 'b' }] },
  },
  {
    name: '$setElementOrder with $patch: replace',
    original: { items: [{ name: 'a' }, { name: 'b' }] },
    patch: {
      '$setElementOrder/items': [{ name: 'c' }],
      items: [{ $patch: 'replace' }, { name: 'c' }],
    },
    want: { items: [{ name: 'c' }] },
  },
  {
    name: '$setElementOrder of a new list',
    original: {},
    patch: {
      '$setElementOrder/items': [{ name: 'b' }, { name: 'a' }],
      items: [
        { name: 'b', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
    want: {
      items: [
        { name: 'b', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
  },
  {
    name: '$setElementOrder of an absent list',
    original: {},
    patch: { '$setElementOrder/items': [{ name: 'b' }, { name: 'a' }] },
    want: {},
  },
  {
    name: '$setElementOrder of an empty list',
    original: { items: [] },
    patch: { '$setElementOrder/items': [{ name: 'b' }] },
    error: 'no elements in any of the given slices',
  },
  {
    name: '$setElementOrder in another order than the patch',
    original: { items: [{ name: 'a' }, { name: 'b' }] },
    patch: {
      '$setElementOrder/items': [{ name: 'a' }, { name: 'b' }],
      items: [
        { name: 'b', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
    error:
      "The order in patch list:\n[map[name:b value:1] map[name:a value:2]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
  },
  {
    name: '$setElementOrder without an element of the patch',
    original: { scalars: ['a'] },
    patch: { '$setElementOrder/scalars': ['a'], scalars: ['b'] },
    error: "The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a]\n",
  },
  {
    name: 'an empty $setElementOrder',
    original: { scalars: ['a', 'b', 'c'] },
    patch: { '$setElementOrder/scalars': [], scalars: ['x', 'b', 'y'] },
    want: { scalars: ['y', 'a', 'b', 'c', 'x'] },
  },
  {
    name: '$setElementOrder that is not a list',
    original: { scalars: ['a'] },
    patch: { '$setElementOrder/scalars': 'a' },
    error: 'expected a []interface {}, but received a string',
  },
  {
    name: '$setElementOrder that is null',
    original: { scalars: ['a'] },
    patch: { '$setElementOrder/scalars': null },
    error: 'expected a []interface {}, but received a %!s(<nil>)',
  },
  {
    name: '$setElementOrder without a name',
    original: { scalars: ['a'] },
    patch: { $setElementOrder: ['a'] },
    error: 'invalid patch format of setElementOrder list',
  },
  {
    name: '$setElementOrder of a scalar',
    original: { name: 'a' },
    patch: { '$setElementOrder/name': ['a'] },
    error: 'expected a []interface {}, but received a string',
  },
  {
    name: '$setElementOrder of maps with scalars',
    original: { items: [{ name: 'a' }] },
    patch: { '$setElementOrder/items': ['a'] },
    error: 'value for key 0 is not a map',
  },
  {
    name: '$setElementOrder of maps without the key',
    original: { items: [{ name: 'a' }] },
    patch: { '$setElementOrder/items': [{ value: 1 }] },
    error: 'map: map[value:1] does not contain declared merge key: name',
  },
  {
    name: '$setElementOrder of a list that is replaced',
    original: { replaced: ['a', 'b'] },
    patch: { '$setElementOrder/replaced': ['c', 'b'], replaced: ['c', 'b'] },
    want: { replaced: ['c', 'b'] },
  },
  {
    name: '$retainKeys',
    original: { spec: { name: 'a', map: { a: '1' }, inner: { name: 'x' } } },
    patch: { spec: { $retainKeys: ['name', 'map'], name: 'b' } },
    want: { spec: { map: { a: '1' }, name: 'b' } },
  },
  {
    name: '$retainKeys of an element',
    original: { retainItems: [{ name: 'a', value: 1, scalars: ['x'] }] },
    patch: { retainItems: [{ name: 'a', value: 2, $retainKeys: ['name', 'value'] }] },
    want: { retainItems: [{ name: 'a', value: 2 }] },
  },
  {
    name: '$retainKeys without a key of the patch',
    original: { spec: { name: 'a' } },
    patch: { spec: { $retainKeys: ['map'], name: 'b' } },
    error: 'invalid patch format of retainKeys',
  },
  {
    name: '$retainKeys without a key that the patch removes',
    original: { spec: { name: 'a', map: { a: '1' } } },
    patch: { spec: { $retainKeys: ['map'], name: null } },
    want: { spec: { map: { a: '1' } } },
  },
  {
    name: '$retainKeys that is not a list',
    original: { spec: { name: 'a' } },
    patch: { spec: { $retainKeys: 'name' } },
    error: 'invalid patch format of retainKeys',
  },
  {
    name: '$retainKeys in a new field stays',
    original: {},
    patch: { spec: { $retainKeys: ['name'], name: 'b' } },
    want: { spec: { $retainKeys: ['name'], name: 'b' } },
  },
  {
    name: 'an unknown strategy',
    original: { bad: ['a'] },
    patch: { bad: ['b'] },
    error: 'unexpected patch strategy: [merge replace]',
  },
  {
    name: 'three strategies',
    original: { three: ['a'] },
    patch: { three: ['b'] },
    error: 'unexpected patch strategy: [merge replace retainKeys]',
  },
  {
    name: 'finalizers are merged',
    original: { metadata: { name: 'a', finalizers: ['x/a', 'x/b'] } },
    patch: { metadata: { finalizers: ['x/c'] } },
    want: { metadata: { finalizers: ['x/c', 'x/a', 'x/b'], name: 'a' } },
  },
  {
    name: 'finalizers are removed',
    original: { metadata: { finalizers: ['x/a', 'x/b'] } },
    patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'] } },
    want: { metadata: { finalizers: ['x/b'] } },
  },
  {
    name: 'owner references are merged by uid',
    original: {
      metadata: {
        ownerReferences: [
          { uid: '1', name: 'a' },
          { uid: '2', name: 'b' },
        ],
      },
    },
    patch: {
      metadata: {
        ownerReferences: [
          { uid: '2', controller: true },
          { $patch: 'delete', uid: '1' },
        ],
      },
    },
    want: { metadata: { ownerReferences: [{ controller: true, name: 'b', uid: '2' }] } },
  },
  {
    name: 'labels are merged',
    original: { metadata: { labels: { a: '1', b: '2' } } },
    patch: { metadata: { labels: { a: null, c: '3' } } },
    want: { metadata: { labels: { b: '2', c: '3' } } },
  },
  {
    name: 'managed fields are replaced',
    original: { metadata: { managedFields: [{ manager: 'a' }] } },
    patch: { metadata: { managedFields: [{ manager: 'b' }] } },
    want: { metadata: { managedFields: [{ manager: 'b' }] } },
  },
  {
    name: 'an unknown field of a structure',
    original: { spec: { other: { a: 1 } } },
    patch: { spec: { other: { b: 2 } } },
    error: 'unable to find api field in struct Spec for the json field "other"',
  },
  {
    name: 'a list where the schema has a structure',
    original: { spec: [1] },
    patch: { spec: [2] },
    error: 'expected slice or array type, but got: struct',
  },
];

const merge = { 'x-kubernetes-patch-strategy': 'merge' } as const;
const text: PatchSchema = {};
const texts: PatchSchema = { items: text };
const mergedTexts: PatchSchema = { ...texts, ...merge };

const item: PatchSchema = {
  title: 'Item',
  properties: {
    name: text,
    value: text,
    scalars: mergedTexts,
    get items() {
      return itemsByName;
    },
    get spec(): PatchSchema {
      return { ...spec, 'x-kubernetes-patch-strategy': 'retainKeys' };
    },
  },
};
const itemsByName: PatchSchema = { items: item, ...merge, 'x-kubernetes-patch-merge-key': 'name' };
const spec: PatchSchema = {
  title: 'Spec',
  properties: {
    name: text,
    scalars: mergedTexts,
    items: itemsByName,
    map: { additionalProperties: text },
    get inner() {
      return spec;
    },
  },
};

/** All kinds of fields: merged and replaced, scalars and maps, with and without merge keys. */
export const strategicMergePatchSchema: PatchSchema = {
  title: 'Doc',
  properties: {
    name: text,
    scalars: mergedTexts,
    numbers: mergedTexts,
    replaced: texts,
    items: itemsByName,
    ports: { ...itemsByName, 'x-kubernetes-patch-merge-key': 'value' },
    plain: { items: item },
    spec,
    atomic: { ...spec, 'x-kubernetes-patch-strategy': 'replace' },
    retainItems: { ...itemsByName, 'x-kubernetes-patch-strategy': 'merge,retainKeys' },
    noKey: { items: item, ...merge },
    lists: { items: texts },
    bad: { ...texts, 'x-kubernetes-patch-strategy': 'merge,replace' },
    three: { ...texts, 'x-kubernetes-patch-strategy': 'merge,replace,retainKeys' },
    bothMap: { ...spec, 'x-kubernetes-patch-strategy': 'replace,retainKeys' },
    counts: { additionalProperties: { title: 'Count', properties: { hosts: mergedTexts } } },
    open: { 'x-kubernetes-preserve-unknown-fields': true, properties: {} },
  },
};
