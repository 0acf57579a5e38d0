import { ComponentStatus } from '@tributary/api/core-v1';
import { notFound } from '@tributary/apimachinery';
import { computed } from '@tributary/server';
import { defineResource, nameColumn, version } from '@tributary/server/definition';

export interface ComponentHealth {
  readonly name: string;
  readonly status: 'Healthy' | 'Unhealthy' | 'Unknown';
  readonly message?: string;
  /** The error of the component, or of the request for its health. */
  readonly error?: string;
}

export interface ComponentStatusParts {
  /** Checks the health of all components. */
  readonly componentHealth: (signal: AbortSignal) => Promise<readonly ComponentHealth[]>;
}

const conditionStatus = { Healthy: 'True', Unhealthy: 'False', Unknown: 'Unknown' } as const;

export function componentStatusKind({ componentHealth }: ComponentStatusParts) {
  return defineResource({
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    shortNames: ['cs'],
    scope: 'Cluster',
    tracksGeneration: false,
    backing: computed<ComponentStatus>({
      isUnversioned: true,
      get: async (name, { signal }) => {
        const found = (await componentHealth(signal)).find((one) => one.name === name);
        // Upstream has the singular here.
        if (found === undefined) throw notFound({ group: '', resource: 'componentstatus' }, name);
        return statusOf(found);
      },
      list: async ({ signal }) => (await componentHealth(signal)).map(statusOf),
    }),
    versions: {
      v1: version({
        typed: ComponentStatus,
        deprecated: { since: 'v1.19' },
        // All columns: computed objects have no age.
        columns: [
          nameColumn,
          {
            name: 'Status',
            description: 'Healthy, Unhealthy or Unknown',
            cell: (component) => healthyOf(component).text,
          },
          {
            name: 'Message',
            description: 'The message of the component',
            cell: (component) => healthyOf(component).message,
          },
          {
            name: 'Error',
            description: 'The error of the component',
            cell: (component) => healthyOf(component).error,
          },
        ],
      }),
    },
  });
}

function statusOf({ name, status, message, error }: ComponentHealth): ComponentStatus {
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [
      {
        type: 'Healthy',
        status: conditionStatus[status],
        ...(message && { message }),
        ...(error && { error }),
      },
    ],
  };
}

function healthyOf({ conditions = [] }: ComponentStatus) {
  const condition = conditions.find(({ type }) => type === 'Healthy');
  if (condition === undefined) return { text: 'Unknown', message: '', error: '' };
  const { status, message = '', error = '' } = condition;
  return { text: status === 'True' ? 'Healthy' : 'Unhealthy', message, error };
}
