/** The data that rules can see, and its names. */
import { INTEGER, list, map, object, ruled, type Scenario, TEXT } from '../scenario.ts';

const embedded = object(
  { spec: object({ n: INTEGER }) },
  {
    'x-kubernetes-embedded-resource': true,
  },
);

export const valueScenarios: readonly Scenario[] = [
  {
    name: 'value: an embedded object has its type and names',
    schema: ruled(embedded, 'self.kind == "Pod" && self.metadata.name == "x"', 'self.spec.n > 5'),
    after: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { n: 1 } },
  },
  {
    name: 'value: embedded objects in a list',
    schema: list(ruled(embedded, 'self.apiVersion == "v2"')),
    after: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }],
  },
  {
    name: 'value: names that are escaped',
    schema: ruled(
      object({ 'a-b': INTEGER, 'a.b': INTEGER, 'a/b': INTEGER, a__b: INTEGER, for: INTEGER }),
      'self.a__dash__b > 5',
      'self.a__dot__b > 5',
      'self.a__slash__b > 5',
      'self.a__underscores__b > 5',
      'self.__for__ > 5',
    ),
    after: { 'a-b': 1, 'a.b': 1, 'a/b': 1, a__b: 1, for: 1 },
  },
  {
    name: 'value: rules below a name that cannot be written',
    schema: object({ 'a b': ruled(INTEGER, 'self > 5'), $x: ruled(INTEGER, 'self > 5') }),
    after: { 'a b': 1, $x: 1 },
  },
  {
    name: 'value: an int or a string',
    schema: ruled(object({ v: { 'x-kubernetes-int-or-string': true } }), {
      rule: 'type(self.v) == string ? self.v == "80%" : self.v == 80',
      messageExpression: '"not " + string(self.v)',
    }),
    after: { v: '90%' },
  },
  {
    name: 'value: a rule of an int or a string',
    schema: object({ v: ruled({ 'x-kubernetes-int-or-string': true }, 'self == 80') }),
    after: { v: '90%' },
  },
  {
    name: 'value: unknown fields are kept and count',
    schema: ruled(
      object({ a: INTEGER }, { 'x-kubernetes-preserve-unknown-fields': true }),
      'size([self]) == 2',
    ),
    after: { a: 1, b: 2 },
  },
  {
    name: 'value: dates and durations',
    schema: ruled(
      object({
        at: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        wait: { type: 'string', format: 'duration' },
        bytes: { type: 'string', format: 'byte' },
      }),
      'self.at.getFullYear() == 2030',
      'self.day > timestamp("2025-01-01T00:00:00Z")',
      'self.wait > duration("1h")',
      'size(self.bytes) == 4',
    ),
    after: { at: '2020-02-03T04:05:06Z', day: '2020-02-03', wait: '5m', bytes: 'aGVsbG8=' },
  },
  {
    name: 'value: numbers',
    schema: ruled(object({ d: { type: 'number' }, i: INTEGER }), 'self.d > 5.0', 'self.i > 5'),
    after: { d: 3, i: 3 },
  },
  {
    name: 'value: a default is seen',
    schema: ruled(object({ n: { ...INTEGER, default: 3 }, m: INTEGER }), 'self.n > 5'),
    after: { m: 1, n: 3 },
  },
  {
    name: 'value: a null in a map',
    schema: ruled(map({ ...INTEGER, nullable: true }), 'self.all(k, dyn(self[k]) == null)'),
    after: { a: null, b: 1 },
  },
  {
    name: 'value: a null that may be',
    schema: ruled(object({ n: { ...TEXT, nullable: true } }), 'has(self.n)'),
    after: { n: null },
  },
  {
    name: 'value: everything holds',
    schema: ruled(
      object({ names: list(TEXT, { maxItems: 5 }), by: map(INTEGER, { maxProperties: 5 }) }),
      'self.names.all(n, n in self.by)',
      'self.names.isSorted()',
      'self.by.all(k, v, v > 0 && k.matches("^[a-z]+$"))',
    ),
    after: { names: ['a', 'b'], by: { a: 1, b: 2 } },
  },
  {
    name: 'value: quantities and addresses',
    schema: ruled(
      object({ memory: TEXT, ip: TEXT, net: TEXT, url: TEXT, version: TEXT }),
      'quantity(self.memory).isGreaterThan(quantity("1Gi"))',
      'ip(self.ip).family() == 6',
      'cidr(self.net).containsIP(self.ip)',
      'url(self.url).getHost() == "example.com"',
      'semver(self.version).major() > 1',
      '!format.dns1123Label().validate(self.url).hasValue()',
    ),
    after: {
      memory: '512Mi',
      ip: '10.1.2.3',
      net: '10.2.0.0/16',
      url: 'https://example.org/x',
      version: '1.2.3',
    },
  },
];
