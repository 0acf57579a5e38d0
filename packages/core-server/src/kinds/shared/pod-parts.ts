/** What kinds that describe pods have in common: columns, and what their selector and template must say. */

import type { Container, PodTemplateSpec } from '@tributary/api/core-v1';
import type { LabelSelector } from '@tributary/api/meta-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
} from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { labelSelectorText } from '@tributary/server/verbs';
import { selectorOf, validateSelectorTerms } from '../../rbac/label-selector-terms.ts';
import { validatePodTemplate } from '../core/pod-template/validation.ts';

/** A column with a name, some words and a cell. */
export function column<Object>(
  name: string,
  description: string,
  cell: ColumnInput<Object>['cell'],
): ColumnInput<Object> {
  return { name, description, cell };
}

export function count<Object>(
  name: string,
  description: string,
  cell: (object: Object) => number | undefined,
): ColumnInput<Object> {
  return { name, type: 'integer', description, cell: (object) => cell(object) ?? 0 };
}

export function flag<Object>(
  name: string,
  description: string,
  cell: (object: Object) => boolean | undefined,
): ColumnInput<Object> {
  return { name, type: 'boolean', description, cell: (object) => cell(object) ?? false };
}

export function containerColumns<Object>(
  containersOf: (object: Object) => readonly Container[] | null | undefined,
): ColumnInput<Object>[] {
  const joined = (object: Object, text: (container: Container) => string) =>
    (containersOf(object) ?? []).map(text).join(',');
  return [
    column('Containers', 'The names of the containers', (object) =>
      joined(object, ({ name }) => name),
    ),
    column('Images', 'What the containers run', (object) =>
      joined(object, ({ image }) => image ?? ''),
    ),
  ];
}

export function selectorColumn<Object>(
  selectorOfObject: (object: Object) => LabelSelector | null | undefined,
): ColumnInput<Object> {
  return column('Selector', 'By which labels its pods are found', (object) => {
    const selector = selectorOfObject(object);
    return (selector && labelSelectorText(selector)) || '<none>';
  });
}

/** Labels as they are shown in a cell. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.sort().join(',') || '<none>';
}

/** In the order of Go's struct. */
export function shownSelector(selector: LabelSelector | null | undefined) {
  if (!selector) return null;
  const { matchLabels, matchExpressions } = selector;
  const members = Object.entries({ matchLabels, matchExpressions })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${goJson(value)}`);
  return goText(`{${members.join()}}`);
}

export interface SelectionRules {
  /** What an empty selector is called invalid for. */
  readonly of: string;
  /** A selector may be missing: it selects nothing then. */
  readonly mayBeMissing?: true;
}

/** A selector, and the description of the pods that it must select. */
export function validateSelection(
  spec: { readonly selector?: LabelSelector | null; readonly template: PodTemplateSpec },
  path: FieldPath,
  { of, mayBeMissing }: SelectionRules,
): FieldError[] {
  const { selector, template } = spec;
  const place = path.child('selector');
  const errors: FieldError[] = [];
  if (!selector) {
    if (!mayBeMissing) errors.push(fieldError.required(place));
  } else {
    errors.push(...validateSelectorTerms(selector, place));
    const { matchLabels = {}, matchExpressions = [] } = selector;
    if (Object.keys(matchLabels).length + matchExpressions.length === 0) {
      const detail = `empty selector is invalid for ${of}`;
      errors.push(fieldError.invalid(place, shownSelector(selector), detail));
    }
  }
  const parsed = selectorOf(selector ?? {});
  if (parsed === undefined) return errors;
  const at = path.child('template');
  const { labels } = template.metadata;
  if (!selector || !parsed.matches(labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(fieldError.invalid(at.child('metadata', 'labels'), labels ?? null, detail));
  }
  return [...errors, ...validatePodTemplate(template, at), ...alwaysRuns(template, at)];
}

/** Pods that somebody replaces do not end by themselves. */
export function alwaysRuns({ spec }: PodTemplateSpec, path: FieldPath): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = spec;
  const errors: FieldError[] = [];
  if (restartPolicy !== 'Always' && restartPolicy !== '') {
    const place = path.child('spec', 'restartPolicy');
    errors.push(fieldError.notSupported(place, restartPolicy, ['Always']));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicaSet is not Supported';
    errors.push(fieldError.forbidden(path.child('spec', 'activeDeadlineSeconds'), detail));
  }
  return errors;
}
