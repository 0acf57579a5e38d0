/** Prints values of v1 as upstream prints its internal structs: all fields, by their Go names, one on a line. */
import { goJson } from '@tributary/apimachinery';
import { internalStructs } from './internal-structs.ts';

type Members = Readonly<Record<string, unknown>>;

interface InternalField {
  readonly name: string;
  readonly jsonName: string;
  readonly type: string;
}

export type InternalStruct =
  | 'EphemeralContainer'
  | 'PersistentVolumeClaim'
  | 'PersistentVolumeClaimSpec'
  | 'PersistentVolumeSource'
  | 'PodSpec';

export function internalText(struct: InternalStruct, value: object): string {
  return textOf(struct, value, '');
}

/** Several values as JSON in one line, for the value in an error. */
export function internalJson(struct: InternalStruct, values: readonly object[]): string {
  return textOf(`[]${struct}`, values, '')
    .split('\n')
    .map((line) => line.trimStart().replace(MEMBER_NAME, '$1:'))
    .join('');
}

const MEMBER_NAME = /^("(?:[^"\\]|\\.)*"): /;

function textOf(type: string, value: unknown, indent: string): string {
  if (type.startsWith('*')) return isNone(value) ? 'null' : textOf(type.slice(1), value, indent);
  if (type.startsWith('[]')) return listText(type.slice(2), value, indent);
  if (type.startsWith('{}')) return mapText(type.slice(2), value, indent);
  switch (type) {
    case 'string':
      return goJson(value ?? '');
    case 'bool':
      return value ? 'true' : 'false';
    case 'int':
      return String(value ?? 0);
    case 'quantity':
      return goJson(value ?? '0');
    case 'time':
      return goJson(value ?? null);
    case 'same':
      return sameText(value, indent);
    default:
      return structText(type, (value ?? {}) as Members, indent);
  }
}

function structText(struct: string, value: Members, indent: string): string {
  const inner = `${indent} `;
  const lines = fieldsOf(struct).flatMap(({ name, jsonName, type }) => {
    const member = value[jsonName];
    if (type === 'members') return memberLines(member, inner);
    return [`${inner}"${name}": ${textOf(type, member, inner)}`];
  });
  return enclosed('{}', lines, indent);
}

function fieldsOf(struct: string): readonly InternalField[] {
  const text = internalStructs[struct];
  if (text === undefined) throw new Error(`${struct} is not a struct of upstream's form`);
  return text.split(', ').map((field) => {
    const [names = '', type = ''] = field.split(' ');
    const [name = '', jsonName = name.charAt(0).toLowerCase() + name.slice(1)] = names.split('=');
    return { name, jsonName, type };
  });
}

function listText(element: string, value: unknown, indent: string): string {
  if (!Array.isArray(value)) return 'null';
  const inner = `${indent} `;
  return enclosed(
    '[]',
    value.map((one) => `${inner}${textOf(element, one, inner)}`),
    indent,
  );
}

function mapText(element: string, value: unknown, indent: string): string {
  if (isNone(value)) return 'null';
  const inner = `${indent} `;
  return enclosed(
    '{}',
    sortedEntries(value).map(
      ([name, one]) => `${inner}${goJson(name)}: ${textOf(element, one, inner)}`,
    ),
    indent,
  );
}

/** For types that are the same in both forms. */
function sameText(value: unknown, indent: string): string {
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    return enclosed(
      '[]',
      value.map((one) => `${inner}${sameText(one, inner)}`),
      indent,
    );
  }
  if (typeof value === 'object' && value !== null) {
    return enclosed('{}', memberLines(value, inner), indent);
  }
  return goJson(value ?? null);
}

function memberLines(value: unknown, indent: string): string[] {
  return Object.entries(value ?? {}).map(
    ([name, one]) => `${indent}${goJson(name)}: ${sameText(one, indent)}`,
  );
}

function enclosed(brackets: '{}' | '[]', lines: readonly string[], indent: string): string {
  if (lines.length === 0) return brackets;
  return `${brackets[0]}\n${lines.join(',\n')}\n${indent}${brackets[1]}`;
}

/** In the order in which Go prints maps. */
function sortedEntries(value: unknown): [string, unknown][] {
  return Object.entries(value as object).sort(([a], [b]) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}
