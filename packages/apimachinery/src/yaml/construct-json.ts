/** The JSON value of a tree of YAML nodes, with the alias limits of Go's library. */

import { setMember } from '../json/json-object.ts';
import { formatGoFloat, formatGoFloat32 } from '../values/go-float.ts';
import { goQuote } from '../values/go-quote.ts';
import { goSyntax } from './go-syntax.ts';
import { YamlError } from './yaml-error.ts';
import { isMergeKey, type MappingNode, type ScalarNode, type YamlNode } from './yaml-node.ts';
import { binaryTag, resolveScalar, type YamlScalar } from './yaml-scalar.ts';

export interface ConstructedJson {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

/** Bounds the duplicate keys in an error message. */
const duplicatesMax = 100;

export function constructJson(root: YamlNode, depthMax: number): ConstructedJson {
  const json = new JsonConstructor(depthMax);
  return { value: json.document(root), duplicates: json.duplicates };
}

class JsonConstructor {
  readonly duplicates: string[] = [];
  readonly #depthMax: number;
  readonly #expanding = new Set<YamlNode>();
  #aliasDepth = 0;
  #depth = 0;
  /** Constructed nodes, and how many of them aliases expanded to. */
  #constructed = 1;
  #constructedInAliases = 0;

  constructor(depthMax: number) {
    this.#depthMax = depthMax;
  }

  document(root: YamlNode): unknown {
    return this.#value(root);
  }

  #value(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case 'scalar':
        return jsonScalar(scalarOf(node));
      case 'alias':
        return this.#inAlias(node, () => this.#value(node.target));
      case 'sequence':
        return this.#nested(() => node.children.map((child) => this.#value(child)));
      case 'mapping': {
        const map: YamlMap = new Map();
        this.#nested(() => this.#fill(map, node));
        return jsonObject(map);
      }
    }
  }

  /** Sets the members in order; a merge key sets those of the other map at its position, overriding earlier ones. */
  #fill(map: YamlMap, { children }: MappingNode): void {
    for (let index = 0; index + 1 < children.length; index += 2) {
      const [keyNode, valueNode] = [children[index], children[index + 1]];
      if (keyNode === undefined || valueNode === undefined) return;
      if (isMergeKey(keyNode)) {
        this.#merge(map, valueNode);
        continue;
      }
      const key = this.#key(keyNode);
      const value = this.#value(valueNode);
      const identity = keyIdentity(key);
      if (map.has(identity)) this.#reportDuplicate(key, valueNode);
      map.set(identity, { key, value });
    }
  }

  #key(node: YamlNode): YamlScalar {
    if (node.kind === 'scalar') {
      this.#count();
      return scalarOf(node);
    }
    if (node.kind === 'alias') {
      this.#count();
      return this.#inAlias(node, () => this.#key(node.target));
    }
    throw new YamlError(`yaml: invalid map key: ${goSyntax(this.#value(node))}`);
  }

  #merge(map: YamlMap, node: YamlNode): void {
    // Earlier maps of a list take precedence, so they are set last.
    const maps = node.kind === 'sequence' ? node.children.toReversed() : [node];
    for (const one of maps) this.#mergeOne(map, one);
  }

  #mergeOne(map: YamlMap, node: YamlNode): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping') {
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    }
    this.#count();
    if (node.kind === 'alias') {
      this.#inAlias(node, () => {
        this.#count();
        this.#nested(() => this.#fill(map, target));
      });
    } else {
      this.#nested(() => this.#fill(map, target));
    }
  }

  #inAlias<Result>(node: Extract<YamlNode, { kind: 'alias' }>, construct: () => Result): Result {
    if (this.#expanding.has(node)) {
      throw new YamlError(`yaml: anchor '${node.name}' value contains itself`);
    }
    this.#expanding.add(node);
    this.#aliasDepth += 1;
    const result = this.#nested(construct);
    this.#aliasDepth -= 1;
    this.#expanding.delete(node);
    return result;
  }

  #nested<Result>(construct: () => Result): Result {
    if (this.#depth >= this.#depthMax) {
      throw new YamlError(`yaml: exceeded max depth of ${this.#depthMax}`);
    }
    this.#depth += 1;
    const result = construct();
    this.#depth -= 1;
    return result;
  }

  #count(): void {
    this.#constructed += 1;
    if (this.#aliasDepth > 0) this.#constructedInAliases += 1;
    if (this.#constructedInAliases <= 100 || this.#constructed <= 1000) return;
    if (this.#constructedInAliases / this.#constructed > allowedAliasRatio(this.#constructed)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  #reportDuplicate(key: YamlScalar, value: YamlNode): void {
    if (this.duplicates.length >= duplicatesMax) return;
    this.duplicates.push(`line ${value.line + 1}: key ${printKey(key)} already set in map`);
  }
}

type YamlMap = Map<unknown, { readonly key: YamlScalar; readonly value: unknown }>;

const aliasRatioLow = 400_000;
const aliasRatioHigh = 4_000_000;

/** Upstream's limit: 99 percent of a small document may come from aliases, 10 percent of a very large one. */
function allowedAliasRatio(nodes: number): number {
  if (nodes <= aliasRatioLow) return 0.99;
  if (nodes >= aliasRatioHigh) return 0.1;
  return 0.99 - (0.89 * (nodes - aliasRatioLow)) / (aliasRatioHigh - aliasRatioLow);
}

function scalarOf({ tag, text, implicit }: ScalarNode): YamlScalar {
  if (tag === '' && !implicit) return { type: 'str', value: text };
  if (tag !== binaryTag) return resolveScalar(tag, text);
  const base64 = text.replaceAll(/[\r\n]/g, '');
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
  return { type: 'str', value: Buffer.from(base64, 'base64').toString() };
}

/** Numbers as after encoding to JSON and decoding it: whole numbers within 64 bits are integers. */
function jsonScalar(scalar: YamlScalar): unknown {
  if (scalar.type === 'int') return jsonInteger(scalar.value);
  if (scalar.type !== 'float') return scalar.value;
  const { value } = scalar;
  if (!Number.isFinite(value)) {
    throw new YamlError(`json: unsupported value: ${formatGoFloat(value)}`);
  }
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63
    ? jsonInteger(BigInt(String(value))) // the shortest digits, as in JSON
    : value;
}

function jsonInteger(value: bigint): number | bigint {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  return BigInt.asIntN(64, value) === value ? value : number;
}

/** The identity of a key in a Go map: `1`, `1.0` and `"1"` differ, `1` and `0x1` are equal, and each NaN is unique. */
function keyIdentity({ value }: YamlScalar): unknown {
  return Number.isNaN(value) ? Symbol('NaN') : value;
}

function jsonObject(map: YamlMap): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { key, value } of map.values()) setMember(object, keyText(key, value), value);
  return object;
}

function keyText(key: YamlScalar, value: unknown): string {
  switch (key.type) {
    case 'null':
      throw unsupportedKey('%!s(<nil>)', '<nil>', value);
    case 'int':
      if (BigInt.asIntN(64, key.value) === key.value) return String(key.value);
      throw unsupportedKey('uint64', `0x${key.value.toString(16)}`, value);
    case 'float':
      return yamlFloatKey(key.value);
    default:
      return String(key.value);
  }
}

function unsupportedKey(type: string, key: string, value: unknown): YamlError {
  const text = `key: ${key}, value: ${goSyntax(value)}`;
  return new YamlError(`unsupported map key of type: ${type}, ${text}`);
}

/** Upstream formats keys with the precision of a float32. */
function yamlFloatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return formatGoFloat32(value);
}

function printKey(key: YamlScalar): string {
  switch (key.type) {
    case 'null':
      return '<nil>';
    case 'float':
      return formatGoFloat(key.value);
    case 'int':
    case 'bool':
      return String(key.value);
    default:
      return goQuote(key.value);
  }
}
