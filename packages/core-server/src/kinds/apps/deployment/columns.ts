import type { Deployment } from '@tributary/api/apps-v1';
import type { Container } from '@tributary/api/core-v1';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';
import { labelSelectorText } from '@tributary/server/verbs';

export const deploymentColumns: readonly ColumnInput<Deployment>[] = [
  nameColumn,
  {
    name: 'Ready',
    description: 'Ready pods, of the desired ones',
    cell: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
  },
  {
    name: 'Up-to-date',
    description: 'Pods of the current template',
    cell: ({ status }) => status.updatedReplicas ?? 0,
  },
  {
    name: 'Available',
    description: 'Pods that have been ready for minReadySeconds',
    cell: ({ status }) => status.availableReplicas ?? 0,
  },
  ageColumn,
  wide('Containers', 'The names of the containers', (deployment) =>
    ofContainers(deployment, ({ name }) => name),
  ),
  wide('Images', 'The images of the containers', (deployment) =>
    ofContainers(deployment, ({ image }) => image ?? ''),
  ),
  wide('Selector', 'The label selector of its pods', ({ spec }) =>
    labelSelectorText(spec.selector ?? {}),
  ),
];

function wide(
  name: string,
  description: string,
  cell: (deployment: Deployment) => string,
): ColumnInput<Deployment> {
  return { name, description, priority: 1, cell };
}

function ofContainers({ spec }: Deployment, text: (container: Container) => string): string {
  return (spec.template.spec.containers ?? []).map(text).join(',');
}
