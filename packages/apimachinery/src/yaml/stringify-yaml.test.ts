import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { yamlWritingCases } from '../../test/yaml-cases.ts';
import { decodeJson } from '../json/parse-json.ts';
import { decodeYaml } from './decode-yaml.ts';
import { stringifyYaml } from './stringify-yaml.ts';

for (const { json, yaml } of yamlWritingCases) {
  test(`encodes ${json.slice(0, 80)}`, () => {
    assert.equal(stringifyYaml(decodeJson(Buffer.from(json)).value), yaml);
  });
}

test('a value survives stringifyYaml and decodeYaml', () => {
  const text = fc.string({ unit: 'binary' }).filter((one) => one !== '<<' && one.isWellFormed());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Number.isInteger(one)),
      fc.constantFrom(null, true, false),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (one) => {
      assert.deepEqual(decodeYaml(Buffer.from(stringifyYaml(one))).value, one);
    }),
    { numRuns: 500 },
  );
});

test('objects beyond the maximum depth are rejected', () => {
  let deep: unknown = 1;
  for (let at = 0; at < 1_001; at += 1) deep = [deep];
  assert.throws(() => stringifyYaml(deep), { name: 'YamlError' });
});

test('stringifyYaml encodes __proto__ as data', () => {
  assert.equal(stringifyYaml(JSON.parse('{"__proto__":1}')), '__proto__: 1\n');
});
