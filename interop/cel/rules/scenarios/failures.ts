/** Expressions that cannot be evaluated, and those that cost too much. */
import { INTEGER, list, map, object, ruled, type Scenario, TEXT } from '../scenario.ts';

const many = (length: number): number[] => Array.from({ length }, (_, index) => index);
const intOrString = { 'x-kubernetes-int-or-string': true };

export const failureScenarios: readonly Scenario[] = [
  {
    name: 'failure: no such key',
    schema: ruled(map(INTEGER), 'self["absent"] > 1'),
    after: { there: 1 },
  },
  {
    name: 'failure: an absent field',
    schema: ruled(object({ a: INTEGER, b: INTEGER }), {
      rule: 'self.b > 1',
      message: 'named by its message',
    }),
    after: { a: 1 },
  },
  {
    name: 'failure: index out of bounds',
    schema: ruled(list(INTEGER), 'self[3] > 1'),
    after: [1],
  },
  {
    name: 'failure: division by zero, and the next rule is asked',
    schema: ruled(object({ a: INTEGER }), '10 / self.a > 1', 'self.a > 5'),
    after: { a: 0 },
  },
  {
    name: 'failure: overflow',
    schema: ruled(object({ a: INTEGER }), 'self.a + 1 > 0'),
    after: { a: 9007199254740991 },
  },
  {
    name: 'failure: no such overload',
    schema: ruled(object({ v: intOrString }), 'self.v > 5'),
    after: { v: 'text' },
  },
  {
    name: 'failure: no such overload, named by its message',
    schema: ruled(object({ v: intOrString }), { rule: 'self.v.size() > 5', message: 'needs text' }),
    after: { v: 3 },
  },
  {
    name: 'failure: a bad pattern of data',
    schema: ruled(object({ a: TEXT }), 'self.a.matches(self.a)'),
    after: { a: '(' },
  },
  {
    name: 'failure: one call costs too much',
    schema: ruled(
      list(INTEGER, { maxItems: 100 }),
      'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))',
      'size(self) < 3',
    ),
    after: many(90),
  },
  {
    name: 'failure: one message costs too much',
    schema: ruled(list(INTEGER, { maxItems: 100 }), {
      rule: 'size(self) < 3',
      messageExpression: 'string(self.all(a, self.all(b, self.all(c, a + b + c >= 0))))',
    }),
    after: many(90),
  },
  {
    name: 'failure: all together cost too much',
    schema: list(
      ruled(
        list(INTEGER, { maxItems: 100 }),
        'self.all(a, self.all(b, a + b >= 0))',
        'self.all(a, self.all(b, a + b >= -1))',
        'self.all(a, self.all(b, a + b >= -2))',
      ),
      { maxItems: 100 },
    ),
    after: many(100).map(() => many(100)),
  },
  {
    name: 'failure: a pattern of the schema is not one of JavaScript',
    schema: object({ a: { type: 'string', pattern: '^\\pL+(?i:x)\\z', maxLength: 9 } }),
    after: { a: 'éq' },
  },
  {
    name: 'failure: rules are not asked about what is invalid',
    schema: ruled(object({ a: INTEGER, b: TEXT }, { required: ['a'] }), 'self.a > 5'),
    after: { b: 'x' },
  },
  {
    name: 'failure: rules are not asked about a wrong type',
    schema: ruled(object({ a: INTEGER }), 'self.a > 5'),
    after: { a: 'text' },
  },
  {
    name: 'failure: rules are not asked when something is too long',
    schema: ruled(object({ a: TEXT, b: INTEGER }), 'self.b > 5'),
    after: { a: 'x'.repeat(50), b: 1 },
  },
  {
    name: 'failure: rules are not asked when there is too much',
    schema: ruled(object({ a: list(INTEGER, { maxItems: 1 }), b: INTEGER }), 'self.b > 5'),
    after: { a: [1, 2], b: 1 },
  },
  {
    name: 'failure: rules are not asked about an unknown choice',
    schema: ruled(object({ a: { type: 'string', enum: ['x'] }, b: INTEGER }), 'self.b > 5'),
    after: { a: 'y', b: 1 },
  },
  {
    name: 'failure: rules are asked beside a broken bound',
    schema: ruled(object({ a: { type: 'integer', minimum: 3 }, b: INTEGER }), 'self.b > 5'),
    after: { a: 1, b: 1 },
  },
  {
    name: 'failure: rules are asked beside a broken pattern',
    schema: ruled(object({ a: { ...TEXT, pattern: '^x' }, b: INTEGER }), 'self.b > 5'),
    after: { a: 'y', b: 1 },
  },
  {
    name: 'failure: rules are asked beside something twice',
    schema: ruled(
      object({ a: list(INTEGER, { 'x-kubernetes-list-type': 'set' }), b: INTEGER }),
      'self.b > 5',
    ),
    after: { a: [1, 1], b: 1 },
  },
];
