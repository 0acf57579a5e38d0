/** Expressions made to take time or memory, and data for them. */
import {
  compile,
  createEnvironment,
  type Environment,
  extendEnvironment,
  type Json,
  kubernetesLibraries,
  objectDeclarations,
  type Program,
  type Result,
  type Schema,
  schemaType,
  sizesOf,
  typedValue,
} from '../src/index.ts';

const TEXTS: Schema = { type: 'array', items: { type: 'string' } };

export const burnerSchema: Schema = {
  type: 'object',
  properties: {
    list: TEXTS,
    long: TEXTS,
    random: TEXTS,
    set: { ...TEXTS, 'x-kubernetes-list-type': 'set' },
    numbers: { type: 'array', items: { type: 'integer' } },
    doubles: { type: 'array', items: { type: 'number' } },
    deep: {
      type: 'array',
      items: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    text: { type: 'string' },
    wide: { type: 'string' },
    free: { type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true },
    pattern: { type: 'string' },
    urls: TEXTS,
    addresses: TEXTS,
    quantities: TEXTS,
    versions: TEXTS,
    times: { type: 'array', items: { type: 'string', format: 'date-time' } },
    digits: { type: 'string' },
  },
};

const COUNT = 1000;

function each<Value>(make: (index: number) => Value, length = COUNT): Value[] {
  return Array.from({ length }, (_, index) => make(index));
}

/** Letters whose sequence never repeats, the same in every run. */
function letters(length: number, seed: number): string {
  let state = seed;
  return each(() => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state & 0x10000 ? 'a' : 'b';
  }, length).join('');
}

/** Some megabytes, as much as a request can bring. */
export function burnerData(): Json {
  return {
    list: each((index) => `item-${index}`),
    long: each((index) => `${'ab'.repeat(500)}${index}`),
    random: each((index) => letters(COUNT, index + 1)),
    set: each((index) => `member-${index}`),
    numbers: each((index) => (index * 7919) % 10_007, 20_000),
    doubles: each((index) => index / 7, 20_000),
    deep: [each((index) => [index, index + 0.5])],
    map: Object.fromEntries(each((index) => [`key-${index}`, 'x'])),
    text: 'ab'.repeat(200_000),
    wide: 'é'.repeat(100_000),
    free: { unknown: each((index) => ({ index })) },
    pattern: '([a-c]{1,50}d?){1,15}',
    urls: each(
      (index) => `https://u:p@example.com:8080/${'a/%20/'.repeat(50)}?${'k=v&'.repeat(50)}${index}`,
    ),
    addresses: each((index) => `2001:db8::${index.toString(16)}`),
    quantities: each((index) => `${'9'.repeat(15)}${index % 10}.${index}Gi`),
    versions: each((index) => `1.${index}.3-${'alpha.'.repeat(20)}1+b`),
    times: each((index) => new Date(index * 1e9).toISOString()),
    digits: '9'.repeat(100_000),
  };
}

/** Each costs more than it may, or is stopped for what it does beside its cost, or is cheap enough. */
export const burners: readonly string[] = [
  // Loops within loops.
  'self.list.all(x, self.list.all(y, self.list.all(z, x != y || y != z || true)))',
  'self.list.map(x, self.list.map(y, self.list.map(z, x + y + z))).size() > 0',
  'self.map.all(x, self.map.all(y, self.map.exists(z, true)))',
  'self.list.transformMap(i, v, self.list.transformMap(j, w, v + w)).size() > 0',
  'self.numbers.all(x, self.numbers.all(y, x * y >= 0))',
  'self.list.all(x, self.list.all(y, self.list[5000] == x || true))',
  // Text that doubles.
  `${doubled(24)}.all(x, size(x) > 0)`,
  `[self.list].all(l, l.map(x, ${doubledSum('x', 12)}).map(x, ${doubledSum('x', 12)}).size() > 0)`,
  'self.list.all(x, [self.list, self.list].all(l, l.map(a, a + self.text).size() > 0))',
  'self.list.map(x, self.text + x).join("").size() > 0',
  // Patterns.
  "self.long.all(x, x.find('(a|b)*a(a|b){100}c') == '')",
  "self.random.all(x, x.find('(a|b)*a(a|b){100}') != '')",
  "self.random.all(x, x.find('(a|b)*a(a|b){8}') != '')",
  "self.random.all(x, x.findAll('[ab]').size() > 0)",
  "self.random.all(x, x.findAll('a|a.*z').size() > 0)",
  "self.random.all(x, !x.matches('(a|b)*a(a|b){100}c'))",
  "self.long.all(x, !x.matches('(a|b)*a(a|b){300}c'))",
  "self.text.find('(a|b)*a(a|b){400}c') == ''",
  "self.random.all(x, x.find('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') != '')",
  'self.list.all(x, self.list.all(y, self.wide.matches("(é|e)*$")))',
  'self.list.all(x, self.list.all(y, !y.matches(self.pattern + x)))',
  "self.list.all(x, self.list.all(y, !y.matches('(((a{1,100}){1,10}){1,10})' + x)))",
  // Lists.
  'self.numbers.sort().size() > 0',
  'self.list.all(x, self.numbers.sort()[0] == 0)',
  'self.long.all(x, self.long.sort().size() > 0)',
  'self.numbers.sortBy(x, -x).size() > 0',
  'self.numbers.distinct().size() > 0',
  'self.list.all(x, self.numbers.max() > 0 && self.numbers.sum() > 0)',
  'self.list.all(x, self.list.all(y, x in self.list))',
  'self.numbers.all(x, self.numbers.indexOf(-1) < 0)',
  'self.list.all(x, self.list.all(y, lists.range(100000).size() > 0))',
  'self.list.all(x, self.numbers.reverse().slice(0, 10000).size() > 0)',
  'self.list.all(x, self.deep.flatten().size() > 0)',
  // Text.
  "self.list.all(x, self.text.replace('a', 'aaaaaaaa').size() > 0)",
  "self.text.replace('', self.text).size() > 0",
  "self.list.all(x, self.text.split('').size() > 0)",
  "self.list.all(x, self.text.split('').join('-').size() > 0)",
  'self.list.all(x, self.text.charAt(399999) == "b")',
  'self.list.all(x, self.text.lowerAscii().upperAscii() != "")',
  'self.list.all(x, self.wide.trim().substring(5) != "")',
  'self.list.all(x, self.list.all(y, self.text.contains(x + y) || true))',
  'self.list.all(x, self.list.all(y, self.text.indexOf(y) < 0 || self.text.lastIndexOf(x) < 0))',
  'self.list.all(x, self.list.all(y, size(self.wide) > 0))',
  // Sets.
  'self.list.all(x, self.list.all(y, (self.set + self.set).size() > 0))',
  'self.list.all(x, self.list.all(y, self.set == self.set))',
  'sets.equivalent(self.numbers, self.numbers)',
  'self.list.all(x, sets.contains(self.long, self.long))',
  'self.list.all(x, sets.intersects(self.deep, self.deep))',
  // Comparing what lies deep.
  'self.list.all(x, self.list.all(y, self.free == self.free))',
  'self.list.all(x, self.list.all(y, self.deep == self.deep))',
  // Numbers that are large.
  'self.list.all(x, self.list.all(y, isQuantity(self.digits)))',
  'self.quantities.all(x, self.quantities.all(y, quantity(x).compareTo(quantity(y)) < 2))',
  'self.quantities.all(x, self.quantities.all(y, quantity(x).add(quantity(y)).sub(quantity(y)).isInteger()))',
  "self.list.all(x, self.list.all(y, quantity('1e18').asApproximateFloat() > 0.0))",
  // Formats.
  "self.list.all(x, '%s%s%s%s'.format([self.text, self.text, self.text, self.text]) != '')",
  "self.list.all(x, '%s'.format([self.numbers]) != '')",
  "self.list.all(x, '%s %s'.format([self.deep, self.map]) != '')",
  "self.numbers.all(x, '%b %x %e %.9f'.format([x, x, double(x), double(x)]) != '')",
  // Texts that are read.
  'self.urls.all(x, self.urls.all(y, url(x).getHost() == url(y).getHost()))',
  'self.urls.all(x, self.list.all(y, url(x).getQuery().size() > 0 && url(x).getEscapedPath() != ""))',
  'self.list.all(x, self.list.all(y, isURL(self.text)))',
  'self.addresses.all(x, self.addresses.all(y, ip(x).family() == 6 && isIP(y)))',
  "self.addresses.all(x, self.addresses.all(y, cidr(y + '/64').containsIP(x) || true))",
  'self.versions.all(x, self.versions.all(y, semver(x).compareTo(semver(y)) < 2))',
  'self.times.all(x, self.times.all(y, x - y < duration("1h") || x.getFullYear("Europe/Berlin") > 0))',
  "self.list.all(x, self.list.all(y, format.named('dns1123Label').value().validate(self.text).hasValue()))",
  'self.numbers.all(x, self.numbers.all(y, string(x) + string(y) != ""))',
  'self.doubles.all(x, self.doubles.all(y, string(x) != string(y) || true))',
  'self.list.all(x, self.list.all(y, bytes(self.text).size() > 0))',
];

/** Lists of one text each, in which it is twice as long as in the one before. */
function doubled(times: number): string {
  return each(() => '.map(x, x + x)', times).reduce((list, step) => list + step, '[self.wide]');
}

function doubledSum(name: string, times: number): string {
  return each(() => name, times).join(' + ');
}

export function burnerEnvironment(): Environment {
  const self = schemaType(burnerSchema, 'selfType');
  if (self === undefined) throw new Error('the schema has no type');
  return extendEnvironment(createEnvironment({ libraries: kubernetesLibraries() }), {
    variables: { self: self.type },
    types: objectDeclarations(self),
    sizes: sizesOf(self),
  });
}

export function compiledBurner(environment: Environment, expression: string): Program {
  const compiled = compile(environment, expression);
  if (compiled.ok) return compiled.program;
  throw new Error('text' in compiled ? compiled.text : compiled.instantiation.message);
}

/** Typed anew each time, so that nothing of it is known from before. */
export function burnerVariables(data: Json): Map<string, Result> {
  return new Map([['self', typedValue(data, burnerSchema)]]);
}
