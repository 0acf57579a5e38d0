/** The sample server as its clients see it through the aggregator: objects, watches, failures and rights. */
import type { Json } from '../../differential/json.ts';
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import { granted, withdrawn } from './words.ts';

const GROUP = 'wardle.example.com';
const FLUNDERS = `/apis/${GROUP}/v1alpha1/namespaces/{ns}/flunders`;
const FISCHERS = `/apis/${GROUP}/v1alpha1/fischers`;
const MERGE = 'application/merge-patch+json';

function row(name: string, steps: Row['steps']): Row {
  return { name: `sample: ${name}`, covers: { feature: 'routing' }, steps };
}

function flunder(name: string, more: { readonly [field: string]: Json } = {}): Json {
  const kind = { kind: 'Flunder', apiVersion: `${GROUP}/v1alpha1` };
  return { ...kind, metadata: { name }, spec: { reference: 'other' }, ...more };
}

function create(name: string, more: Partial<RequestStep> = {}): RequestStep {
  return { name: `create-${name}`, method: 'POST', path: FLUNDERS, body: flunder(name), ...more };
}

function read(path: string, more: Partial<RequestStep> = {}): RequestStep {
  return { name: 'read', path, ...more };
}

const labelled: RequestStep = {
  name: 'patch',
  method: 'PATCH',
  path: `${FLUNDERS}/a`,
  body: '{"metadata":{"labels":{"a":"b"}}}',
  headers: { 'content-type': MERGE },
};
const removed: RequestStep = { name: 'delete', method: 'DELETE', path: `${FLUNDERS}/a` };

export const sample: RowGroup = {
  name: 'sample',
  rows: [
    row('an object from its beginning to its end', [
      create('a'),
      read(`${FLUNDERS}/a`),
      labelled,
      removed,
      { ...read(`${FLUNDERS}/a`), name: 'read again' },
    ]),
    row('a list', [create('a', { setup: true }), create('b', { setup: true }), read(FLUNDERS)]),
    row('an object twice', [create('a', { setup: true }), create('a', { name: 'again' })]),
    row('an update of what is not there', [
      { name: 'update', method: 'PUT', path: `${FLUNDERS}/none`, body: flunder('none') },
    ]),
    row('a wrong resourceVersion', [
      create('a', { setup: true }),
      {
        name: 'update',
        method: 'PUT',
        path: `${FLUNDERS}/a`,
        body: flunder('a', { metadata: { name: 'a', resourceVersion: '1' } }),
      },
    ]),
    row('no such resource', [read(`/apis/${GROUP}/v1alpha1/namespaces/{ns}/nothings`)]),
    row('no such subresource', [create('a', { setup: true }), read(`${FLUNDERS}/a/none`)]),
    row('a dry run', [create('a', { query: { dryRun: 'All' } }), read(`${FLUNDERS}/a`)]),
    row('a watch', [
      {
        name: 'watch',
        watch: { path: FLUNDERS, query: { watch: 'true' } },
        during: [
          create('a', { setup: true }),
          { ...labelled, setup: true },
          { ...removed, setup: true },
        ],
        events: 3,
      },
    ]),
    row('a watch over HTTP/1.1', [
      {
        name: 'watch',
        watch: { path: FLUNDERS, query: { watch: 'true' }, protocol: 'h1' },
        during: [create('a', { setup: true })],
        events: 1,
      },
    ]),
    row('a watch with an end', [
      {
        name: 'watch',
        watch: { path: FLUNDERS, query: { watch: 'true', timeoutSeconds: '1' } },
        events: 'closed',
      },
    ]),
    row('a user who may not', [read(FLUNDERS, { as: 'bob' })]),
    row('a user who may', [
      ...granted('alice', GROUP),
      read(FLUNDERS, { as: 'alice', until: 200 }),
      ...withdrawn(),
    ]),
    row('a user who may in the whole cluster', [
      ...granted('alice', GROUP),
      read(`${FISCHERS}/none`, { as: 'alice', until: 404 }),
      { name: 'as-bob', path: `${FISCHERS}/none`, as: 'bob' },
      ...withdrawn(),
    ]),
    row('in YAML', [
      create('a', { setup: true }),
      read(`${FLUNDERS}/a`, { headers: { accept: 'application/yaml' } }),
    ]),
    row('what it cannot write', [
      read(FLUNDERS, { headers: { accept: 'text/csv' } }),
      create('a', { headers: { 'content-type': 'text/csv' }, body: 'a,b' }),
    ]),
  ],
};
