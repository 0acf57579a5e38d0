import type { Container } from '@tributary/api/core-v1';
import type { LabelSelector } from '@tributary/api/meta-v1';
import type { ColumnInput } from '@tributary/server';
import { labelSelectorText } from '@tributary/server/verbs';
import { column, count } from './columns.ts';

export function containerColumns<Object>(
  containersOf: (object: Object) => readonly Container[] | null | undefined,
): ColumnInput<Object>[] {
  const joined = (object: Object, text: (container: Container) => string) =>
    (containersOf(object) ?? []).map(text).join(',');
  return [
    column('Containers', 'The names of the containers', (object) =>
      joined(object, ({ name }) => name),
    ),
    column('Images', 'The images of the containers', (object) =>
      joined(object, ({ image }) => image ?? ''),
    ),
  ];
}

export function selectorColumn<Object>(
  selectorOfObject: (object: Object) => LabelSelector | null | undefined,
): ColumnInput<Object> {
  return column('Selector', 'The label selector of its pods', (object) => {
    const selector = selectorOfObject(object);
    return (selector && labelSelectorText(selector)) || '<none>';
  });
}

/** The labels as the text of a cell. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.sort().join(',') || '<none>';
}

interface Counts {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly observedGeneration?: number | bigint;
}

interface Counted {
  readonly spec: { readonly replicas?: number };
  readonly status: Counts;
}

export const replicaColumns: readonly ColumnInput<Counted>[] = [
  count('Desired', 'The desired number of pods', ({ spec }) => spec.replicas),
  count('Current', 'The number of pods', ({ status }) => status.replicas),
  count('Ready', 'The number of ready pods', ({ status }) => status.readyReplicas),
];
