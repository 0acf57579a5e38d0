/** The other kinds of the group: cluster-scoped Fischers, and Flunders in the other version. */
import type { Row, RowGroup, Step, Verb } from '../row.ts';
import { BETA_FLUNDERS, FISCHERS, FLUNDERS, flunder, get, given, put } from './wardle.ts';

function fischer(verb: Verb, name: string, ...steps: Step[]): Row {
  return { name: `fischer ${verb}: ${name}`, covers: { kind: 'fischers.v1alpha1', verb }, steps };
}

function beta(verb: Verb, name: string, ...steps: Step[]): Row {
  return { name: `v1beta1 ${verb}: ${name}`, covers: { kind: 'flunders.v1beta1', verb }, steps };
}

const body = {
  apiVersion: 'wardle.example.com/v1alpha1',
  kind: 'Fischer',
  metadata: { name: '{ns}', labels: { row: '{ns}' } },
  disallowedFlunders: ['{ns}-bad'],
};
const givenFischer: Step = {
  name: 'given-fischer',
  method: 'POST',
  path: FISCHERS,
  body,
  setup: true,
};
const gone: Step = { name: 'gone', method: 'DELETE', path: `${FISCHERS}/{ns}`, setup: true };

export const fischers: RowGroup = {
  name: 'fischers',
  rows: [
    fischer('create', 'an object', { name: 'create', method: 'POST', path: FISCHERS, body }, gone),
    fischer(
      'create',
      'a namespace is dropped',
      {
        name: 'create',
        method: 'POST',
        path: FISCHERS,
        body: { metadata: { name: '{ns}', namespace: 'any' } },
      },
      gone,
    ),
    fischer(
      'create',
      'without a list',
      { name: 'create', method: 'POST', path: FISCHERS, body: { metadata: { name: '{ns}' } } },
      gone,
    ),
    fischer('get', 'an object', givenFischer, get('get', `${FISCHERS}/{ns}`), gone),
    fischer('get', 'a missing object', get('get', `${FISCHERS}/{ns}`)),
    fischer(
      'list',
      'by label',
      givenFischer,
      get('list', FISCHERS, { query: { labelSelector: 'row={ns}' } }),
      gone,
    ),
    fischer(
      'list',
      'by namespace, which is empty',
      givenFischer,
      get('list', FISCHERS, { query: { fieldSelector: 'metadata.namespace=,metadata.name={ns}' } }),
      gone,
    ),
    fischer(
      'update',
      'an object',
      givenFischer,
      {
        name: 'put',
        method: 'PUT',
        path: `${FISCHERS}/{ns}`,
        body: {
          metadata: { name: '{ns}', resourceVersion: '{rv:given-fischer}' },
          disallowedFlunders: ['x-{ns}', 'y-{ns}'],
        },
      },
      gone,
    ),
    fischer('delete', 'an object', givenFischer, {
      name: 'delete',
      method: 'DELETE',
      path: `${FISCHERS}/{ns}`,
    }),
    fischer('deletecollection', 'by label', givenFischer, {
      name: 'clear',
      method: 'DELETE',
      path: FISCHERS,
      query: { labelSelector: 'row={ns}' },
    }),
    fischer('watch', 'from a resourceVersion', givenFischer, {
      name: 'watch',
      watch: {
        path: FISCHERS,
        query: { watch: '1', resourceVersion: '{rv:given-fischer}', labelSelector: 'row={ns}' },
      },
      during: [gone],
      events: 1,
    }),
    fischer(
      'patch',
      'merge',
      givenFischer,
      {
        name: 'patch',
        method: 'PATCH',
        path: `${FISCHERS}/{ns}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { disallowedFlunders: ['x-{ns}'] },
      },
      gone,
    ),
  ],
};

function betaFlunder(spec: { [key: string]: string }): Step {
  return {
    name: 'create',
    method: 'POST',
    path: BETA_FLUNDERS,
    body: {
      apiVersion: 'wardle.example.com/v1beta1',
      kind: 'Flunder',
      metadata: { name: 'a' },
      spec,
    },
  };
}

export const versions: RowGroup = {
  name: 'versions',
  rows: [
    beta(
      'create',
      'a flunder reference',
      betaFlunder({ flunderReference: 'pond', referenceType: 'Flunder' }),
      get('old', `${FLUNDERS}/a`),
    ),
    beta(
      'create',
      'a fischer reference',
      betaFlunder({ fischerReference: 'heron', referenceType: 'Fischer' }),
      get('old', `${FLUNDERS}/a`),
    ),
    beta(
      'create',
      'both references',
      betaFlunder({
        flunderReference: 'pond',
        fischerReference: 'heron',
        referenceType: 'Flunder',
      }),
    ),
    beta('create', 'a reference without a type', betaFlunder({ flunderReference: 'pond' })),
    beta(
      'create',
      'a reference of the other type',
      betaFlunder({ flunderReference: 'pond', referenceType: 'Fischer' }),
    ),
    beta('create', 'an unknown type', betaFlunder({ referenceType: 'Heron' })),
    beta('create', 'a field of the old version', betaFlunder({ reference: 'pond' })),
    beta('get', 'an object of the old version', given('a'), get('get', `${BETA_FLUNDERS}/a`)),
    beta('get', 'a missing object', get('get', `${BETA_FLUNDERS}/a`)),
    beta('list', 'objects of the old version', given('a'), given('b'), get('list', BETA_FLUNDERS)),
    beta(
      'update',
      'an object of the old version',
      given('a'),
      {
        name: 'put',
        method: 'PUT',
        path: `${BETA_FLUNDERS}/a`,
        body: {
          metadata: { name: 'a', resourceVersion: '{rv:given-a}' },
          spec: { fischerReference: 'heron', referenceType: 'Fischer' },
        },
      },
      get('old', `${FLUNDERS}/a`),
    ),
    beta('delete', 'an object of the old version', given('a'), {
      name: 'delete',
      method: 'DELETE',
      path: `${BETA_FLUNDERS}/a`,
    }),
    beta('watch', 'writes of the old version', given('a'), {
      name: 'watch',
      watch: { path: BETA_FLUNDERS, query: { watch: '1', resourceVersion: '{rv:given-a}' } },
      during: [
        put(
          'put',
          'a',
          flunder('a', {
            metadata: { resourceVersion: '{rv:given-a}' },
            spec: { reference: 'lake' },
          }),
          { setup: true },
        ),
      ],
      events: 1,
    }),
  ],
};
