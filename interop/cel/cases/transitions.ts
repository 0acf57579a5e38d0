/** Rules that compare with what was there before. */
import { rules } from '../case.ts';

const schema = {
  type: 'object',
  properties: {
    class: { type: 'string', maxLength: 64 },
    size: { type: 'integer' },
    version: { type: 'string', maxLength: 64 },
    zones: {
      type: 'array',
      maxItems: 10,
      'x-kubernetes-list-type': 'set',
      items: { type: 'string', maxLength: 20 },
    },
    rules: {
      type: 'array',
      maxItems: 10,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 20 }, weight: { type: 'integer' } },
      },
    },
    labels: {
      type: 'object',
      maxProperties: 10,
      additionalProperties: { type: 'string', maxLength: 20 },
    },
  },
};

const before = {
  class: 'gold',
  size: 10,
  version: '1.2.3',
  zones: ['a', 'b'],
  rules: [{ name: 'x', weight: 1 }],
  labels: { app: 'web' },
};
const after = {
  class: 'gold',
  size: 20,
  version: '1.3.0',
  zones: ['b', 'a', 'c'],
  rules: [
    { name: 'y', weight: 2 },
    { name: 'x', weight: 1 },
  ],
  labels: { app: 'api', tier: 'front' },
};

const expressions = [
  'self.class == oldSelf.class',
  'self == oldSelf',
  'self.size >= oldSelf.size',
  'self.size <= oldSelf.size',
  `semver(self.version).isGreaterThan(semver(oldSelf.version))`,
  'oldSelf.zones.all(z, z in self.zones)',
  'self.zones.all(z, z in oldSelf.zones)',
  'sets.contains(self.zones, oldSelf.zones)',
  'self.zones == oldSelf.zones',
  'oldSelf.rules.all(r, self.rules.exists(s, s == r))',
  'self.rules + oldSelf.rules == self.rules',
  `!self.labels.exists(k, !(k in oldSelf.labels) && k == 'none')`,
  'oldSelf.labels.all(k, k in self.labels)',
  '!has(oldSelf.class) || has(self.class)',
  'has(self.class) == has(oldSelf.class)',
  'self.size - oldSelf.size < 5',
];

export const transitionCases = [
  ...rules('transition', { schema, self: after, oldSelf: before }, expressions),
  ...rules('created', { schema, self: after }, expressions.slice(0, 4)),
  ...rules('unchanged', { schema, self: before, oldSelf: before }, expressions.slice(0, 10)),
  ...rules('optional before, created', { schema, self: after, optionalOldSelf: true }, [
    'oldSelf.hasValue()',
    '!oldSelf.hasValue() || oldSelf.value().class == self.class',
    'oldSelf.optMap(o, o.size <= self.size).orValue(true)',
    'oldSelf.?size.orValue(0) < self.size',
    'oldSelf.size < self.size',
    'oldSelf.value().size < self.size',
    'self == oldSelf',
  ]),
  ...rules(
    'optional before, changed',
    { schema, self: after, oldSelf: before, optionalOldSelf: true },
    [
      'oldSelf.hasValue()',
      '!oldSelf.hasValue() || oldSelf.value().class == self.class',
      'oldSelf.optMap(o, o.size <= self.size).orValue(true)',
      'oldSelf.?size.orValue(0) < self.size',
      'oldSelf.size.orValue(100) < self.size',
      'oldSelf.value() == self',
      'self.size <= 100 || oldSelf.orValue(self).size == self.size',
    ],
  ),
];
