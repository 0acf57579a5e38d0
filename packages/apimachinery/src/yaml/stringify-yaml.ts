import { formatGoFloat } from '../values/go-float.ts';
import { isBreak } from './yaml-cursor.ts';
import { YamlError } from './yaml-error.ts';
import { compareYamlKeys } from './yaml-key-order.ts';
import { resolvesToString } from './yaml-scalar.ts';
import { YamlWriter } from './yaml-writer.ts';

/** Bounds the indentation, of which each level adds two spaces to all lines below it. */
const depthMax = 1_000;
/** The limit of libyaml, in bytes; longer keys need a question mark. */
const simpleKeyBytesMax = 128;

/**
 * Encodes plain data like Go's `sigs.k8s.io/yaml`. Keys are sorted, lists have the indentation of their key, strings that
 * would decode to another type are quoted, strings with line breaks are literal blocks, and lines are folded after
 * column 80.
 *
 * A document of 3 MiB blocks the event loop for about 450 ms. Throws a `YamlError` for objects that nest deeper than
 * 1,000 levels.
 */
export function stringifyYaml(value: unknown): string {
  const writer = new YamlWriter();
  writeNode(writer, value, { parent: 'none', depth: 0 });
  writer.newLine();
  return writer.text();
}

interface NodeContext {
  readonly parent: 'none' | 'sequence' | 'mapping';
  readonly depth: number;
}

function writeNode(writer: YamlWriter, value: unknown, context: NodeContext): void {
  if (typeof value !== 'object' || value === null) {
    writeScalar(writer, value, { isKey: false });
    return;
  }
  if (context.depth >= depthMax) throw new YamlError(`yaml: exceeded max depth of ${depthMax}`);
  if (Array.isArray(value)) writeSequence(writer, value, context);
  else writeMapping(writer, value, context.depth);
}

function writeSequence(
  writer: YamlWriter,
  elements: readonly unknown[],
  context: NodeContext,
): void {
  if (elements.length === 0) {
    writer.indicator('[]', { space: true, indention: false });
    return;
  }
  const indentless = context.parent === 'mapping' && !writer.isInIndention;
  writer.indented({ flow: false, indentless }, () => {
    for (const element of elements) {
      writer.newLine();
      writer.indicator('-', { space: true, indention: true });
      writeNode(writer, element ?? null, { parent: 'sequence', depth: context.depth + 1 });
    }
  });
}

function writeMapping(writer: YamlWriter, object: object, depth: number): void {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  if (members.length === 0) {
    writer.indicator('{}', { space: true, indention: false });
    return;
  }
  members.sort(([one], [other]) => compareYamlKeys(one, other));
  writer.indented({ flow: false, indentless: false }, () => {
    for (const [key, value] of members) {
      writer.newLine();
      writeKey(writer, key);
      writeNode(writer, value, { parent: 'mapping', depth: depth + 1 });
    }
  });
}

function writeKey(writer: YamlWriter, key: string): void {
  const isSimple = !lineBreaks.test(key) && Buffer.byteLength(key) <= simpleKeyBytesMax;
  if (isSimple) {
    writeScalar(writer, key, { isKey: true });
    writer.indicator(':', { space: false, indention: false });
    return;
  }
  writer.indicator('?', { space: true, indention: true });
  writeScalar(writer, key, { isKey: false });
  writer.newLine();
  writer.indicator(':', { space: true, indention: true });
}

function writeScalar(writer: YamlWriter, value: unknown, { isKey }: { isKey: boolean }): void {
  writer.indented({ flow: true, indentless: false }, () => {
    if (typeof value === 'string') writeString(writer, value.toWellFormed(), isKey);
    else writer.plain(scalarText(value), !isKey);
  });
}

/** Whole numbers within 64 bits are integers, all others are formatted like Go's floats. */
function scalarText(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'null';
  const isInteger = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64;
  return isInteger ? String(value === 0 ? 0 : value) : formatGoFloat(value);
}

function writeString(writer: YamlWriter, text: string, isKey: boolean): void {
  const mayFold = !isKey;
  switch (styleOf(text, isKey)) {
    case 'plain':
      writer.plain(text, mayFold);
      break;
    case 'single':
      writer.singleQuoted(text, mayFold);
      break;
    case 'double':
      writer.doubleQuoted(text, mayFold);
      break;
    case 'literal':
      writer.literal(text);
      break;
  }
}

type Style = 'plain' | 'single' | 'double' | 'literal';

const lineBreaks = /[\n\r\u0085\u2028\u2029]/;
const unprintable = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
/** Base 60, such as `1:30`, which other YAML 1.1 decoders treat as a number. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

function styleOf(text: string, isKey: boolean): Style {
  const isSpecial = unprintable.test(text) || / [\n\u2028\u2029]/.test(text);
  if (text.includes('\n')) {
    const isBlockAllowed = !isSpecial && !text.endsWith(' ') && !isKey;
    return isBlockAllowed ? 'literal' : 'double';
  }
  if (text === '' || !resolvesToString(text) || base60.test(text)) return 'double';
  if (isPlainAllowed(text) && !isSpecial) return 'plain';
  const isMultiline = lineBreaks.test(text);
  const isSingleAllowed = !isSpecial && !/[\n\u2028\u2029] /.test(text) && !(isKey && isMultiline);
  return isSingleAllowed ? 'single' : 'double';
}

/** The rules outside flow collections, of which this writer emits only empty ones. */
function isPlainAllowed(text: string): boolean {
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[?:-](?:[ \t]|$)/.test(text)) return false;
  if (/:(?:[ \t]|$)/.test(text) || /[ \t]#/.test(text)) return false;
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  return first !== 0x20 && last !== 0x20 && !isBreak(first) && !lineBreaks.test(text);
}
