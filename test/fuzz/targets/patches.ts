/** Patches of clients. Each input is an array: a document, and what is to be done to it. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  applyJsonPatch,
  cloneJson,
  decodeJson,
  JsonError,
  JsonPatchError,
  mergePatch,
  StrategicMergePatchError,
  strategicMergePatch,
  stringifyJson,
} from '@tributary/apimachinery';
import { isSame } from '../same.ts';
import { errorsOf, type FuzzTarget } from '../target.ts';

class NoPair extends Error {}

function pairOf(input: Buffer): readonly [document: unknown, patch: unknown] {
  const { value } = decodeJson(input);
  if (!Array.isArray(value) || value.length !== 2) throw new NoPair();
  return [value[0], value[1]];
}

// biome-ignore format: a list of pieces reads better in few lines
const TOKENS = [
  '{', '}', '[', ']', ',', ':', '{}', '[]', 'null', 'true', '1', '-1', '9007199254740993', '"a"', '"b"', '"a":', '"b":', '"__proto__":', '"constructor":',
  '"/a"', '"/b/0"', '"/b/-"', '"/b/-1"', '"/__proto__"', '"/constructor/prototype"', '"/a~1b"', '"/~0"', '"/~2"', '""', '"/"', '"/b/01"', '"/b/1e0"',
  '{"op":"add","path":"/a","value":1}', '{"op":"remove","path":"/a"}', '{"op":"replace","path":"/b","value":[1]}', '{"op":"move","from":"/a","path":"/b"}',
  '{"op":"copy","from":"","path":"/a"}', '{"op":"test","path":"/a","value":null}', '"op":"copy"', '"from":"/a"', '"path":', '"value":',
  '"$patch":"replace"', '"$patch":"delete"', '"$patch":"merge"', '"$retainKeys":["a"]', '"$deleteFromPrimitiveList/c":["x"]', '"$setElementOrder/d":[{"name":"x"}]',
  '"c":["x"]', '"d":[{"name":"x","e":1}]', '{"name":"x"}', '"metadata":{"finalizers":["x"]}',
];

const jsonPatch: FuzzTarget = {
  name: 'JSON patch',
  corpus: 'json-patch',
  tokens: TOKENS,
  run(input) {
    const [document, operations] = pairOf(input);
    if (!Array.isArray(operations)) throw new NoPair();
    const before = stringifyJson(document);
    try {
      const result = applyJsonPatch(document, operations);
      const written = stringifyJson(result);
      assert.ok(isSame(decodeJson(Buffer.from(written)).value, result));
      return `${operations.length} ${typeof result}`;
    } finally {
      assert.equal(stringifyJson(document), before, 'the document was changed');
    }
  },
  refuses: errorsOf(JsonPatchError, JsonError, NoPair),
};

/** RFC 7386, section 2, with maps, so that no key is special. */
function referenceMerge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const merged = new Map(isObject ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, referenceMerge(merged.get(key), value));
  }
  return Object.defineProperties(
    {},
    Object.fromEntries([...merged].map(([key, value]) => [key, member(value)])),
  );
}

function member(value: unknown): PropertyDescriptor {
  return { value, configurable: true, enumerable: true, writable: true };
}

const mergePatchTarget: FuzzTarget = {
  name: 'JSON merge patch',
  corpus: 'json-patch',
  tokens: TOKENS,
  run(input) {
    const [document, patch] = pairOf(input);
    const copies = [cloneJson(document), cloneJson(patch)];
    const result = mergePatch(document, patch);
    assert.ok(isDeepStrictEqual([document, patch], copies), 'an argument was changed');
    assert.equal(stringifyJson(result), stringifyJson(referenceMerge(document, patch)));
    return typeof result;
  },
  refuses: errorsOf(JsonError, NoPair),
};

const schema = {
  properties: {
    a: { 'x-kubernetes-patch-strategy': 'retainKeys', properties: { b: {} } },
    b: { items: {} },
    c: { items: {}, 'x-kubernetes-patch-strategy': 'merge' },
    d: {
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      items: { properties: { name: {}, e: {} } },
    },
  },
};

const strategicPatch: FuzzTarget = {
  name: 'strategic merge patch',
  corpus: 'strategic-merge-patch',
  tokens: TOKENS,
  run(input) {
    const [document, patch] = pairOf(input);
    const before = stringifyJson([document, patch]);
    try {
      return typeof strategicMergePatch(document, patch, schema);
    } finally {
      assert.equal(stringifyJson([document, patch]), before, 'an argument was changed');
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    }
  },
  refuses: errorsOf(StrategicMergePatchError, JsonError, NoPair),
};

export const patchTargets = [jsonPatch, mergePatchTarget, strategicPatch];
