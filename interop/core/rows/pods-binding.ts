/** Pods that are given to a node, by their subresource and by the older resource. */
import type { JsonObject } from '../../differential/json.ts';
import type { RowGroup } from '../../differential/row.ts';
import { below, givenPod, Pod, send } from './pods-words.ts';
import { get, type More, remove } from './words.ts';

const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' };

function binding(more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target, ...more };
}

const bind = (more: JsonObject = {}, options: More = {}) => send('binding', binding(more), options);
const bindOlder = (more: JsonObject = {}) =>
  send('', binding(more), { path: '/api/v1/namespaces/{ns}/bindings' });

export const podBindings: RowGroup = {
  name: 'pods-binding',
  rows: [
    below('create', 'a binding', ...givenPod(), bind(), get(Pod)),
    below(
      'create',
      'a binding, and another',
      ...givenPod(),
      bind({}, { setup: true }),
      bind({}, { name: 'again' }),
    ),
    below(
      'create',
      'a binding with labels and annotations',
      ...givenPod(),
      bind({ metadata: { name: 'a', labels: { x: 'y', row: 'z' }, annotations: { a: 'b' } } }),
      get(Pod),
    ),
    below('create', 'a binding to nothing', ...givenPod(), bind({ target: {} })),
    below(
      'create',
      'a binding to what is no node',
      ...givenPod(),
      bind({ target: { kind: 'Shelf', name: 'n1' } }),
    ),
    below(
      'create',
      'a binding to a kind that is not said',
      ...givenPod(),
      bind({ target: { name: 'n1' } }),
      get(Pod),
    ),
    below('create', 'a binding of a missing pod', bind()),
    below('create', 'a binding of another name', ...givenPod(), bind({ metadata: { name: 'b' } })),
    below(
      'create',
      'a binding of another uid',
      ...givenPod(),
      bind({ metadata: { name: 'a', uid: '11111111-2222-4333-8444-555555555555' } }),
    ),
    below(
      'create',
      'a binding of the same uid',
      ...givenPod(),
      bind({ metadata: { name: 'a', uid: '{uid:given-a}' } }),
      get(Pod),
    ),
    below(
      'create',
      'a binding that is only tried',
      ...givenPod(),
      bind({}, { query: { dryRun: 'All' } }),
      get(Pod),
    ),
    below(
      'create',
      'a binding of a pod with gates',
      ...givenPod({ schedulingGates: [{ name: 'example.com/wait' }] }),
      bind(),
    ),
    below(
      'create',
      'a binding of a pod that goes',
      ...givenPod(),
      bind({}, { setup: true }),
      remove(Pod, { setup: true }),
      bind({}, { name: 'again' }),
    ),
    below('create', 'a binding of another kind', ...givenPod(), bind({ kind: 'Pod' })),
    below('create', 'a binding by the older resource', ...givenPod(), bindOlder(), get(Pod)),
    below('create', 'a binding by the older resource, of a missing pod', bindOlder()),
    below('create', 'a binding by the older resource, of no name', bindOlder({ metadata: {} })),
  ],
};
