/** Parses JSON that a client wrote into an annotation: it can be anything. */

import type { LabelSelector } from '@tributary/api/meta-v1';
import { parseQuantity } from '@tributary/apimachinery';

export function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Upstream ignores what it cannot parse.
    return undefined;
  }
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Readonly<Record<string, unknown>>) : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function wholeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

export function quantityOf(value: unknown): string | undefined {
  return typeof value === 'string' && parseQuantity(value).ok ? value : undefined;
}

export function selectorFrom(value: unknown): LabelSelector | undefined {
  const fields = recordOf(value);
  if (fields === undefined) return undefined;
  const labels = Object.entries(recordOf(fields.matchLabels) ?? {});
  const expressions = listOf(fields.matchExpressions ?? [], requirementOf);
  if (expressions === undefined || labels.some(([, one]) => typeof one !== 'string')) {
    return undefined;
  }
  return {
    ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) as Labels }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
}

type Labels = Record<string, string>;
type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

function requirementOf(item: unknown): Requirement | undefined {
  const fields = recordOf(item);
  const [key, operator] = [textOf(fields?.key), textOf(fields?.operator)];
  const values = listOf(fields?.values ?? [], textOf);
  if (key === undefined || operator === undefined || values === undefined) return undefined;
  return { key, operator, ...(values.length > 0 && { values }) };
}

/** All items of a list, or undefined when one of them is invalid. */
export function listOf<Item>(
  value: unknown,
  read: (item: unknown) => Item | undefined,
): Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(read);
  return items.includes(undefined) ? undefined : (items as Item[]);
}

/** The object without members that are undefined. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
