import type { Status } from '@tributary/apimachinery';

/** What upstream answers when something was done of which there is nothing to show. */
export function done(): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}
