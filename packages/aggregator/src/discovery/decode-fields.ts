/** Decodes fields of untrusted documents: known fields of the right type, in bounded number. */
import type { GroupVersionKind } from '@tributary/apimachinery';
import { MalformedDocument } from './document-bounds.ts';

export type Fields = Readonly<Record<string, unknown>>;

const TEXT_LENGTH_MAX = 1_024;
const TEXTS_MAX = 256;

export function objectAt(value: unknown, where: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new MalformedDocument(`${where} is no object`);
}

/** Absent and null mean empty. */
export function listAt(value: unknown, where: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new MalformedDocument(`${where} is no list`);
  return value;
}

/** Absent and null mean empty. */
export function textAt(value: unknown, where: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new MalformedDocument(`${where} is no text`);
  if (value.length > TEXT_LENGTH_MAX) throw new MalformedDocument(`${where} is too long`);
  return value;
}

export function nameAt(value: unknown, where: string): string {
  const name = textAt(value, where);
  if (name === '') throw new MalformedDocument(`${where} is missing`);
  return name;
}

export function flagAt(value: unknown, where: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new MalformedDocument(`${where} is neither true nor false`);
  return value;
}

export function textsAt(value: unknown, where: string): readonly string[] {
  const list = listAt(value, where);
  if (list.length > TEXTS_MAX) throw new MalformedDocument(`${where} has more than ${TEXTS_MAX}`);
  return list.map((text, at) => textAt(text, `${where}[${at}]`));
}

/** A missing kind is an empty one: clients of 1.26 fail without it. */
export function kindAt(value: unknown, where: string): GroupVersionKind {
  if (value === undefined || value === null) return { group: '', version: '', kind: '' };
  const { group, version, kind } = objectAt(value, where);
  return {
    group: textAt(group, `${where}.group`),
    version: textAt(version, `${where}.version`),
    kind: textAt(kind, `${where}.kind`),
  };
}
