/** Decoders of untrusted input, with the errors that each may throw and the invariants of accepted input. */
import { isDeepStrictEqual } from 'node:util';
import {
  applyJsonPatch,
  compareQuantities,
  decodeContinueToken,
  decodeJson,
  decodeListOptions,
  decodeYaml,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  encodeContinueToken,
  type FieldSelector,
  formatQuantity,
  goJson,
  JsonError,
  JsonPatchError,
  labelValueErrors,
  mergePatch,
  parseCreateOptions,
  parseFieldSelector,
  parseJson,
  parseLabelSelector,
  parsePatchOptions,
  parseQuantity,
  parseQuery,
  qualifiedNameErrors,
  StatusError,
  StrategicMergePatchError,
  strategicMergePatch,
  stringifyJson,
  stringifyYaml,
  timeoutParameterMs,
  validatePathSegmentName,
  YamlError,
} from '../src/index.ts';
import type { FuzzTarget } from './fuzz-harness.ts';
import {
  strategicMergePatchCases,
  strategicMergePatchSchema,
} from './strategic-merge-patch-cases.ts';
import { yamlReadingCases } from './yaml-cases.ts';

const jsonWords = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u',
  'd83d',
  'null',
  'true',
  '1',
  '-',
  'e',
  '.',
  '0',
  '9007199254740993',
  '__proto__',
  '"a":',
  ' ',
  '\n',
];
const documents = [
  '{"a":1,"b":[1,2,{"c":null}],"d":"x"}',
  '{"metadata":{"name":"a","labels":{"a":"b"},"finalizers":["x"]},"spec":{"n":9007199254740993}}',
  '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}},"a":{"__proto__":[]}}',
  '[[[[]]],{},"",0,-1.5e3]',
];

export const fuzzTargets: readonly FuzzTarget[] = [
  {
    name: 'JSON decoder',
    seeds: documents,
    dictionary: jsonWords,
    expected: [JsonError],
    run(input) {
      const { value } = decodeJson(Buffer.from(input));
      const again = decodeJson(Buffer.from(stringifyJson(value))).value;
      if (!isSameDocument(again, value)) return 'changes when encoded and decoded';
      return isDeepStrictEqual(parseJson(Buffer.from(input)), value)
        ? undefined
        : 'parseJson differs';
    },
  },
  {
    name: 'YAML decoder',
    seeds: [...yamlReadingCases.map(({ text }) => text), ...documents],
    dictionary: [
      '\n',
      '\n  ',
      ' ',
      '\t',
      ': ',
      '- ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '#',
      '"',
      "'",
      '|',
      '>',
      '&a ',
      '*a',
      '!',
      '!!int ',
      '%',
      '---\n',
      '...\n',
      '<<: ',
      '~',
      '1',
      'a',
      '__proto__',
      '\r',
      '\u0085',
    ],
    expected: [YamlError],
    run(input) {
      const { value } = decodeYaml(Buffer.from(input));
      const text = stringifyYaml(value);
      // Upstream encodes this key without quotes, and cannot decode it again.
      if (/^\s*(- )*<<:/m.test(text)) return undefined;
      const again = decodeYaml(Buffer.from(text)).value;
      return isSameDocument(again, value) ? undefined : 'changes when encoded and decoded';
    },
  },
  {
    name: 'label selector',
    seeds: ['a=b', 'a==b,c!=d', 'a in (b, c),d notin (e)', '!a', 'a,b', 'a>1,b<2', 'x.io/a=b'],
    dictionary: [
      '=',
      '==',
      '!=',
      '!',
      ',',
      '(',
      ')',
      ' in ',
      ' notin ',
      '>',
      '<',
      'a',
      '1',
      '/',
      '.',
      '-',
      ' ',
    ],
    expected: [],
    run(input) {
      const parsed = parseLabelSelector(input);
      if (!parsed.ok) return undefined;
      const again = parseLabelSelector(String(parsed.selector));
      if (!again.ok) return `prints as ${String(parsed.selector)}, which does not parse`;
      return String(again.selector) === String(parsed.selector)
        ? undefined
        : 'changes when printed and parsed';
    },
  },
  {
    name: 'field selector',
    seeds: ['metadata.name=a', 'a=b,c!=d', 'a==b', String.raw`a=b\,c\=d`, 'a='],
    dictionary: ['=', '==', '!=', ',', '\\', '\\,', '\\=', '\\\\', 'a', '.', ' '],
    expected: [],
    run(input) {
      const parsed = parseFieldSelector(input);
      if (!parsed.ok) return undefined;
      const again = parseFieldSelector(String(parsed.selector));
      if (!again.ok) return `prints as ${String(parsed.selector)}, which does not parse`;
      // Terms are sorted by their text, and `==` prints as `=`.
      const terms = (selector: FieldSelector) => selector.requirements.map(stringifyJson).sort();
      const isSame = isDeepStrictEqual(terms(again.selector), terms(parsed.selector));
      return isSame ? undefined : 'changes when printed and parsed';
    },
  },
  {
    name: 'continue token',
    seeds: [
      encodeContinueToken({ revision: 5, start: 'ns/a' }),
      Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"a"}').toString('base64url'),
      Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"../a"}').toString('base64url'),
    ],
    dictionary: ['A', 'e', '=', '-', '_', '+', '/', '.'],
    expected: [StatusError],
    run(input) {
      const token = decodeContinueToken(input);
      const again = decodeContinueToken(encodeContinueToken(token));
      return isDeepStrictEqual(again, token) ? undefined : 'changes when encoded and decoded';
    },
  },
  {
    name: 'quantity',
    seeds: ['1', '100m', '1.5Gi', '12e6', '-0.1', '1Ki', '123456789012345678901', '1e-10'],
    dictionary: [
      '0',
      '1',
      '9',
      '.',
      '-',
      '+',
      'e',
      'E',
      'i',
      'K',
      'M',
      'm',
      'n',
      'u',
      'Ki',
      '000',
      '99999',
    ],
    expected: [],
    run(input) {
      const parsed = parseQuantity(input);
      if (!parsed.ok) return undefined;
      const { text: _, ...bare } = parsed.quantity;
      const canonical = formatQuantity(bare);
      const again = parseQuantity(canonical);
      if (!again.ok) return `prints as ${canonical}, which does not parse`;
      // Upstream omits the suffix beyond these powers.
      const isShown = bare.format === 'DecimalExponent' || Math.abs(bare.exponent) <= 18;
      if (!isShown || /^-?\d{4,}$/.test(canonical) || bare.exponent > 3) return undefined;
      return compareQuantities(again.quantity, bare) === 0 ? undefined : `becomes ${canonical}`;
    },
  },
  {
    name: 'JSON patch',
    seeds: [
      '[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b/0"}]',
      '[{"op":"move","from":"/a","path":"/d"},{"op":"copy","from":"/b","path":"/b/-"}]',
      '[{"op":"test","path":"/a","value":1},{"op":"replace","path":"","value":{}}]',
      '[{"op":"add","path":"/__proto__/x","value":1}]',
    ],
    dictionary: [...jsonWords, '/', '~0', '~1', '/-', 'op', 'path', 'from', 'value', '/a', '/b/0'],
    expected: [JsonError, JsonPatchError],
    run(input) {
      const operations = decodeJson(Buffer.from(input)).value;
      if (!Array.isArray(operations)) return undefined;
      const document = JSON.parse(documents[0] ?? '{}');
      applyJsonPatch(document, operations);
      return goJson(document) === goJson(JSON.parse(documents[0] ?? '{}'))
        ? undefined
        : 'changes its argument';
    },
  },
  {
    name: 'merge patch',
    seeds: documents,
    dictionary: jsonWords,
    expected: [JsonError],
    run(input) {
      const patch = decodeJson(Buffer.from(input)).value;
      const once = mergePatch(JSON.parse(documents[1] ?? '{}'), patch);
      return isDeepStrictEqual(mergePatch(once, patch), once)
        ? undefined
        : 'changes when applied again';
    },
  },
  {
    name: 'strategic merge patch',
    seeds: strategicMergePatchCases.map(({ patch }) => stringifyJson(patch)),
    dictionary: [
      ...jsonWords,
      '$patch',
      '$retainKeys',
      '$setElementOrder/items',
      '$deleteFromPrimitiveList/scalars',
      '"delete"',
      '"name":',
      '"items":',
      '"scalars":',
      '"spec":',
    ],
    expected: [JsonError, StrategicMergePatchError],
    run(input) {
      const patch = decodeJson(Buffer.from(input)).value;
      // One of the documents, always the same one for an input.
      const { original } =
        strategicMergePatchCases[input.length % strategicMergePatchCases.length] ?? {};
      const before = goJson([original, patch]);
      strategicMergePatch(original, patch, strategicMergePatchSchema);
      return goJson([original, patch]) === before ? undefined : 'changes its arguments';
    },
  },
  {
    name: 'name validators',
    seeds: ['web-1', 'a.b.c', 'x.io/name', 'A_b', '..', 'a/b', '%'],
    dictionary: ['a', 'Z', '0', '-', '.', '_', '/', '%', ' ', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    expected: [],
    run(input) {
      const isLabel = dns1123LabelErrors(input).length === 0;
      const isSubdomain = dns1123SubdomainErrors(input).length === 0;
      if (isLabel && !isSubdomain) return 'is a label, but not a subdomain';
      if (dns1035LabelErrors(input).length === 0 && !isLabel)
        return 'is a DNS-1035 label, but not a DNS-1123 label';
      if (isLabel && qualifiedNameErrors(input).length > 0)
        return 'is a label, but not a qualified name';
      if (isLabel && labelValueErrors(input).length > 0) return 'is a label, but not a label value';
      return isSubdomain && validatePathSegmentName(input).length > 0
        ? 'is no path segment'
        : undefined;
    },
  },
  {
    name: 'query options',
    seeds: [
      'limit=5&continue=a',
      'watch=true&timeoutSeconds=5&resourceVersion=1',
      'fieldManager=a&dryRun=All&force=true',
      'labelSelector=a%3Db',
      'fieldValidation=Strict&pretty=1',
    ],
    dictionary: [
      '&',
      '=',
      '%',
      '%2',
      '%ff',
      '+',
      'limit',
      'watch',
      'true',
      '1',
      '-1',
      '99999999999999999999',
      'resourceVersion',
      'resourceVersionMatch',
      'sendInitialEvents',
      'timeoutSeconds',
      'dryRun',
      'fieldManager',
      'force',
      ';',
    ],
    expected: [StatusError],
    run(input) {
      const query = parseQuery(input);
      const readers = [
        () => decodeListOptions(query),
        () => parseCreateOptions(query),
        () => parsePatchOptions(query, { isApply: false }),
        () => parsePatchOptions(query, { isApply: true }),
        () => timeoutParameterMs(query),
      ];
      // An error of one parser must not hide those of the others.
      for (const read of readers) {
        try {
          read();
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
        }
      }
      return undefined;
    },
  },
];

/** Equal except for negative zero, which is encoded as zero. */
function isSameDocument(one: unknown, other: unknown): boolean {
  return stringifyJson(one) === stringifyJson(other) || isDeepStrictEqual(one, other);
}
