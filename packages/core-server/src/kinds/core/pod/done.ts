import type { Status } from '@tributary/apimachinery';

/** Upstream's response of actions without a result. */
export function successStatus(): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}
