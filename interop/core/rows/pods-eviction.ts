/** Pods that are asked to leave, and what guards them. */
import type { JsonObject } from '../../differential/json.ts';
import type { RowGroup, Step } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import { below, givenPod, givenStatus, Pod, send } from './pods-words.ts';
import { get, given, type More, patch, pathOf } from './words.ts';

const Budget: Kind = {
  id: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  apiVersion: 'policy/v1',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

const READY = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }],
};
const UNREADY = { phase: 'Running' };

function evict(more: JsonObject = {}, options: More = {}) {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' }, ...more };
  return send('eviction', eviction, options);
}

/** A budget for the pods of the row, and what a controller has found out of it. */
function guarded(status: JsonObject, spec: JsonObject = {}, name = 'guard'): Step[] {
  const selector = { matchLabels: { row: '{ns}' } };
  const counts = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 };
  return [
    {
      ...given(Budget, { spec: { minAvailable: 1, selector, ...spec } }, name),
      name: `given-${name}`,
    },
    patch(
      Budget,
      'merge',
      { status: { observedGeneration: 1, ...counts, ...status } },
      { name: `given-${name}-status`, path: `${pathOf(Budget, name)}/status`, setup: true },
    ),
  ];
}

const guard = get(Budget, { name: 'guard', path: pathOf(Budget, 'guard') });
const running = (status: JsonObject) => [...givenPod(), givenStatus(Pod, status)];

export const podEvictions: RowGroup = {
  name: 'pods-eviction',
  rows: [
    below('create', 'an eviction of a pod that nobody guards', ...givenPod(), evict(), get(Pod)),
    below(
      'create',
      'an eviction of a pod that runs',
      ...givenPod({ nodeName: 'n1' }),
      givenStatus(Pod, READY),
      evict(),
      get(Pod),
    ),
    below(
      'create',
      'an eviction that a budget forbids',
      ...running(READY),
      ...guarded({}),
      evict(),
      get(Pod),
    ),
    below(
      'create',
      'an eviction that a budget allows',
      ...running(READY),
      ...guarded({ disruptionsAllowed: 1, currentHealthy: 2 }),
      evict(),
      get(Pod),
      guard,
    ),
    below(
      'create',
      'an eviction that one of two budgets forbids',
      ...running(READY),
      ...guarded({}),
      ...guarded({}, {}, 'other'),
      evict(),
    ),
    below(
      'create',
      'an eviction before a budget is looked at',
      ...running(READY),
      ...guarded({ observedGeneration: 0, disruptionsAllowed: 1 }),
      evict(),
    ),
    below(
      'create',
      'an eviction that a budget forbids for a reason',
      ...running(READY),
      ...guarded({
        currentHealthy: 2,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            reason: 'InsufficientPods',
            message: 'too few',
            lastTransitionTime: '2020-01-01T00:00:00Z',
          },
        ],
      }),
      evict(),
    ),
    below(
      'create',
      'an eviction that a budget forbids because nobody could count',
      ...running(READY),
      ...guarded({
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            reason: 'SyncFailed',
            message: 'no controller',
            lastTransitionTime: '2020-01-01T00:00:00Z',
          },
        ],
      }),
      evict(),
    ),
    below(
      'create',
      'an eviction that a budget forbids for now',
      ...running(READY),
      ...guarded({ currentHealthy: 2 }),
      evict(),
    ),
    below(
      'create',
      'an eviction of a pod that is not ready',
      ...running(UNREADY),
      ...guarded({ currentHealthy: 1 }),
      evict(),
      get(Pod),
      guard,
    ),
    below(
      'create',
      'an eviction of a pod that is not ready, among too few',
      ...running(UNREADY),
      ...guarded({ currentHealthy: 0 }),
      evict(),
    ),
    below(
      'create',
      'an eviction of a pod that is not ready, which may always go',
      ...running(UNREADY),
      ...guarded({ currentHealthy: 0 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      evict(),
      get(Pod),
    ),
    below(
      'create',
      'an eviction of a pod that waits, whatever guards it',
      ...givenPod(),
      ...guarded({}),
      evict(),
      get(Pod),
    ),
    below(
      'create',
      'an eviction of a pod that has failed',
      ...running({ phase: 'Failed' }),
      ...guarded({}),
      evict(),
      get(Pod),
    ),
    below('create', 'an eviction of a missing pod', evict()),
    below(
      'create',
      'an eviction of another name',
      ...givenPod(),
      evict({ metadata: { name: 'b' } }),
    ),
    below(
      'create',
      'an eviction that is only tried',
      ...givenPod(),
      evict({}, { query: { dryRun: 'All' } }),
      get(Pod),
    ),
    below(
      'create',
      'an eviction that says it is only tried',
      ...running(READY),
      ...guarded({ disruptionsAllowed: 1, currentHealthy: 2 }),
      evict({ deleteOptions: { dryRun: ['All'] } }),
      get(Pod),
      guard,
    ),
    below(
      'create',
      'an eviction of an old state',
      ...givenPod(),
      evict({ deleteOptions: { preconditions: { resourceVersion: '1' } } }),
    ),
    below(
      'create',
      'an eviction with time to end',
      ...givenPod({ nodeName: 'n1' }),
      evict({ deleteOptions: { gracePeriodSeconds: 7 } }),
      get(Pod),
    ),
    below(
      'create',
      'an eviction in policy/v1beta1',
      ...givenPod(),
      evict({ apiVersion: 'policy/v1beta1' }),
    ),
    below(
      'create',
      'an eviction of another kind',
      ...givenPod(),
      evict({ kind: 'Pod', apiVersion: 'v1' }),
    ),
  ],
};
