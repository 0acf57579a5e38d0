/** Rules about changes: where there is an old value, and which. */
import { INTEGER, list, listByName, map, object, ruled, type Scenario, TEXT } from '../scenario.ts';

const pair = object({ name: TEXT, n: INTEGER });
const grows = 'self >= oldSelf';
const twoKeys = list(object({ name: TEXT, port: INTEGER, n: ruled(INTEGER, grows) }), {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name', 'port'],
});
const optional = { optionalOldSelf: true };

export const transitionScenarios: readonly Scenario[] = [
  {
    name: 'transition: nothing was there',
    schema: object({ n: ruled(INTEGER, grows), m: INTEGER }),
    after: { n: 1 },
  },
  {
    name: 'transition: the field is new',
    schema: object({ n: ruled(INTEGER, grows), m: INTEGER }),
    before: { m: 1 },
    after: { m: 1, n: 1 },
  },
  {
    name: 'transition: the field is gone',
    schema: object({ n: ruled(INTEGER, grows), m: INTEGER }),
    before: { m: 1, n: 5 },
    after: { m: 1 },
  },
  {
    name: 'transition: less',
    schema: object({ n: ruled(INTEGER, grows) }),
    before: { n: 5 },
    after: { n: 3 },
  },
  {
    name: 'transition: more',
    schema: object({ n: ruled(INTEGER, grows) }),
    before: { n: 5 },
    after: { n: 7 },
  },
  {
    name: 'transition: immutable, and the same',
    schema: object({ n: ruled(TEXT, 'self == oldSelf'), m: INTEGER }),
    before: { n: 'a', m: 1 },
    after: { n: 'a', m: 2 },
  },
  {
    name: 'transition: broken by what did not change',
    schema: object({ n: ruled(INTEGER, 'self > oldSelf'), m: INTEGER }),
    before: { n: 1, m: 1 },
    after: { n: 1, m: 2 },
  },
  {
    name: 'transition: values of a map',
    schema: map(ruled(INTEGER, grows)),
    before: { a: 5, b: 5, c: 5 },
    after: { a: 4, b: 6, d: 1 },
  },
  {
    name: 'transition: elements by their name',
    schema: listByName(object({ name: TEXT, n: ruled(INTEGER, grows) }, { required: ['name'] })),
    before: [
      { name: 'a', n: 5 },
      { name: 'b', n: 5 },
    ],
    after: [
      { name: 'b', n: 1 },
      { name: 'new', n: 0 },
      { name: 'a', n: 9 },
    ],
  },
  {
    name: 'transition: elements by two keys',
    schema: {
      ...twoKeys,
      items: { ...(twoKeys.items as object), required: ['name', 'port'] },
    },
    before: [
      { name: 'a', port: 1, n: 5 },
      { name: 'a', port: 2, n: 5 },
    ],
    after: [
      { name: 'a', port: 2, n: 1 },
      { name: 'a', port: 3, n: 1 },
      { name: 'a', port: 1, n: 6 },
    ],
  },
  {
    name: 'transition: a set as a whole',
    schema: ruled(
      list(TEXT, { 'x-kubernetes-list-type': 'set', maxItems: 9 }),
      'oldSelf.all(x, x in self)',
    ),
    before: ['a', 'b'],
    after: ['b', 'c'],
  },
  {
    name: 'transition: an optional old value that is not there',
    schema: object({
      n: ruled(INTEGER, { ...optional, rule: 'oldSelf.hasValue() || self == 0' }),
    }),
    after: { n: 1 },
  },
  {
    name: 'transition: an optional old value of a new field',
    schema: object({
      n: ruled(INTEGER, { ...optional, rule: 'oldSelf.orValue(0) <= self && self < 5' }),
      m: INTEGER,
    }),
    before: { m: 1 },
    after: { m: 1, n: 7 },
  },
  {
    name: 'transition: an optional old value that is there',
    schema: object({
      n: ruled(INTEGER, { ...optional, rule: '!oldSelf.hasValue() || oldSelf.value() <= self' }),
    }),
    before: { n: 5 },
    after: { n: 3 },
  },
  {
    name: 'transition: not optional, though it is said',
    schema: object({
      n: ruled(INTEGER, { optionalOldSelf: false, rule: 'oldSelf <= self' }),
    }),
    before: { n: 5 },
    after: { n: 3 },
  },
  {
    name: 'transition: a null that was there counts as nothing',
    schema: object({ n: ruled({ ...INTEGER, nullable: true }, grows), m: INTEGER }),
    before: { n: null, m: 1 },
    after: { n: 1, m: 2 },
  },
  {
    name: 'transition: a null is not asked about',
    schema: object({ n: ruled({ ...INTEGER, nullable: true }, 'self > 5', grows), m: INTEGER }),
    before: { n: 1, m: 1 },
    after: { n: null, m: 2 },
  },
  {
    name: 'transition: another type than before',
    schema: object({ n: ruled(pair, 'self.n >= oldSelf.n'), m: INTEGER }),
    before: { n: 'text', m: 1 },
    after: { n: { n: 1 }, m: 2 },
  },
  {
    name: 'transition: in a list inside a map inside a list',
    schema: listByName(
      object({ name: TEXT, by: map(listByName(object({ name: TEXT, n: ruled(INTEGER, grows) }))) }),
    ),
    before: [{ name: 'a', by: { k: [{ name: 'x', n: 5 }] } }],
    after: [{ name: 'a', by: { k: [{ name: 'x', n: 4 }], l: [{ name: 'x', n: 0 }] } }],
  },
];
