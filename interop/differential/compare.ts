/** Where two targets answered a row differently. Pure. */

import { isArray, isObject, type Json } from './json.ts';
import type { StepResult } from './step-result.ts';

export interface Difference {
  step: string;
  /** From the answer down, as in `body.metadata.labels.a` or `events[1].type`. */
  path: string;
  ours: Json | undefined;
  reference: Json | undefined;
}

export interface Sides<T> {
  ours: T;
  reference: T;
}

/** Differences of a row, in order of steps; answers inside a watch under their own step. */
export function compareResults({ ours, reference }: Sides<readonly StepResult[]>): Difference[] {
  const names = [...new Set([...reference, ...ours].map(({ step }) => step))];
  return names.flatMap((step) => {
    const sides = {
      ours: ours.find((response) => response.step === step),
      reference: reference.find((response) => response.step === step),
    };
    return compareStep(step, sides);
  });
}

function compareStep(step: string, sides: Sides<StepResult | undefined>): Difference[] {
  const { ours, reference } = sides;
  if (ours === undefined || reference === undefined) {
    return [{ step, path: '', ours, reference }];
  }
  const { during: oursDuring, ...oursOwn } = ours;
  const { during: referenceDuring, ...referenceOwn } = reference;
  const inner = { ours: innerResults(oursDuring), reference: innerResults(referenceDuring) };
  return [
    ...compareResults(inner),
    ...compareJson('', { ours: oursOwn, reference: referenceOwn }).map((found) => ({
      step,
      ...found,
    })),
  ];
}

function innerResults(during: Json | undefined): readonly StepResult[] {
  return isArray(during) ? (during as readonly StepResult[]) : [];
}

function compareJson(
  path: string,
  { ours, reference }: Sides<Json | undefined>,
): Omit<Difference, 'step'>[] {
  if (isObject(ours) && isObject(reference)) {
    const keys = [...new Set([...Object.keys(reference), ...Object.keys(ours)])];
    return keys.flatMap((key) =>
      compareJson(join(path, key), { ours: own(ours, key), reference: own(reference, key) }),
    );
  }
  if (isArray(ours) && isArray(reference)) {
    if (path.endsWith('.managedFields') && !isSorted({ ours, reference })) {
      return compareJson(path, { ours: byManager(ours), reference: byManager(reference) });
    }
    return Array.from({ length: Math.max(ours.length, reference.length) }).flatMap((_, index) =>
      compareJson(`${path}[${index}]`, { ours: ours[index], reference: reference[index] }),
    );
  }
  return Object.is(ours, reference) ? [] : [{ path, ours, reference }];
}

/**
 * Managers stand in the order of their last writes by the second, and only within a second by name: how long the steps of
 * a row took decides, and is no difference.
 */
function byManager(entries: readonly Json[]): readonly Json[] {
  return entries.toSorted((a, b) => (managerText(a) < managerText(b) ? -1 : 1));
}

function isSorted({ ours, reference }: Sides<readonly Json[]>): boolean {
  return [ours, reference].every((entries) =>
    entries.every(
      (entry, at) => at === 0 || managerText(entries[at - 1] ?? null) <= managerText(entry),
    ),
  );
}

function managerText(entry: Json): string {
  if (!isObject(entry)) return '';
  const { operation, manager, apiVersion, subresource } = entry;
  return JSON.stringify([operation, manager, apiVersion, subresource ?? '', entry.fieldsV1]);
}

function own(object: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Keys such as `app.kubernetes.io/name` keep their dots readable in brackets. */
function join(path: string, key: string): string {
  if (/[.[\]]/.test(key)) return `${path}["${key}"]`;
  return path === '' ? key : `${path}.${key}`;
}

const SHOWN_MAX = 400;

/** One block per step: path, ours, reference. */
export function formatDifferences(differences: readonly Difference[]): string {
  const steps = [...new Set(differences.map(({ step }) => step))];
  return steps
    .map((step) => {
      const lines = differences
        .filter((difference) => difference.step === step)
        .map(({ path, ours, reference }) =>
          [
            `    ${path || '(whole answer)'}`,
            `      ours       ${show(ours)}`,
            `      reference  ${show(reference)}`,
          ].join('\n'),
        );
      return [`  step ${step}`, ...lines].join('\n');
    })
    .join('\n');
}

function show(value: Json | undefined): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
