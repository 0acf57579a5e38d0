/** The control plane's kinds, and those of the sample API server. */
import {
  ConfigMap,
  Deployment,
  Endpoints,
  type Kind,
  Lease,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from '../core/kinds.ts';
import { configMaps, secrets } from '../core/rows/config.ts';
import { endpoints } from '../core/rows/endpoints.ts';
import { leases } from '../core/rows/events-leases.ts';
import { roleBindings, roles } from '../core/rows/rbac-kinds.ts';
import { type KindSample, sampleOf } from '../core/rows/samples.ts';
import { serviceAccounts } from '../core/rows/service-accounts.ts';
import { services } from '../core/rows/services.ts';
import { deployments } from '../core/rows/workloads.ts';
import type { RowGroup } from '../differential/row.ts';
import { everybody, withoutTokens } from './clients.ts';
import { aggregatedDifferences, coreDifferences, wardleDifferences } from './differences.ts';
import type { Player, World } from './world.ts';

const player = (
  kind: Kind,
  group: RowGroup,
  subresources: Player['subresources'] = [],
): Player => ({ kind, sample: sampleOf(kind, group), subresources });

export const core: World = {
  name: 'core',
  players: [
    player(ConfigMap, configMaps),
    player(Secret, secrets),
    player(Service, services, ['status']),
    player(Endpoints, endpoints),
    player(Lease, leases),
    player(ServiceAccount, serviceAccounts),
    player(Role, roles),
    player(RoleBinding, roleBindings),
    player(Deployment, deployments, ['status', 'scale']),
  ],
  clients: everybody,
  hasRobot: true,
  endsNamespaces: true,
  differences: coreDifferences,
};

const WARDLE = 'wardle.example.com';
const flunders = (version: string): Kind => ({
  id: `flunders.${version}`,
  kind: 'Flunder',
  apiVersion: `${WARDLE}/${version}`,
  plural: 'flunders',
  namespaced: true,
});
const fischers: Kind = {
  id: 'fischers.v1alpha1',
  kind: 'Fischer',
  apiVersion: `${WARDLE}/v1alpha1`,
  plural: 'fischers',
  namespaced: false,
};

const alpha: KindSample = {
  minimal: { spec: {} },
  full: { spec: { reference: 'pond', referenceType: 'Flunder' } },
  changed: { spec: { reference: 'lake', referenceType: 'Fischer' } },
  merge: { spec: { reference: 'sea' } },
  json: [{ op: 'add', path: '/spec/reference', value: 'river' }],
  strategic: { spec: { reference: 'brook', referenceType: 'Flunder' } },
  applied: { spec: { reference: 'applied', referenceType: 'Flunder' } },
};
const beta: KindSample = {
  minimal: { spec: {} },
  full: { spec: { flunderReference: 'pond', referenceType: 'Flunder' } },
  changed: { spec: { fischerReference: 'lake', referenceType: 'Fischer' } },
  merge: { spec: { flunderReference: 'sea' } },
  json: [{ op: 'add', path: '/spec/flunderReference', value: 'river' }],
  strategic: { spec: { flunderReference: 'brook', referenceType: 'Flunder' } },
  applied: { spec: { flunderReference: 'applied', referenceType: 'Flunder' } },
};
const fischerSample: KindSample = {
  minimal: {},
  full: { disallowedFlunders: ['x', 'y'] },
  changed: { disallowedFlunders: ['z'] },
  merge: { disallowedFlunders: ['m'] },
  json: [{ op: 'add', path: '/disallowedFlunders', value: ['j'] }],
  strategic: { disallowedFlunders: ['s'] },
  applied: { disallowedFlunders: ['applied'] },
};

const sample = {
  players: [
    { kind: flunders('v1alpha1'), sample: alpha, subresources: [] },
    { kind: flunders('v1beta1'), sample: beta, subresources: [] },
    { kind: fischers, sample: fischerSample, subresources: [] },
  ],
  endsNamespaces: false, // The sample hears of it when it hears of it.
  differences: wardleDifferences,
} as const;

/** The sample server by itself. */
export const direct: World = {
  ...sample,
  name: 'sample',
  clients: withoutTokens,
  hasRobot: false,
};

/** The sample server behind an aggregator. */
export const aggregated: World = {
  ...sample,
  name: 'aggregated',
  clients: everybody,
  differences: aggregatedDifferences,
  hasRobot: true,
};
