/** CEL and regular expressions of definitions and policies. */
import assert from 'node:assert/strict';
import {
  compile,
  compileRegexp,
  createEnvironment,
  jsonValue,
  kubernetesLibraries,
} from '@tributary/cel';
import { errorsOf, type FuzzTarget } from '../target.ts';

// biome-ignore format: a list of pieces reads better in few lines
const CEL_TOKENS = [
  'data', 'x', '__proto__', 'constructor', '1', '2u', '1.5', '-', '!', '"s"', "'", 'b"x"', 'r"\\"', 'true', 'null', ' in ', '+', '*', '/', '%', '&&', '||',
  '==', '<=', '?', ':', '(', ')', '[', ']', '{', '}', '.', ',', '.?', '[?', '`q`', 'has(', '.all(x,', '.map(y,', '.exists(z,', 'size(', 'int(', 'string(',
  '.matches("a+")', '.replace("a","b")', '.split(",")', 'url("http://x")', 'quantity("1Gi")', 'ip("::1")', 'cidr("10.0.0.0/8")', 'duration("1h")',
  'timestamp("2020-01-01T00:00:00Z")', 'semver("1.2.3")', 'format.dns1123Label()', '.sort()', '.sum()', '.find("[a-z]")', '.lowerAscii()', 'optional.of(1)',
  '"%d".format([1])', '\\', '@', '&', '\n', '\t', '//', 'é', '😀', '9223372036854775807', '1e400', '0x', "'''",
];

const environment = createEnvironment({
  libraries: kubernetesLibraries(),
  variables: { data: { kind: 'dyn' } },
});

const variables = new Map([
  [
    'data',
    jsonValue(
      JSON.parse(
        '{"list":[1,"two",null,2.5],"map":{"a":{"b":1}},"text":"aaa","__proto__":{"polluted":true}}',
      ),
    ),
  ],
]);
const COST_LIMIT = 20_000;

class Refused extends Error {}

const cel: FuzzTarget = {
  name: 'CEL',
  corpus: 'cel',
  tokens: CEL_TOKENS,
  bytesMax: 400,
  run(input) {
    const compiled = compile(environment, input.toString());
    if (!compiled.ok) {
      throw new Refused(compiled.issues[0]?.message ?? 'a constant means nothing');
    }
    const result = compiled.program.evaluate(variables, { costLimit: COST_LIMIT });
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    return result.outcome === 'value'
      ? `value ${typeof result.value}`
      : result.message.replace(/\d+/g, '#');
  },
  refuses: errorsOf(Refused),
};

// biome-ignore format: a list of pieces reads better in few lines
const REGEXP_TOKENS = [
  'a', 'b', '.', '*', '+', '?', '|', '(', ')', '[', ']', '[^', '{2}', '{2,}', '{0,1000}', '{1001}', '(?:', '(?i)', '(?P<n>', '(?s-m:', '\\d', '\\pL', '\\p{Greek}',
  '\\b', '^', '$', '\\A', '\\z', '\\Q', '\\E', '\\x{10FFFF}', '[[:alpha:]]', '[a-', '[z-a]', '*?', '+?', '??', '**', '\\', '\\C', '\\1', 'é', '😀', '-', ',',
];
const TEXTS = ['', 'a', 'b', 'ab', 'aab', 'é😀', 'a\nb', `${'a'.repeat(40)}!`];

/** Patterns that mean the same in both dialects. A quantifier behind another one, and classes, do not. */
const SHARED =
  /^(?:[ab](?:[*+?])?|\.(?:[*+?])?|\||\[[ab]+\](?:[*+?])?|\^(?![*+?])|\$(?![*+?])){1,12}$/;

const regexp: FuzzTarget = {
  name: 'regular expressions',
  corpus: 'regexps',
  tokens: REGEXP_TOKENS,
  bytesMax: 200,
  run(input) {
    const pattern = input.toString();
    const compiled = compileRegexp(pattern);
    if (!compiled.ok) throw new Refused(compiled.error);
    const found = TEXTS.map((text) => compiled.regexp.matches(text));
    if (SHARED.test(pattern)) {
      const reference = new RegExp(pattern, 'u');
      for (const [at, text] of TEXTS.entries()) {
        // The longest text would take the reference for ever.
        if (text.length < 10)
          assert.equal(found[at], reference.test(text), `${pattern} in ${text}`);
      }
    }
    for (const text of TEXTS) {
      const match = compiled.regexp.find(text);
      assert.equal(match !== undefined, compiled.regexp.matches(text), `${pattern} in ${text}`);
    }
    return found.map(Number).join('');
  },
  refuses: errorsOf(Refused),
};

export const expressionTargets = [cel, regexp];
