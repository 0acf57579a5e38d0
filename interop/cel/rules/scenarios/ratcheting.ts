/** Values that were invalid before and still are, while another field changes. */
import { INTEGER, list, listByName, map, object, ruled, type Scenario, TEXT } from '../scenario.ts';

const small = ruled(INTEGER, 'self < 10');
const bounded = { type: 'integer', maximum: 10 };
const set = list(INTEGER, { 'x-kubernetes-list-type': 'set' });

export const ratchetingScenarios: readonly Scenario[] = [
  {
    name: 'ratchet: a rule of what did not change',
    schema: object({ n: small, m: INTEGER }),
    before: { n: 50, m: 1 },
    after: { n: 50, m: 2 },
  },
  {
    name: 'ratchet: a rule of what changed',
    schema: object({ n: small, m: INTEGER }),
    before: { n: 50, m: 1 },
    after: { n: 51, m: 1 },
  },
  {
    name: 'ratchet: a rule of an object in which something else changed',
    schema: ruled(object({ n: INTEGER, m: INTEGER }), 'self.n < 10'),
    before: { n: 50, m: 1 },
    after: { n: 50, m: 2 },
  },
  {
    name: 'ratchet: a rule of an object that did not change',
    schema: object({ o: ruled(object({ n: INTEGER }), 'self.n < 10'), m: INTEGER }),
    before: { o: { n: 50 }, m: 1 },
    after: { o: { n: 50 }, m: 2 },
  },
  {
    name: 'ratchet: a rule with an optional old value is about the change',
    schema: object({
      n: ruled(INTEGER, { rule: 'self < 10 || !oldSelf.hasValue()', optionalOldSelf: true }),
      m: INTEGER,
    }),
    before: { n: 50, m: 1 },
    after: { n: 50, m: 2 },
  },
  {
    name: 'ratchet: a rule that fails is not ratcheted',
    schema: object({ o: ruled(map(INTEGER), 'self["absent"] < 10'), m: INTEGER }),
    before: { o: { n: 50 }, m: 1 },
    after: { o: { n: 50 }, m: 2 },
  },
  {
    name: 'ratchet: elements by their name',
    schema: listByName(object({ name: TEXT, n: small, m: INTEGER })),
    before: [
      { name: 'a', n: 50 },
      { name: 'b', n: 50 },
    ],
    after: [
      { name: 'b', n: 50, m: 1 },
      { name: 'a', n: 51 },
      { name: 'c', n: 50 },
    ],
  },
  {
    name: 'ratchet: elements of a list that did not change',
    schema: object({ l: list(small), m: INTEGER }),
    before: { l: [1, 50], m: 1 },
    after: { l: [1, 50], m: 2 },
  },
  {
    name: 'ratchet: elements of a list that changed',
    schema: object({ l: list(small), m: INTEGER }),
    before: { l: [1, 50], m: 1 },
    after: { l: [2, 50], m: 1 },
  },
  {
    name: 'ratchet: a bound of what did not change',
    schema: object({ n: bounded, m: INTEGER }),
    before: { n: 50, m: 1 },
    after: { n: 50, m: 2 },
  },
  {
    name: 'ratchet: a bound of what changed',
    schema: object({ n: bounded, m: INTEGER }),
    before: { n: 50, m: 1 },
    after: { n: 51, m: 2 },
  },
  {
    name: 'ratchet: a type of what did not change, beside a rule',
    schema: ruled(object({ n: INTEGER, m: INTEGER }), 'self.m < 2'),
    before: { n: 'text', m: 1 },
    after: { n: 'text', m: 2 },
  },
  {
    name: 'ratchet: a required field where nothing else changed',
    schema: object({ o: object({ a: INTEGER, b: INTEGER }, { required: ['b'] }), m: INTEGER }),
    before: { o: { a: 1 }, m: 1 },
    after: { o: { a: 1 }, m: 2 },
  },
  {
    name: 'ratchet: a required field where something else changed',
    schema: object({ o: object({ a: INTEGER, b: INTEGER }, { required: ['b'] }), m: INTEGER }),
    before: { o: { a: 1 }, m: 1 },
    after: { o: { a: 2 }, m: 1 },
  },
  {
    name: 'ratchet: a bound in a list that did not change',
    schema: object({ l: list(bounded), m: INTEGER }),
    before: { l: [50], m: 1 },
    after: { l: [50], m: 2 },
  },
  {
    name: 'ratchet: a bound in a list that grew',
    schema: object({ l: list(bounded), m: INTEGER }),
    before: { l: [50], m: 1 },
    after: { l: [50, 1], m: 1 },
  },
  {
    name: 'ratchet: a bound in elements by their name',
    schema: listByName(object({ name: TEXT, n: bounded })),
    before: [{ name: 'a', n: 50 }],
    after: [
      { name: 'b', n: 1 },
      { name: 'a', n: 50 },
    ],
  },
  {
    name: 'ratchet: alternatives where nothing changed',
    schema: object({
      o: object({ a: INTEGER }, { anyOf: [{ required: ['b'] }, { required: ['c'] }] }),
      m: INTEGER,
    }),
    before: { o: { a: 1 }, m: 1 },
    after: { o: { a: 1 }, m: 2 },
  },
  {
    name: 'ratchet: a bound in allOf of what changed beside it',
    schema: object({ a: INTEGER, b: INTEGER }, { allOf: [{ properties: { a: { maximum: 3 } } }] }),
    before: { a: 5, b: 1 },
    after: { a: 5, b: 2 },
  },
  {
    name: 'ratchet: something twice, as before',
    schema: object({ s: set, m: INTEGER }),
    before: { s: [1, 1], m: 1 },
    after: { s: [1, 1], m: 2 },
  },
  {
    name: 'ratchet: something twice, another than before',
    schema: object({ s: set, m: INTEGER }),
    before: { s: [1, 1], m: 1 },
    after: { s: [2, 2], m: 2 },
  },
  {
    name: 'ratchet: something twice, not before',
    schema: object({ s: set, m: INTEGER }),
    before: { s: [1], m: 1 },
    after: { s: [1, 1], m: 2 },
  },
  {
    name: 'ratchet: unknown fields kept beside it',
    schema: object({
      o: object({ n: small }, { 'x-kubernetes-preserve-unknown-fields': true }),
      m: INTEGER,
    }),
    before: { o: { n: 50, more: 1 }, m: 1 },
    after: { o: { n: 50, more: 1 }, m: 2 },
  },
  {
    name: 'ratchet: a rule around unknown fields that are kept',
    schema: object({
      o: ruled(
        object({ n: INTEGER }, { 'x-kubernetes-preserve-unknown-fields': true }),
        'self.n < 9',
      ),
      m: INTEGER,
    }),
    before: { o: { n: 50, more: 1 }, m: 1 },
    after: { o: { n: 50, more: 1 }, m: 2 },
  },
  {
    name: 'ratchet: values of a map',
    schema: map(small),
    before: { a: 50, b: 50 },
    after: { a: 50, b: 51, c: 1 },
  },
];
