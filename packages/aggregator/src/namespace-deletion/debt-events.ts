import { randomBytes } from 'node:crypto';
import { formatTime, type KubeObject } from '@tributary/apimachinery';
import type { Client, NewObject, ResourceType } from '@tributary/client';
import { apiServices } from '../api-services/resources.ts';
import type { NamespaceDebtSpec } from '../kinds/namespace-debt.ts';

export type DebtReason = 'NamespaceDebtPaid' | 'NamespaceDebtForgiven';

const events: ResourceType = { group: '', version: 'v1', plural: 'events', namespaced: true };
/** Where events about objects without a namespace are, as upstream. */
const NAMESPACE = 'default';
const COMPONENT = 'tributary-aggregator';
/** So that a number fits behind it. */
const NAME_CHARACTERS_MAX = 200;

/** Tells on the APIService how a debt has ended. */
export async function writeDebtEvent(
  client: Pick<Client, 'resource'>,
  { apiService, apiServiceUid }: NamespaceDebtSpec,
  event: { readonly reason: DebtReason; readonly message: string; readonly nowMs: number },
  signal: AbortSignal,
): Promise<void> {
  const { reason, message, nowMs } = event;
  const number = randomBytes(8).toString('hex');
  const object: NewObject<KubeObject> = {
    metadata: {
      name: `${apiService.slice(0, NAME_CHARACTERS_MAX)}.${number}`,
      namespace: NAMESPACE,
    },
    involvedObject: {
      apiVersion: `${apiServices.group}/${apiServices.version}`,
      kind: 'APIService',
      name: apiService,
      uid: apiServiceUid,
    },
    reason,
    message,
    type: reason === 'NamespaceDebtPaid' ? 'Normal' : 'Warning',
    firstTimestamp: formatTime(nowMs),
    lastTimestamp: formatTime(nowMs),
    count: 1,
    source: { component: COMPONENT },
  };
  await client.resource(events).in(NAMESPACE).create(object, { signal });
}
