import { formatGoFloat } from './go-float.ts';
import { isBreak } from './yaml-cursor.ts';
import { YamlError } from './yaml-error.ts';
import { compareYamlKeys } from './yaml-key-order.ts';
import { resolvesToString } from './yaml-scalar.ts';
import { YamlWriter } from './yaml-writer.ts';

/** Deeper objects are refused: every level costs two more spaces in all lines below it. */
const depthMax = 1_000;
/** In bytes, as libyaml counts; longer keys are written behind a question mark. */
const simpleKeyBytesMax = 128;

/**
 * Plain data as Kubernetes answers it in YAML: what Go's `sigs.k8s.io/yaml` makes of its JSON. Keys are sorted, lists
 * stand at the indentation of their key, strings are quoted when they would be read as something else, texts with line
 * breaks are literal blocks, and lines are folded behind column 80.
 *
 * A document of 3 MiB takes about 450 ms, during which nothing else runs. Throws a `YamlError` for objects that nest
 * deeper than 1,000 levels.
 */
export function stringifyYaml(value: unknown): string {
  const writer = new YamlWriter();
  writeNode(writer, value, { below: 'nothing', depth: 0 });
  writer.newLine();
  return writer.text();
}

interface Place {
  readonly below: 'nothing' | 'sequence' | 'mapping';
  readonly depth: number;
}

function writeNode(writer: YamlWriter, value: unknown, place: Place): void {
  if (typeof value !== 'object' || value === null) {
    writeScalar(writer, value, { isKey: false });
    return;
  }
  if (place.depth >= depthMax) throw new YamlError(`yaml: exceeded max depth of ${depthMax}`);
  if (Array.isArray(value)) writeSequence(writer, value, place);
  else writeMapping(writer, value, place.depth);
}

function writeSequence(writer: YamlWriter, elements: readonly unknown[], place: Place): void {
  if (elements.length === 0) {
    writer.indicator('[]', { space: true, indention: false });
    return;
  }
  const indentless = place.below === 'mapping' && !writer.isInIndention;
  writer.indented({ flow: false, indentless }, () => {
    for (const element of elements) {
      writer.newLine();
      writer.indicator('-', { space: true, indention: true });
      writeNode(writer, element ?? null, { below: 'sequence', depth: place.depth + 1 });
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
      writeNode(writer, value, { below: 'mapping', depth: depth + 1 });
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

/** Whole numbers within 64 bits have their digits, all others the form of Go's floats. */
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
/** Two numbers with a colon between: base 60, which others still read as a number. */
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

/** Outside of flow collections, which this writer has only empty. */
function isPlainAllowed(text: string): boolean {
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[?:-](?:[ \t]|$)/.test(text)) return false;
  if (/:(?:[ \t]|$)/.test(text) || /[ \t]#/.test(text)) return false;
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  return first !== 0x20 && last !== 0x20 && !isBreak(first) && !lineBreaks.test(text);
}
