/** JSON and YAML of clients. JSON.parse is the reference for both, and js-yaml for what both dialects of YAML share. */
import assert from 'node:assert/strict';
import {
  decodeJson,
  decodeYaml,
  JsonError,
  parseJson,
  stringifyJson,
  stringifyYaml,
  YamlError,
} from '@tributary/apimachinery';
import { isSame } from '../same.ts';
import { errorsOf, type FuzzTarget } from '../target.ts';

// biome-ignore format: a list of pieces reads better in few lines
const JSON_TOKENS = [
  '{', '}', '[', ']', ',', ':', '"', '""', '{}', '[]', 'null', 'true', 'false', '"a":', '"a":1,', '"__proto__":', '"constructor":',
  '\\', '\\u0000', '\\ud800', '\\ud83d\\ude00', '\\n', '\\x', '0', '-0', '-', '1e5', '1E+400', '1.', '.5', '01', '9007199254740993', '123456789012345678901',
  ' ', '\n', '\t', '\r', '\u00a0', '\ufeff', '\u2028', 'NaN', 'Infinity', '//', '/**/', "'",
];

/** The result of JSON.parse for the same bytes; undefined when it refuses them. */
function reference(input: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(input.toString()) as unknown };
  } catch {
    return undefined;
  }
}

/** Both values as JSON.parse would have them: integers as doubles, halves of surrogate pairs replaced. */
function asDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(asDoubles);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key.toWellFormed(),
    asDoubles(member),
  ]);
  return new Map(members as [string, unknown][]);
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

const json: FuzzTarget = {
  name: 'the JSON scanner',
  corpus: 'json',
  tokens: JSON_TOKENS,
  run(input) {
    const expected = reference(input);
    let decoded: ReturnType<typeof decodeJson>;
    try {
      decoded = decodeJson(input);
    } catch (error) {
      // Go refuses numbers that no double can hold, also under a key that comes again.
      const isLarge = /\d{200}|[eE]\+?\d{3}/.test(input.toString('latin1'));
      assert.ok(expected === undefined || isLarge, 'JSON.parse reads this');
      assert.throws(() => parseJson(input), { message: (error as Error).message });
      throw error;
    }
    assert.ok(expected !== undefined, 'JSON.parse refuses this');
    assert.ok(isSame(asDoubles(decoded.value), asDoubles(expected.value)));
    assert.ok(isSame(asDoubles(parseJson(input)), asDoubles(decoded.value)));
    const again = decodeJson(Buffer.from(stringifyJson(decoded.value)));
    assert.ok(isSame(again.value, decoded.value), 'the value changes when it is written');
    return `${typeof decoded.value} ${decoded.duplicateFields.length}`;
  },
  refuses: errorsOf(JsonError),
};

// biome-ignore format: a list of pieces reads better in few lines
const YAML_TOKENS = [
  ...JSON_TOKENS, '- ', '  ', '\n  ', '\n- ', 'a: ', '? ', ': ', '|', '|-\n ', '>', '>+2\n  ', '&a ', '*a', '<<: *a', '!!str ', '!!binary ', '!!int ',
  '!x ', '---\n', '...\n', '%YAML 1.1\n', '%TAG ! x\n', '#', ' #x\n', 'yes', 'off', '~', '0o17', '017', '0x1F', '1_000', '1:30', '.inf', '.nan', '2001-01-01',
  '@', '`', '\u0085', '\u2029', '\\x41', '\\u00e9', "''",
];

const yaml: FuzzTarget = {
  name: 'the YAML parser',
  corpus: 'yaml',
  tokens: YAML_TOKENS,
  run(input) {
    const { value, duplicates } = decodeYaml(input);
    const json = stringifyJson(value);
    // A decoded value can be encoded, and is then the same.
    assert.ok(isSame(decodeJson(Buffer.from(json)).value, value), 'as JSON it is another');
    const { value: again } = decodeYaml(Buffer.from(stringifyYaml(value)));
    assert.ok(isSame(again, value), 'as YAML it is another');
    return `${typeof value} ${duplicates.length} ${json.length > 20}`;
  },
  refuses: errorsOf(YamlError),
};

/** Characters that JSON allows in a text and YAML does not, and numbers that are written otherwise. */
const NOT_YAML = /[^\t\n\r\x20-\x7e]|\\[uU/]|\t/;

const jsonAsYaml: FuzzTarget = {
  name: 'the YAML parser, given JSON',
  corpus: 'json',
  tokens: JSON_TOKENS,
  run(input) {
    const text = input.toString();
    const expected = NOT_YAML.test(text) ? undefined : reference(input);
    const { value } = decodeYaml(input);
    if (expected === undefined || hasInfinity(expected.value)) return 'not compared';
    assert.ok(isSame(asDoubles(value), asDoubles(expected.value)));
    return `compared ${typeof value}`;
  },
  refuses: errorsOf(YamlError),
};

export const documentTargets = [json, yaml, jsonAsYaml];
