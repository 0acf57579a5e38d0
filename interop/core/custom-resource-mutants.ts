/** Control planes that treat definitions and their objects wrongly, one bug each. */
import { at, isArray, isObject, type Json, mapJson } from '../differential/json.ts';
import { forMethod, type Mutant, onBody, put, without } from '../differential/mutants.ts';
import type { Call } from '../differential/target.ts';

const PRUNED = 'custom resources: pruning: of unknown fields';
const LATE = 'custom resources: defaults: that came later';
const TWO_SCHEMAS = 'custom resources: versions: of different schemas';
const REFUSED = 'custom resources: names: that somebody has are not served';
const FREE = 'custom resources: names: free again';
const RETAINED = 'custom resources: names: kept by who is going';
const GONE = 'custom resources: goes: with its objects';
const CLAIMED = 'custom resources: goes: while another server claims its only version';
const GOING = 'custom resources: goes: when the last finalizer has gone';
const STORED = 'custom resources: stored versions: grow, and keep a version';
const AGREED = 'custom resources: approval: agreed to';

const isThing = (body: Json): boolean => at(body, 'kind') === 'Thing';

/** Changes what a condition says, in the object or in a view of it. */
const condition = (type: string, change: { readonly [field: string]: Json }) =>
  onBody((body) =>
    mapJson(body, (value, key) => {
      if (!isObject(value)) return undefined;
      const isMeant = key === type || (value.type === type && 'lastTransitionTime' in value);
      return isMeant ? { ...value, ...change } : undefined;
    }),
  );

const lists = ({ method, url }: Call): boolean => method === 'GET' && url.endsWith('/things');

export const customResourceMutants: readonly Mutant[] = [
  {
    name: 'what no schema knows is kept',
    row: PRUNED,
    response: onBody((b) => (isThing(b) ? put(b, { deep: true }, 'spec', 'other') : b)),
  },
  {
    name: 'what no schema knows is kept at the root',
    row: PRUNED,
    response: onBody((b) => (isThing(b) ? put(b, 'x', 'extra') : b)),
  },
  {
    name: 'what is pruned is shown once more when it is read',
    row: PRUNED,
    response: forMethod(
      'GET',
      onBody((b) => (isThing(b) ? put(b, { deep: true }, 'spec', 'other') : b)),
    ),
  },
  {
    name: 'defaults only of what is written, in a list',
    row: LATE,
    response: onBody((b) =>
      at(b, 'kind') === 'ThingList'
        ? mapJson(b, (value) =>
            isObject(value) && 'late' in value ? without(value, 'late') : undefined,
          )
        : b,
    ),
  },
  {
    name: 'defaults only of what is written, in a watch',
    row: LATE,
    events: (all) => all.map((event) => without(event, 'object', 'spec', 'late')),
  },
  {
    name: 'the default of another version',
    row: TWO_SCHEMAS,
    response: onBody((b) => (isThing(b) ? put(b, 'green', 'spec', 'color') : b)),
  },
  {
    name: 'a version that shows what only another one has',
    row: TWO_SCHEMAS,
    response: onBody((b) => (isThing(b) ? put(b, { a: 'b' }, 'spec', 'labels') : b)),
  },
  {
    name: 'an object of the version it is stored in',
    row: 'custom resources: versions: read in both',
    response: onBody((b) =>
      mapJson(b, (value, key) =>
        key === 'apiVersion' ? String(value).replace(/v2$/, 'v1') : undefined,
      ),
    ),
  },
  {
    name: 'names that two have are accepted',
    row: REFUSED,
    response: condition('NamesAccepted', { status: 'True', reason: 'NoConflicts' }),
  },
  {
    name: 'a conflict that is called another',
    row: REFUSED,
    response: condition('NamesAccepted', { reason: 'KindConflict' }),
  },
  {
    name: 'a kind with names of another is served',
    row: REFUSED,
    response: (response, call) =>
      response.status === 404 && call.url.endsWith('/others')
        ? { ...response, status: 200 }
        : response,
  },
  {
    name: 'names that are free again are nobody’s',
    row: FREE,
    response: (response, call) =>
      call.url.endsWith('/others') ? { ...response, status: 404 } : response,
  },
  {
    name: 'names of a definition that goes are free',
    row: RETAINED,
    response: condition('NamesAccepted', { status: 'True' }),
  },
  {
    name: 'objects that outlive their definition',
    row: GONE,
    response: (response, call) => (lists(call) ? onBody(withOneThing)(response) : response),
  },
  {
    name: 'objects that outlive their definition behind another server',
    row: CLAIMED,
    response: (response, call) => (lists(call) ? onBody(withOneThing)(response) : response),
  },
  {
    name: 'a definition that goes and does not say so',
    row: GOING,
    response: condition('Terminating', { status: 'False' }),
  },
  {
    name: 'a definition that does not wait for its objects',
    row: GOING,
    response: (response, call) =>
      call.method === 'GET' && response.body.includes('InstanceDeletionInProgress')
        ? { ...response, status: 404 }
        : response,
  },
  {
    name: 'a version that is forgotten although objects have it',
    row: STORED,
    response: onBody((b) =>
      mapJson(b, (value, key) => (key === 'storedVersions' && isArray(value) ? ['v2'] : undefined)),
    ),
  },
  {
    name: 'a stored version that may be taken away',
    row: STORED,
    response: forMethod('PATCH', (response) =>
      response.status === 422 ? { ...response, status: 200 } : response,
    ),
  },
  {
    name: 'a group of the community without its agreement',
    row: 'custom resources: approval: missing',
    response: (response) => ({ ...response, status: 201 }),
  },
  {
    name: 'agreed to without a word',
    row: AGREED,
    response: condition('KubernetesAPIApprovalPolicyConformant', { message: '' }),
  },
  {
    name: 'a bypass that counts as agreement',
    row: AGREED,
    response: condition('KubernetesAPIApprovalPolicyConformant', { status: 'True' }),
  },
];

function withOneThing(body: Json): Json {
  if (at(body, 'kind') !== 'ThingList') return body;
  return put(body, [{ metadata: { name: 'a' } }], 'items');
}
