import type { JsonObject } from '../json.ts';
import type { KindId, RequestStep, Row, RowGroup, Step, Verb } from '../row.ts';
import { FLUNDERS, flunder, get, given, post, put, remove } from './wardle.ts';

const kind: KindId = 'flunders.v1alpha1';

function rowOf(verb: Verb, name: string, steps: readonly Step[]): Row {
  return { name: `${verb}: ${name}`, covers: { kind, verb }, steps };
}

const update = (name: string, ...steps: Step[]): Row => rowOf('update', name, steps);
const del = (name: string, ...steps: Step[]): Row => rowOf('delete', name, steps);
const delAll = (name: string, ...steps: Step[]): Row => rowOf('deletecollection', name, steps);

/** Flunder `a` as a client would send it back after the step `given-a`. */
function current(metadata: JsonObject = {}, spec: JsonObject = { reference: 'lake' }): JsonObject {
  return flunder('a', { metadata: { resourceVersion: '{rv:given-a}', ...metadata }, spec });
}

const KEEP = { metadata: { finalizers: ['example.com/keep'] } };

export const updates: RowGroup = {
  name: 'update',
  rows: [
    update('an object', given('a'), put('put', 'a', current()), get('get', `${FLUNDERS}/a`)),
    update('over HTTP/1.1', given('a'), put('put', 'a', current(), { protocol: 'h1' })),
    update(
      'with nothing changed',
      given('a'),
      put('put', 'a', current({}, { reference: 'pond', referenceType: 'Flunder' })),
    ),
    update('labels', given('a'), put('put', 'a', current({ labels: { x: 'y' } }))),
    update(
      'a label goes',
      given('a', { metadata: { labels: { x: 'y', z: '1' } } }),
      put('put', 'a', current({ labels: { z: '1' } })),
    ),
    update('without a resourceVersion', given('a'), put('put', 'a', flunder('a'))),
    update(
      'with an old resourceVersion',
      given('a'),
      put('change', 'a', current(), { setup: true }),
      put('put', 'a', current({}, { reference: 'sea' })),
    ),
    update(
      'with a resourceVersion of the future',
      given('a'),
      put('put', 'a', current({ resourceVersion: '999999999999999' })),
    ),
    update(
      'with a resourceVersion that is no number',
      given('a'),
      put('put', 'a', current({ resourceVersion: 'abc' })),
    ),
    update(
      'with resourceVersion 0',
      given('a'),
      put('put', 'a', current({ resourceVersion: '0' })),
    ),
    update('a missing object', put('put', 'a', flunder('a'))),
    update(
      'a missing object with a resourceVersion',
      put('put', 'a', flunder('a', { metadata: { resourceVersion: '5' } })),
    ),
    update('another name than the URL', given('a'), put('put', 'a', current({ name: 'b' }))),
    update('without a name', given('a'), put('put', 'a', { spec: {} })),
    update(
      'another namespace than the URL',
      given('a'),
      put('put', 'a', current({ namespace: 'other' })),
    ),
    update('its own uid', given('a'), put('put', 'a', current({ uid: '{uid:given-a}' }))),
    update(
      'another uid',
      given('a'),
      put('put', 'a', current({ uid: '11111111-2222-4333-8444-555555555555' })),
    ),
    update(
      'another creation time',
      given('a'),
      put('put', 'a', current({ creationTimestamp: '2001-01-01T00:00:00Z' })),
    ),
    update(
      'a deletion time',
      given('a'),
      put('put', 'a', current({ deletionTimestamp: '2001-01-01T00:00:00Z' })),
    ),
    update(
      'a deletion grace period',
      given('a'),
      put('put', 'a', current({ deletionGracePeriodSeconds: 5 })),
    ),
    update('a generation', given('a'), put('put', 'a', current({ generation: 7 }))),
    update('a bad label', given('a'), put('put', 'a', current({ labels: { x: '-y-' } }))),
    update('a bad spec', given('a'), put('put', 'a', current({}, { referenceType: 'Flunder' }))),
    update('another kind', given('a'), put('put', 'a', { ...current(), kind: 'Fischer' })),
    update(
      'another version',
      given('a'),
      put('put', 'a', { ...current(), apiVersion: 'wardle.example.com/v1beta1' }),
    ),
    update(
      'a body that is no JSON',
      given('a'),
      put('put', 'a', '{bad', { headers: { 'content-type': 'application/json' } }),
    ),
    update(
      'an empty body',
      given('a'),
      put('put', 'a', '', { headers: { 'content-type': 'application/json' } }),
    ),
    update(
      'a content type that is not served',
      given('a'),
      put('put', 'a', '{}', { headers: { 'content-type': 'text/plain' } }),
    ),
    update(
      'as a dry run',
      given('a'),
      put('put', 'a', current(), { query: { dryRun: 'All' } }),
      get('get', `${FLUNDERS}/a`),
    ),
    update(
      'an unknown field, refused',
      given('a'),
      put('put', 'a', { ...current(), extra: 1 }, { query: { fieldValidation: 'Strict' } }),
    ),
    update('an unknown field', given('a'), put('put', 'a', { ...current(), extra: 1 })),
    update(
      'an unknown kind of validation',
      given('a'),
      put('put', 'a', current(), { query: { fieldValidation: 'Nonsense' } }),
    ),
    update(
      'the last finalizer of an object that is being deleted',
      given('a', KEEP),
      remove('delete', 'a'),
      put('put', 'a', flunder('a', { metadata: { resourceVersion: '{rv:delete}' } })),
      get('get', `${FLUNDERS}/a`),
    ),
    update(
      'one of two finalizers of an object that is being deleted',
      given('a', { metadata: { finalizers: ['example.com/keep', 'example.com/hold'] } }),
      remove('delete', 'a', { setup: true }),
      put(
        'put',
        'a',
        flunder('a', {
          metadata: { resourceVersion: '{rv:delete}', finalizers: ['example.com/hold'] },
        }),
      ),
      get('get', `${FLUNDERS}/a`),
    ),
    update(
      'a new finalizer of an object that is being deleted',
      given('a', KEEP),
      remove('delete', 'a', { setup: true }),
      put(
        'put',
        'a',
        flunder('a', {
          metadata: {
            resourceVersion: '{rv:delete}',
            finalizers: ['example.com/keep', 'example.com/late'],
          },
        }),
      ),
    ),
    update(
      'the deletion time of an object that is being deleted',
      given('a', KEEP),
      remove('delete', 'a', { setup: true }),
      put(
        'put',
        'a',
        flunder('a', {
          metadata: {
            resourceVersion: '{rv:delete}',
            deletionTimestamp: '2001-01-01T00:00:00Z',
            finalizers: ['example.com/keep'],
          },
        }),
      ),
    ),
    update(
      'finalizers of an object that lives',
      given('a', KEEP),
      put('put', 'a', current()),
      get('get', `${FLUNDERS}/a`),
    ),
  ],
};

function options(body: JsonObject): Partial<RequestStep> {
  return { body: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', ...body } };
}

export const deletes: RowGroup = {
  name: 'delete',
  rows: [
    del('an object', given('a'), remove('delete', 'a'), get('get', `${FLUNDERS}/a`)),
    del('over HTTP/1.1', given('a'), remove('delete', 'a', { protocol: 'h1' })),
    del('a missing object', remove('delete', 'a')),
    del('twice', given('a'), remove('delete', 'a', { setup: true }), remove('again', 'a')),
    del('with empty options', given('a'), remove('delete', 'a', { body: {} })),
    del(
      'with options of the own group',
      given('a'),
      remove('delete', 'a', {
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'wardle.example.com/v1alpha1',
          propagationPolicy: 'Background',
        },
      }),
    ),
    del(
      'with options of version v1',
      given('a'),
      remove('delete', 'a', {
        body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
      }),
    ),
    del(
      'with options of another kind',
      given('a'),
      remove('delete', 'a', {
        body: { kind: 'Flunder', apiVersion: 'wardle.example.com/v1alpha1' },
      }),
    ),
    del(
      'with options that are no JSON',
      given('a'),
      remove('delete', 'a', {
        body: '{bad',
        headers: { 'content-type': 'application/json' },
      }),
    ),
    del(
      'with options in a form that is not served',
      given('a'),
      remove('delete', 'a', {
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      }),
    ),
    del(
      'with options as YAML',
      given('a'),
      remove('delete', 'a', {
        body: 'kind: DeleteOptions\napiVersion: v1\npropagationPolicy: Background\n',
        headers: { 'content-type': 'application/yaml' },
      }),
    ),
    del('with an unknown option', given('a'), remove('delete', 'a', options({ nonsense: true }))),
    del(
      'a finalizer keeps it',
      given('a', KEEP),
      remove('delete', 'a'),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'twice, and a finalizer keeps it',
      given('a', KEEP),
      remove('delete', 'a', { setup: true }),
      remove('again', 'a'),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'of the right uid',
      given('a'),
      remove('delete', 'a', options({ preconditions: { uid: '{uid:given-a}' } })),
    ),
    del(
      'of another uid',
      given('a'),
      remove(
        'delete',
        'a',
        options({
          preconditions: { uid: '11111111-2222-4333-8444-555555555555' },
        }),
      ),
    ),
    del(
      'of the right resourceVersion',
      given('a'),
      remove(
        'delete',
        'a',
        options({
          preconditions: { resourceVersion: '{rv:given-a}' },
        }),
      ),
    ),
    del(
      'of another resourceVersion',
      given('a'),
      remove('delete', 'a', options({ preconditions: { resourceVersion: '1' } })),
    ),
    del(
      'orphaning',
      given('a'),
      remove('delete', 'a', options({ propagationPolicy: 'Orphan' })),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'in the foreground',
      given('a'),
      remove('delete', 'a', options({ propagationPolicy: 'Foreground' })),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'in the background',
      given('a'),
      remove('delete', 'a', options({ propagationPolicy: 'Background' })),
    ),
    del(
      'in an unknown way',
      given('a'),
      remove('delete', 'a', options({ propagationPolicy: 'Nonsense' })),
    ),
    del(
      'in two ways',
      given('a'),
      remove('delete', 'a', options({ propagationPolicy: 'Orphan', orphanDependents: true })),
    ),
    del(
      'orphaning, the old way',
      given('a'),
      remove('delete', 'a', options({ orphanDependents: true })),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'not orphaning, and a finalizer keeps it',
      given('a', KEEP),
      remove('delete', 'a', options({ orphanDependents: false })),
    ),
    del(
      'options in the query',
      given('a'),
      remove('delete', 'a', { query: { propagationPolicy: 'Foreground' } }),
    ),
    del(
      'a uid in the query',
      given('a'),
      remove('delete', 'a', { query: { uid: '11111111-2222-4333-8444-555555555555' } }),
    ),
    del(
      'options in the body win',
      given('a'),
      remove('delete', 'a', {
        query: { propagationPolicy: 'Foreground' },
        ...options({ propagationPolicy: 'Background' }),
      }),
    ),
    del(
      'with a grace period',
      given('a'),
      remove('delete', 'a', options({ gracePeriodSeconds: 30 })),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'with a negative grace period',
      given('a'),
      remove('delete', 'a', options({ gracePeriodSeconds: -1 })),
    ),
    del(
      'with a grace period that is no number',
      given('a'),
      remove('delete', 'a', { query: { gracePeriodSeconds: 'x' } }),
    ),
    del(
      'as a dry run',
      given('a'),
      remove('delete', 'a', options({ dryRun: ['All'] })),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'as a dry run by query',
      given('a'),
      remove('delete', 'a', { query: { dryRun: 'All' } }),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'as an unknown kind of dry run',
      given('a'),
      remove('delete', 'a', options({ dryRun: ['Some'] })),
    ),
    del(
      'as a dry run, and a finalizer would keep it',
      given('a', KEEP),
      remove('delete', 'a', { query: { dryRun: 'All' } }),
      get('get', `${FLUNDERS}/a`),
    ),
    del(
      'and then its name is free',
      given('a'),
      remove('delete', 'a', { setup: true }),
      post('create', flunder('a'), { setup: true }),
      get('get', `${FLUNDERS}/a`),
    ),
  ],
};

const red = { metadata: { labels: { color: 'red' } } };

function clear(name: string, more: Partial<RequestStep> = {}): RequestStep {
  return { name, method: 'DELETE', path: FLUNDERS, ...more };
}

export const deleteCollections: RowGroup = {
  name: 'deletecollection',
  rows: [
    delAll('everything', given('a'), given('b'), clear('clear'), get('list', FLUNDERS)),
    delAll('nothing', clear('clear')),
    delAll(
      'by label',
      given('a', red),
      given('b'),
      clear('clear', { query: { labelSelector: 'color=red' } }),
      get('list', FLUNDERS),
    ),
    delAll(
      'by field',
      given('a'),
      given('b'),
      clear('clear', { query: { fieldSelector: 'metadata.name=b' } }),
      get('list', FLUNDERS),
    ),
    delAll(
      'a page',
      given('a'),
      given('b'),
      clear('clear', { query: { limit: '1' } }),
      get('list', FLUNDERS),
    ),
    delAll(
      'as a dry run',
      given('a'),
      given('b'),
      clear('clear', { query: { dryRun: 'All' } }),
      get('list', FLUNDERS),
    ),
    delAll(
      'finalizers keep some',
      given('a', KEEP),
      given('b'),
      clear('clear'),
      get('list', FLUNDERS),
    ),
    delAll(
      'with options',
      given('a'),
      clear('clear', options({ propagationPolicy: 'Background' })),
      get('list', FLUNDERS),
    ),
    delAll(
      'with bad options',
      given('a'),
      clear('clear', options({ propagationPolicy: 'Nonsense' })),
    ),
    delAll(
      'with a bad label selector',
      given('a'),
      clear('clear', { query: { labelSelector: 'a in (' } }),
    ),
    delAll(
      'with an unknown field',
      given('a'),
      clear('clear', { query: { fieldSelector: 'spec.reference=pond' } }),
    ),
  ],
};
