import { ComponentStatus } from '@tributary/api/core-v1';
import { notFound } from '@tributary/apimachinery';
import { computed } from '@tributary/server';
import { defineResource, nameColumn, version } from '@tributary/server/definition';

export interface ComponentHealth {
  readonly name: string;
  readonly status: 'Healthy' | 'Unhealthy' | 'Unknown';
  readonly message?: string;
  /** Why it could not be found out, or what is wrong. */
  readonly error?: string;
}

export interface ComponentStatusParts {
  /** Asks all components how they are. */
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
        // The singular: an oddity that clients see.
        if (found === undefined) throw notFound({ group: '', resource: 'componentstatus' }, name);
        return statusOf(found);
      },
      list: async ({ signal }) => (await componentHealth(signal)).map(statusOf),
    }),
    versions: {
      v1: version({
        typed: ComponentStatus,
        deprecated: { since: 'v1.19' },
        // All of them: what is made when asked for has no age.
        columns: [
          nameColumn,
          {
            name: 'Status',
            description: 'Whether it is healthy',
            cell: (component) => healthyOf(component).text,
          },
          {
            name: 'Message',
            description: 'What the component says',
            cell: (component) => healthyOf(component).message,
          },
          {
            name: 'Error',
            description: 'What is wrong',
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
