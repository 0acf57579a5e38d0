/** Messages of broken rules, and their paths. */
import { INTEGER, list, map, object, ruled, type Scenario, TEXT } from '../scenario.ts';

const range = object({ min: INTEGER, max: INTEGER, name: TEXT });
const wrong = { min: 5, max: 1, name: 'a "b"' };
const RULE = 'self.min <= self.max';

const said = (name: string, rule: object): Scenario => ({
  name: `message: ${name}`,
  schema: ruled(range, { rule: RULE, ...rule }),
  after: wrong,
});

export const messageScenarios: readonly Scenario[] = [
  said('none', {}),
  said('a text', { message: 'min is larger' }),
  said('a text with blanks around it', { message: '  min is larger ' }),
  said('an expression', { messageExpression: 'self.name + " is wrong"' }),
  said('an expression and a text', { message: 'plain', messageExpression: '"made"' }),
  said('an expression that fails', {
    message: 'plain',
    messageExpression: 'string(self.min / (self.max - 1))',
  }),
  said('an expression that fails, and no text', {
    messageExpression: 'string(self.min / (self.max - 1))',
  }),
  said('an empty result', { message: 'plain', messageExpression: '""' }),
  said('a blank result', { message: 'plain', messageExpression: '"   "' }),
  said('a result of two lines', { message: 'plain', messageExpression: '"a\\nb"' }),
  said('a result with a carriage return', { message: 'plain', messageExpression: '"a\\rb"' }),
  said('a result with a line break around it', { messageExpression: '"\\n made \\n"' }),
  said('a result that is too long', {
    message: 'plain',
    messageExpression: `'${'x'.repeat(5121)}'`,
  }),
  said('a result that is just short enough', {
    message: 'plain',
    messageExpression: `'${'x'.repeat(5120)}'`,
  }),
  said('a rule with blanks around it', { rule: `  ${RULE}  ` }),
  said('a rule of two lines', { rule: 'self.min <=\nself.max', message: 'two lines' }),
  said('reason invalid', { reason: 'FieldValueInvalid', message: 'm' }),
  said('reason forbidden', { reason: 'FieldValueForbidden', message: 'm' }),
  said('reason required', { reason: 'FieldValueRequired', message: 'm' }),
  said('reason duplicate', { reason: 'FieldValueDuplicate', message: 'm' }),
  said('a place', { fieldPath: '.max', message: 'm' }),
  said('a place and a reason', { fieldPath: '.max', reason: 'FieldValueRequired', message: 'm' }),
  said('a place in brackets', { fieldPath: "['max']", message: 'm' }),
  {
    name: 'message: a place further inside, with a key',
    schema: ruled(object({ a: object({ 'b.c': map(TEXT) }), n: INTEGER }), {
      rule: 'self.n > 5',
      fieldPath: ".a['b.c']['k e']",
    }),
    after: { n: 1 },
  },
  {
    name: 'message: a place in a map',
    schema: ruled(map(map(INTEGER)), { rule: 'size(self) > 5', fieldPath: ".some['it\\'s']" }),
    after: { n: { m: 1 } },
  },
  {
    name: 'message: the value is shown for a scalar',
    schema: object({
      text: ruled(TEXT, 'self == "x"'),
      whole: ruled(INTEGER, 'self > 10'),
      number: ruled({ type: 'number' }, 'self > 10.0'),
      flag: ruled({ type: 'boolean' }, '!self'),
      duplicate: ruled(TEXT, { rule: 'self == "x"', reason: 'FieldValueDuplicate' }),
    }),
    after: { text: 'q"q', whole: 3, number: 1.5, flag: true, duplicate: 'd' },
  },
  {
    name: 'message: several rules of one value',
    schema: ruled(range, RULE, 'self.min > 100', { rule: 'self.max > 0', message: 'holds' }),
    after: wrong,
  },
  {
    name: 'message: rules of a list and its elements',
    schema: ruled(list(ruled(INTEGER, 'self < 3'), { maxItems: 9 }), 'self.all(x, x > 0)'),
    after: [0, 2, 5, 7],
  },
  {
    name: 'message: rules of a map and its values',
    schema: ruled(map(ruled(INTEGER, 'self < 3'), { maxProperties: 9 }), 'size(self) < 2'),
    after: { 'a.b': 1, c: 5 },
  },
  {
    name: 'message: the expression sees the same old value',
    schema: ruled(object({ n: INTEGER }), {
      rule: 'self.n >= oldSelf.n',
      messageExpression: '"%d after %d".format([self.n, oldSelf.n])',
    }),
    before: { n: 5 },
    after: { n: 3 },
  },
];
