import { Node } from '@tributary/api/core-v1';
import { defineResource, version } from '@tributary/server/definition';
import { tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { nodeProxy } from '../shared/proxy/node-proxy.ts';
import { isGlobalUnicast } from '../shared/proxy/reachable-address.ts';
import { admitNode } from './admission.ts';
import { nodeColumns, versionColumn, wideNodeColumns } from './columns.ts';
import { defaultNode } from './defaults.ts';
import { validateNode, validateNodeChange } from './validation.ts';

export const nodeKind = defineResource({
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  scope: 'Cluster',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  subresources: { status: true, connections: { proxy: nodeProxy(isGlobalUnicast) } },
  resetFields: { status: ['spec'] },
  admit: { create: admitNode },
  versions: {
    v1: version({
      typed: Node,
      columns: tableColumns<Node>({
        columns: nodeColumns,
        afterAge: [versionColumn],
        wide: wideNodeColumns,
      }),
      restrictsFieldLabels: true,
      selectableFields: ['spec.unschedulable'],
      applyDefaults: defaultNode,
      ...validationHooks<Node>({
        hasStatus: true,
        scope: 'Cluster',
        metadataOnUpdate: 'twice',
        validate: validateNode,
        validateUpdate: validateNodeChange,
      }),
    }),
  },
});
