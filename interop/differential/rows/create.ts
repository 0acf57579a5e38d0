import type { Json } from '../json.ts';
import type { RequestStep, Row, RowGroup, Step } from '../row.ts';
import { FISCHERS, FLUNDERS, flunder, get, given, post, remove } from './wardle.ts';

function row(name: string, ...steps: Step[]): Row {
  return { name: `create: ${name}`, covers: { kind: 'flunders.v1alpha1', verb: 'create' }, steps };
}

/** One POST of one body. */
function one(name: string, body: Json, more: Partial<RequestStep> = {}): Row {
  return row(name, post('create', body, more));
}

const GIVEN_UID = '11111111-2222-4333-8444-555555555555';
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: GIVEN_UID };

export const creates: RowGroup = {
  name: 'create',
  rows: [
    one('an object', flunder('a')),
    one('over HTTP/1.1', flunder('a'), { protocol: 'h1' }),
    row('and read it', post('create', flunder('a')), get('get', `${FLUNDERS}/a`)),
    one(
      'labels, annotations and finalizers',
      flunder('a', {
        metadata: {
          labels: { 'app.example.com/name': 'x', empty: '' },
          annotations: { 'a.example.com/b': 'any text\n"quoted" <b>&' },
          finalizers: ['example.com/keep'],
        },
      }),
    ),
    one('without a spec', { metadata: { name: 'a' } }),
    one('with an empty spec', flunder('a', { spec: {} })),
    one('with a null spec', { metadata: { name: 'a' }, spec: null }),
    one('without kind and apiVersion', { metadata: { name: 'a' }, spec: { reference: 'pond' } }),
    one('defaulted reference type', flunder('a', { spec: { reference: 'pond' } })),
    one(
      'reference type Fischer',
      flunder('a', { spec: { reference: 'heron', referenceType: 'Fischer' } }),
    ),
    one('reference type without a reference', flunder('a', { spec: { referenceType: 'Flunder' } })),
    one(
      'an unknown reference type',
      flunder('a', { spec: { reference: 'x', referenceType: 'Heron' } }),
    ),
    one(
      'system metadata is the server’s',
      flunder('a', {
        metadata: {
          uid: GIVEN_UID,
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2002-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 5,
          generation: 7,
          selfLink: '/nonsense',
        },
      }),
    ),
    one('a status', flunder('a', { status: { anything: true } })),
    row('an existing name', given('a'), post('create', flunder('a'))),
    row(
      'a name whose object is being deleted',
      given('a', { metadata: { finalizers: ['example.com/keep'] } }),
      remove('delete', 'a', { setup: true }),
      post('create', flunder('a')),
    ),
    row(
      'again after a delete',
      given('a'),
      remove('delete', 'a', { setup: true }),
      post('create', flunder('a')),
    ),
    one('with a resourceVersion', flunder('a', { metadata: { resourceVersion: '5' } })),
    one('in a missing namespace', flunder('a'), { path: FLUNDERS.replace('{ns}', '{ns}-none') }),
    row(
      'a name that a Fischer disallows',
      {
        name: 'given-fischer',
        method: 'POST',
        path: FISCHERS,
        body: { metadata: { name: '{ns}' }, disallowedFlunders: ['{ns}-bad'] },
        setup: true,
      },
      post('create', flunder('{ns}-bad'), { query: { dryRun: 'All' }, until: 403 }),
      { name: 'remove-fischer', method: 'DELETE', path: `${FISCHERS}/{ns}`, setup: true },
    ),
  ],
};

export const createNames: RowGroup = {
  name: 'create-names',
  rows: [
    one('without a name', { spec: {} }),
    one('without metadata', { spec: {} }),
    one('an empty name', flunder('')),
    one('a name in upper case', flunder('UPPER')),
    one('a name with a slash', flunder('a/b')),
    one('a name with a percent sign', flunder('a%b')),
    one('a name of dots', flunder('..')),
    one('a name that begins with a dash', flunder('-a')),
    one('a name of 253 characters', flunder('a'.repeat(253))),
    one('a name of 254 characters', flunder('a'.repeat(254))),
    one('a generated name', { metadata: { generateName: 'a-' }, spec: { reference: 'pond' } }),
    one('a generated name from a long prefix', { metadata: { generateName: 'b'.repeat(70) } }),
    one('a generated name from a bad prefix', { metadata: { generateName: 'A_' } }),
    one('a name and a prefix', flunder('a', { metadata: { generateName: 'b-' } })),
    row(
      'a name and a prefix, and the name is taken',
      given('a'),
      post('create', flunder('a', { metadata: { generateName: 'b-' } })),
    ),
    one('the namespace of the URL', flunder('a', { metadata: { namespace: '{ns}' } })),
    one('another namespace than the URL', flunder('a', { metadata: { namespace: 'other' } })),
    one('an empty namespace', flunder('a', { metadata: { namespace: '' } })),
  ],
};

export const createMetadata: RowGroup = {
  name: 'create-metadata',
  rows: [
    one('a label key that is bad', flunder('a', { metadata: { labels: { '-x': 'y' } } })),
    one('a label value that is bad', flunder('a', { metadata: { labels: { x: '-y-' } } })),
    one(
      'a label value that is too long',
      flunder('a', { metadata: { labels: { x: 'y'.repeat(64) } } }),
    ),
    one(
      'a label key that is too long',
      flunder('a', { metadata: { labels: { ['x'.repeat(64)]: 'y' } } }),
    ),
    one('a label prefix that is bad', flunder('a', { metadata: { labels: { 'UPPER/x': 'y' } } })),
    one(
      'an annotation key that is bad',
      flunder('a', { metadata: { annotations: { 'a b': 'c' } } }),
    ),
    one(
      'annotations that are too large',
      flunder('a', { metadata: { annotations: { a: 'x'.repeat(262_144) } } }),
    ),
    // Of several bad labels the original reports in no particular order.
    one(
      'a bad label and a bad annotation',
      flunder('a', { metadata: { labels: { x: '-y-' }, annotations: { 'a b': 'c' } } }),
    ),
    one('a bad name and a bad label', flunder('A', { metadata: { labels: { x: '-y-' } } })),
    one(
      'a bad spec and a bad label',
      flunder('a', {
        metadata: { labels: { x: '-y-' } },
        spec: { referenceType: 'Flunder' },
      }),
    ),
    one('a finalizer without a domain', flunder('a', { metadata: { finalizers: ['keep'] } })),
    one('a finalizer that is bad', flunder('a', { metadata: { finalizers: ['a b/c'] } })),
    one(
      'finalizers that exclude each other',
      flunder('a', {
        metadata: { finalizers: ['orphan', 'foregroundDeletion'] },
      }),
    ),
    one('an owner', flunder('a', { metadata: { ownerReferences: [owner] } })),
    one('an owner twice', flunder('a', { metadata: { ownerReferences: [owner, owner] } })),
    one(
      'an owner without a uid',
      flunder('a', { metadata: { ownerReferences: [{ ...owner, uid: '' }] } }),
    ),
    one('an owner without anything', flunder('a', { metadata: { ownerReferences: [{}] } })),
    one(
      'two controllers',
      flunder('a', {
        metadata: {
          ownerReferences: [
            { ...owner, controller: true },
            { ...owner, name: 'other', uid: `${GIVEN_UID.slice(0, -1)}6`, controller: true },
          ],
        },
      }),
    ),
    one(
      'an event as owner',
      flunder('a', { metadata: { ownerReferences: [{ ...owner, kind: 'Event' }] } }),
    ),
    one('labels that are no texts', flunder('a', { metadata: { labels: { x: 1 } } })),
    one('labels that are null', flunder('a', { metadata: { labels: null } })),
  ],
};

const plain = JSON.stringify(flunder('a'));

export const createBodies: RowGroup = {
  name: 'create-bodies',
  rows: [
    one('a body that is no JSON', '{bad', { headers: { 'content-type': 'application/json' } }),
    one('a body that ends early', '{"metadata":{"name":"a"}', {
      headers: { 'content-type': 'application/json' },
    }),
    one('an empty body', '', { headers: { 'content-type': 'application/json' } }),
    one('a body that is an array', '[1,2]', { headers: { 'content-type': 'application/json' } }),
    one('a body that is a text', '"a"', { headers: { 'content-type': 'application/json' } }),
    one('a body that is null', 'null', { headers: { 'content-type': 'application/json' } }),
    one('a body with something after it', `${plain}{}`, {
      headers: { 'content-type': 'application/json' },
    }),
    one('another kind', flunder('a', { kind: 'Fischer' })),
    one('an unknown kind', flunder('a', { kind: 'Heron' })),
    one('a list', { kind: 'FlunderList', apiVersion: 'wardle.example.com/v1alpha1', items: [] }),
    one('another version', flunder('a', { apiVersion: 'wardle.example.com/v1beta1' })),
    one('an unknown version', flunder('a', { apiVersion: 'wardle.example.com/v9' })),
    one('another group', flunder('a', { apiVersion: 'apps/v1' })),
    one('an apiVersion that is none', flunder('a', { apiVersion: 'a/b/c' })),
    one('a kind in lower case', flunder('a', { kind: 'flunder' })),
    one('no content type', plain),
    one('a content type with a charset', plain, {
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
    one('a content type that is not served', plain, { headers: { 'content-type': 'text/plain' } }),
    one('a content type that is no content type', plain, {
      headers: { 'content-type': 'nonsense' },
    }),
    one('a YAML body', 'metadata:\n  name: a\nspec:\n  reference: pond\n', {
      headers: { 'content-type': 'application/yaml' },
    }),
    one('a YAML body that is bad', 'metadata: {name: [', {
      headers: { 'content-type': 'application/yaml' },
    }),
    one('a number where a text belongs', flunder('a', { spec: { reference: 5 } })),
    one('a text where an object belongs', flunder('a', { spec: 'pond' })),
    one('an array where an object belongs', { metadata: [] }),
    one('a name that is a number', { metadata: { name: 5 } }),
    one('field names in another case', {
      Metadata: { name: 'a' },
      metadata: { name: 'b', Labels: { x: 'y' } },
    }),
    one(
      'a body beyond the limit',
      `{"metadata":{"name":"a"},"x":"${'x'.repeat(3 * 1024 * 1024)}"}`,
      {
        headers: { 'content-type': 'application/json' },
        protocol: 'h1',
      },
    ),
  ],
};

const typo = flunder('a', { spec: { reference: 'pond', refrence: 'lake' }, extra: { a: 1 } });
const twice = '{"metadata":{"name":"a"},"spec":{"reference":"pond","reference":"lake"}}';
const json = { 'content-type': 'application/json' };

export const createOptions: RowGroup = {
  name: 'create-options',
  rows: [
    row(
      'as a dry run',
      post('dry', flunder('a'), { query: { dryRun: 'All' } }),
      get('get', `${FLUNDERS}/a`),
    ),
    row(
      'as a dry run of an existing name',
      given('a'),
      post('dry', flunder('a'), { query: { dryRun: 'All' } }),
    ),
    one(
      'as a dry run with a generated name',
      { metadata: { generateName: 'a-' } },
      { query: { dryRun: 'All' } },
    ),
    one('as an unknown kind of dry run', flunder('a'), { query: { dryRun: 'Some' } }),
    one('as two kinds of dry run', flunder('a'), { query: { dryRun: ['All', 'Some'] } }),
    one('as a dry run of nothing', flunder('a'), { query: { dryRun: '' } }),
    one('unknown fields', typo),
    one('unknown fields, warned of', typo, { query: { fieldValidation: 'Warn' } }),
    one('unknown fields, ignored', typo, { query: { fieldValidation: 'Ignore' } }),
    one('unknown fields, refused', typo, { query: { fieldValidation: 'Strict' } }),
    one('a field given twice', twice, { headers: json }),
    one('a field given twice, refused', twice, {
      headers: json,
      query: { fieldValidation: 'Strict' },
    }),
    one('a field given twice, ignored', twice, {
      headers: json,
      query: { fieldValidation: 'Ignore' },
    }),
    one('an unknown kind of validation', flunder('a'), { query: { fieldValidation: 'Nonsense' } }),
    one('an unknown field in metadata, refused', flunder('a', { metadata: { nmae: 'x' } }), {
      query: { fieldValidation: 'Strict' },
    }),
    one('a field manager', flunder('a'), { query: { fieldManager: 'me' } }),
    one('a field manager that is too long', flunder('a'), {
      query: { fieldManager: 'm'.repeat(129) },
    }),
    one('a field manager that cannot be printed', flunder('a'), {
      query: { fieldManager: 'a\u0001b' },
    }),
    one('an unknown field in YAML, refused', 'metadata: {name: a}\nspec: {refrence: x}\n', {
      headers: { 'content-type': 'application/yaml' },
      query: { fieldValidation: 'Strict' },
    }),
    one('a field given twice in YAML, refused', 'metadata:\n  name: a\n  name: b\n', {
      headers: { 'content-type': 'application/yaml' },
      query: { fieldValidation: 'Strict' },
    }),
    one('indented', flunder('a'), { query: { pretty: '1' } }),
  ],
};
