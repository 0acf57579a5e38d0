import type { Json } from '../json.ts';
import type { RequestStep, Row, RowGroup, Step } from '../row.ts';
import { FLUNDERS, get, given } from './wardle.ts';

function row(name: string, ...steps: Step[]): Row {
  return { name: `patch: ${name}`, covers: { kind: 'flunders.v1alpha1', verb: 'patch' }, steps };
}

const FORMS = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

function patch(form: keyof typeof FORMS, body: Json, more: Partial<RequestStep> = {}): RequestStep {
  return {
    name: 'patch',
    method: 'PATCH',
    path: `${FLUNDERS}/a`,
    body,
    headers: { 'content-type': FORMS[form] },
    ...more,
  };
}

const a = given('a', { metadata: { labels: { x: 'y' } } });
const applied = (spec: Json): Json => ({
  apiVersion: 'wardle.example.com/v1alpha1',
  kind: 'Flunder',
  metadata: { name: 'a' },
  spec,
});

export const patches: RowGroup = {
  name: 'patch',
  rows: [
    row(
      'merge',
      a,
      patch('merge', { metadata: { labels: { z: '1' } }, spec: { reference: 'lake' } }),
      get('get', `${FLUNDERS}/a`),
    ),
    row('merge removes', a, patch('merge', { metadata: { labels: { x: null } } })),
    row('merge changes nothing', a, patch('merge', {})),
    row('merge of a missing object', patch('merge', {})),
    row(
      'merge with an old resourceVersion',
      a,
      patch('merge', { metadata: { resourceVersion: '1', labels: { z: '1' } } }),
    ),
    row(
      'merge with another uid',
      a,
      patch('merge', { metadata: { uid: '11111111-2222-4333-8444-555555555555' } }),
    ),
    row('merge with another name', a, patch('merge', { metadata: { name: 'b' } })),
    row('merge that is no JSON', a, patch('merge', '{bad')),
    row('merge that is null', a, patch('merge', 'null')),
    row('merge to a bad label', a, patch('merge', { metadata: { labels: { x: '-y-' } } })),
    row('merge to a wrong type', a, patch('merge', { spec: { reference: 5 } })),
    row('merge with an unknown field', a, patch('merge', { extra: 1 })),
    row(
      'merge with an unknown field, refused',
      a,
      patch('merge', { extra: 1 }, { query: { fieldValidation: 'Strict' } }),
    ),
    row(
      'merge as a dry run',
      a,
      patch('merge', { spec: { reference: 'lake' } }, { query: { dryRun: 'All' } }),
      get('get', `${FLUNDERS}/a`),
    ),
    row('merge with force', a, patch('merge', {}, { query: { force: 'true' } })),
    row(
      'JSON patch',
      a,
      patch('json', [
        { op: 'add', path: '/metadata/labels/z', value: '1' },
        { op: 'replace', path: '/spec/reference', value: 'lake' },
        { op: 'remove', path: '/metadata/labels/x' },
      ]),
    ),
    row(
      'JSON patch whose test fails',
      a,
      patch('json', [{ op: 'test', path: '/spec/reference', value: 'lake' }]),
    ),
    row(
      'JSON patch of a missing path',
      a,
      patch('json', [{ op: 'remove', path: '/metadata/labels/none' }]),
    ),
    row('JSON patch with an unknown operation', a, patch('json', [{ op: 'twist', path: '/spec' }])),
    row('JSON patch that is an object', a, patch('json', {})),
    row('strategic merge', a, patch('strategic', { metadata: { labels: { z: '1' } } })),
    row(
      'strategic merge of finalizers',
      given('a', { metadata: { finalizers: ['example.com/keep'] } }),
      patch('strategic', { metadata: { finalizers: ['example.com/hold'] } }),
    ),
    row(
      'apply creates',
      patch('apply', applied({ reference: 'pond' }), { query: { fieldManager: 'me' } }),
    ),
    row('apply without a manager', patch('apply', applied({ reference: 'pond' }))),
    row(
      'apply conflicts',
      a,
      patch('apply', applied({ reference: 'lake' }), { query: { fieldManager: 'me' } }),
    ),
    row(
      'apply forces',
      a,
      patch('apply', applied({ reference: 'lake' }), {
        query: { fieldManager: 'me', force: 'true' },
      }),
    ),
    row('without a content type', a, patch('merge', '{}', { headers: {} })),
    row(
      'in plain JSON',
      a,
      patch('merge', '{}', { headers: { 'content-type': 'application/json' } }),
    ),
    row(
      'over HTTP/1.1',
      a,
      patch('merge', { metadata: { labels: { z: '1' } } }, { protocol: 'h1' }),
    ),
  ],
};
