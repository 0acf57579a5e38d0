/** Schemas that are refused for their rules. */
import {
  INTEGER,
  list,
  listByName,
  map,
  object,
  type ProblemCase,
  ruled,
  TEXT,
} from './scenario.ts';

const text = object({ a: { type: 'string' }, n: INTEGER, l: { type: 'array', items: INTEGER } });
const LONG: object = { type: 'array', items: { type: 'string' } };

const own = (name: string, ...rules: Parameters<typeof ruled>[1][]): ProblemCase => ({
  name: `problem: ${name}`,
  schema: ruled(text, ...rules),
});
const of = (name: string, schema: ProblemCase['schema']): ProblemCase => ({
  name: `problem: ${name}`,
  schema,
});

export const problemCases: readonly ProblemCase[] = [
  own('none', 'self.n > 1'),
  own('an empty rule', ''),
  own('a blank rule', '  '),
  own('no rule', { message: 'm' }),
  own('a blank message', { rule: 'true', message: '  ' }),
  own('a message of two lines', { rule: 'true', message: 'a\nb' }),
  own('a rule of two lines without a message', 'true &&\ntrue'),
  own('a blank message expression', { rule: 'true', messageExpression: '  ' }),
  own('an unknown reason', { rule: 'true', reason: 'Other' }),
  own('a blank place', { rule: 'true', fieldPath: ' ' }),
  own('a place of two lines', { rule: 'true', fieldPath: '.a\n' }),
  own('a place that is not there', { rule: 'true', fieldPath: '.b' }),
  own('a place in a list', { rule: 'true', fieldPath: '.l[0]' }),
  own('a place without a dot', { rule: 'true', fieldPath: 'a' }),
  own('a place with a wrong escape', { rule: 'true', fieldPath: "['\\x']" }),
  own('a place that does not end', { rule: 'true', fieldPath: "['a'" }),
  own('a place inside a scalar', { rule: 'true', fieldPath: '.a.b' }),
  own(
    'places that are there',
    { rule: 'true', fieldPath: '.a' },
    { rule: 'true == true', fieldPath: "['n']" },
  ),
  own('bad syntax', 'self.n >'),
  own('an unknown field', 'self.b > 1'),
  own('a wrong type', 'self.n > "a"'),
  own('no condition', 'self.n'),
  own('a constant that is none', { rule: 'self.a.matches("(")', message: 'b<a' }),
  own('several', 'self.b', 'self.c == 1 &', { rule: 'self.n > 1', message: 'fine' }),
  own('a message expression that is wrong', { rule: 'true', messageExpression: 'self.b' }),
  own('a message expression that is no text', { rule: 'true', messageExpression: 'self.n' }),
  own('optional without an old value', { rule: 'self.n > 1', optionalOldSelf: true }),
  own('not optional without an old value', { rule: 'self.n > 1', optionalOldSelf: false }),
  own('optional and wrong', { rule: 'self.b', optionalOldSelf: true, reason: 'FieldValueInvalid' }),
  own('not taken as an optional', { rule: 'self.n > oldSelf.n', optionalOldSelf: true }),
  of('an old value in a list', list(ruled(object({ n: INTEGER }), 'self.n > oldSelf.n'))),
  of(
    'an old value further inside a list',
    object({ l: list(object({ n: ruled(INTEGER, 'self > oldSelf') })) }),
  ),
  of(
    'an old value in a set',
    list(ruled(TEXT, 'self == oldSelf'), { 'x-kubernetes-list-type': 'set' }),
  ),
  of(
    'an old value in a list of type map',
    listByName(ruled(object({ name: TEXT }, { required: ['name'] }), 'self == oldSelf')),
  ),
  of(
    'an old value in a list inside a list of type map',
    listByName(
      object({ name: TEXT, l: list(ruled(TEXT, 'self == oldSelf')) }, { required: ['name'] }),
    ),
  ),
  of('an old value in a map', map(ruled(TEXT, 'self == oldSelf'))),
  of('too expensive', ruled(object({ l: LONG }), 'self.l.all(x, self.l.all(y, x == y))')),
  of(
    'a little too expensive',
    ruled(object({ l: list(INTEGER, { maxItems: 1500 }) }), 'self.l.all(x, self.l.all(y, x == y))'),
  ),
  of(
    'somewhat too expensive',
    ruled(object({ l: list(INTEGER, { maxItems: 3000 }) }), 'self.l.all(x, self.l.all(y, x == y))'),
  ),
  of(
    'cheap enough',
    ruled(object({ l: list(INTEGER, { maxItems: 1000 }) }), 'self.l.all(x, self.l.all(y, x == y))'),
  ),
  of('too expensive by how often', {
    type: 'array',
    items: ruled(object({ l: list(TEXT) }), 'self.l.all(x, x.contains("a"))'),
  }),
  of(
    'cheap enough by how often',
    list(ruled(object({ l: list(TEXT) }), 'self.l.all(x, x.contains("a"))')),
  ),
  of('often in maps of lists', map({ type: 'array', items: ruled(TEXT, 'self.matches("a+b")') })),
  of(
    'an expensive message',
    ruled(object({ l: LONG, n: INTEGER }), {
      rule: 'self.n > 1',
      messageExpression: 'self.l.filter(x, self.l.exists(y, x == y)).join()',
    }),
  ),
  of(
    'too expensive together',
    object(
      Object.fromEntries(
        Array.from({ length: 14 }, (_, index) => [
          `l${index}`,
          ruled(list(INTEGER, { maxItems: 1300 + index }), 'self.all(x, self.all(y, x == y))'),
        ]),
      ),
    ),
  ),
  of(
    'a rule of what has no type',
    object({ a: ruled({ 'x-kubernetes-preserve-unknown-fields': true }, 'true') }),
  ),
  of(
    'a rule that looks at what has no type',
    ruled(object({ a: { 'x-kubernetes-preserve-unknown-fields': true } }), 'self.a == 1'),
  ),
  of(
    'an embedded object',
    object({
      e: ruled(
        object(
          {},
          { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        ),
        'self.kind == 1',
        'self.metadata.labels.size() > 0',
      ),
    }),
  ),
  of(
    'a wrong declaration hides what is around it',
    ruled(object({ a: ruled(TEXT, '') }), 'self.b'),
  ),
  of(
    'a wrong declaration hides nothing beside it',
    object({ a: ruled(TEXT, ''), b: ruled(TEXT, 'self > 1') }),
  ),
];
