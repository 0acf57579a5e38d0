import { createHash } from 'node:crypto';
import { metaV1 } from '@tributary/api/meta-v1';
import type { ObjectMeta } from '@tributary/apimachinery';
import { goPackage, typedKind } from '@tributary/server/definition';

/** A deleted namespace whose content on an unavailable backend remains to be deleted. */
export type NamespaceDebt = {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec: NamespaceDebtSpec;
  status: NamespaceDebtStatus;
};

export interface NamespaceDebtSpec {
  namespace: string;
  namespaceUid: string;
  /** The name of the APIService. */
  apiService: string;
  apiServiceUid: string;
  resources: DebtResource[] | null;
  since: string | null;
}

export interface DebtResource {
  group: string;
  version: string;
  resource: string;
}

/** As a resource: every resource of the backend, because its discovery was never read. */
export const ALL_RESOURCES = '*';

export interface NamespaceDebtStatus {
  lastAttempt?: string;
  message?: string;
}

/** One for each namespace and APIService, so creating it is idempotent. */
export function namespaceDebtName({
  namespaceUid,
  apiService,
}: Pick<NamespaceDebtSpec, 'namespaceUid' | 'apiService'>): string {
  // The name of an APIService may be longer than the name of a NamespaceDebt.
  const digest = createHash('sha256').update(apiService).digest('hex').slice(0, 16);
  return `${namespaceUid}-${digest}`;
}

const aggregationV1 = goPackage({
  path: 'tributary.dev/aggregation/v1',
  imports: { metaV1 },
  types: {
    NamespaceDebt: [
      'TypeMeta,inline metaV1.TypeMeta',
      'metadata,1,omitempty metaV1.ObjectMeta',
      'spec,2,omitempty NamespaceDebtSpec',
      'status,3,omitempty NamespaceDebtStatus',
    ],
    NamespaceDebtList: [
      'TypeMeta,inline metaV1.TypeMeta',
      'metadata,1,omitempty metaV1.ListMeta',
      'items,2,required []NamespaceDebt',
    ],
    NamespaceDebtSpec: [
      'namespace,1,required string',
      'namespaceUid,2,required string',
      'apiService,3,required string',
      'apiServiceUid,4,required string',
      'resources,5,required []DebtResource {"x-kubernetes-list-type":"atomic"}',
      'since,6,required metaV1.Time',
    ],
    DebtResource: [
      'group,1,required string',
      'version,2,required string',
      'resource,3,required string',
    ],
    NamespaceDebtStatus: ['lastAttempt,1,omitempty *metaV1.Time', 'message,2,omitempty string'],
  },
  descriptions: {
    NamespaceDebt:
      'A namespace is gone, and what it had at a server that could not be asked is still to be deleted there.',
    'NamespaceDebt.spec': 'Which namespace, and what of it is left where.',
    'NamespaceDebt.status': 'How it goes.',
    NamespaceDebtList: 'Debts of namespaces that are gone.',
    NamespaceDebtSpec: 'Which namespace, and what of it is left where.',
    'NamespaceDebtSpec.namespace': 'The name of the namespace. Another may have it by now.',
    'NamespaceDebtSpec.namespaceUid': 'Which namespace of that name.',
    'NamespaceDebtSpec.apiService': 'The name of the APIService whose server could not be asked.',
    'NamespaceDebtSpec.apiServiceUid': 'Which APIService of that name.',
    'NamespaceDebtSpec.resources': 'What may be left there.',
    'NamespaceDebtSpec.since': 'When the namespace went.',
    DebtResource: 'One resource of which objects may be left.',
    'DebtResource.group': 'The API group.',
    'DebtResource.version': 'The version by which it is deleted.',
    'DebtResource.resource':
      'The plural name of the resource, or "*" for all that the server serves in this version.',
    NamespaceDebtStatus: 'How it goes.',
    'NamespaceDebtStatus.lastAttempt': 'When it was last tried to pay.',
    'NamespaceDebtStatus.message': 'Why that did not work.',
  },
});

export const NamespaceDebt = typedKind<NamespaceDebt>(aggregationV1, 'NamespaceDebt');
