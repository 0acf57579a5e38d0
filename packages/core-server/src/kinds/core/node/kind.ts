import { Node } from '@tributary/api/core-v1';
import { nodeProxy } from '../../reach/node-proxy.ts';
import { isGlobalUnicast } from '../../reach/reachable-address.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { admitNode } from './admission.ts';
import { nodeColumns, versionColumn, wideNodeColumns } from './columns.ts';
import { defaultNode } from './defaults.ts';
import { validateNode, validateNodeChange } from './validation.ts';

export const nodeKind = storedKind<Node>({
  typed: Node,
  metadataOnUpdate: 'twice',
  plural: 'nodes',
  shortNames: ['no'],
  scope: 'Cluster',
  status: true,
  restrictsFieldLabels: true,
  selectableFields: ['spec.unschedulable'],
  subresources: { connections: { proxy: nodeProxy(isGlobalUnicast) } },
  columns: nodeColumns,
  moreColumns: [versionColumn],
  wideColumns: wideNodeColumns,
  applyDefaults: defaultNode,
  admit: { create: admitNode },
  validate: validateNode,
  validateChange: validateNodeChange,
});
