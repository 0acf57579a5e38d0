/** Bad input of every kind: each gets its Status, and the store stays as it was. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing/index.ts';
import { everything, Shelf, Widget } from '../everything-api.ts';
import { GROUP, outcomeOf, widgetsPath } from './fixture.ts';

const path = widgetsPath();
const one = `${path}/a`;
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly code: number;
  readonly reason?: string;
  readonly message: string | RegExp;
}

const widget = (metadata: object, spec: unknown = {}) => ({ metadata, spec });
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const bad = 'BadRequest';

const bodies: Row[] = [
  {
    name: 'no body',
    body: '',
    code: 400,
    reason: bad,
    message: /unexpected end of JSON input|EOF/,
  },
  {
    name: 'half a document',
    body: '{"metadata":',
    code: 400,
    reason: bad,
    message: /unexpected end/,
  },
  { name: 'no JSON at all', body: 'hello', code: 400, reason: bad, message: /invalid character/ },
  { name: 'a list', body: '[]', code: 400, reason: bad, message: /cannot unmarshal array/ },
  { name: 'a text', body: '"a"', code: 400, reason: bad, message: /cannot unmarshal string/ },
  {
    name: 'bytes that are no text',
    body: Buffer.from([0xff, 0xfe, 0x00]),
    code: 400,
    reason: bad,
    message: /invalid character/,
  },
  {
    name: 'a document of another kind',
    body: { apiVersion: `${GROUP}/v1`, kind: 'Shelf', metadata: { name: 'x' } },
    code: 400,
    reason: bad,
    message: /^Shelf in version "v1" cannot be handled as a Widget/,
  },
  {
    name: 'a document of another version',
    body: { apiVersion: `${GROUP}/v1beta1`, kind: 'Widget', metadata: { name: 'x' } },
    code: 400,
    reason: bad,
    message: /does not match the expected API version/,
  },
  {
    name: 'a document of another group',
    body: { apiVersion: 'other.example.com/v1', kind: 'Widget', metadata: { name: 'x' } },
    code: 400,
    reason: bad,
    message: /no kind "Widget" is registered for version "other.example.com\/v1"/,
  },
  {
    name: 'metadata that is no object',
    body: '{"metadata":5}',
    code: 400,
    reason: bad,
    message: /cannot unmarshal number into Go struct field Widget.metadata of type v1.ObjectMeta/,
  },
  {
    name: 'labels that are no text',
    body: widget({ name: 'x', labels: { a: 1 } }),
    code: 400,
    reason: bad,
    message:
      /cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string/,
  },
  {
    name: 'a spec of the wrong type',
    body: widget({ name: 'x' }, 'all'),
    code: 422,
    reason: 'Invalid',
    message: /spec: Invalid value: "string": spec in body must be of type object: "string"/,
  },
  {
    name: 'an unknown field, strictly',
    path: `${path}?fieldValidation=Strict`,
    body: widget({ name: 'x' }, { shape: 1 }),
    code: 400,
    reason: bad,
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.shape"',
  },
  {
    name: 'a field given twice, strictly',
    path: `${path}?fieldValidation=Strict`,
    body: '{"metadata":{"name":"x"},"spec":{"size":1,"size":2}}',
    code: 400,
    reason: bad,
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.size"',
  },
  {
    name: 'nesting beyond the bound',
    body: `{"metadata":{"name":"x"},"spec":{"extra":{"a":${nested(2000)}}}}`,
    code: 400,
    reason: bad,
    message: /exceeded max depth/,
  },
  {
    name: 'nesting far beyond the bound',
    body: nested(500_000),
    code: 400,
    reason: bad,
    message: /exceeded max depth/,
  },
  {
    name: 'a body that is too large',
    body: Buffer.alloc(3 * 1024 * 1024 + 1, ' '),
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 3145728',
  },
  {
    name: 'a content type that nobody reads',
    body: 'x',
    contentType: 'text/plain',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: /the body of the request was in an unknown format - accepted media types include:/,
  },
  {
    name: 'options that cannot be met',
    method: 'GET',
    accept: 'text/html',
    code: 406,
    reason: 'NotAcceptable',
    message: /406: Not Acceptable|only the following media types are accepted/,
  },
];

const names: Row[] = [
  {
    name: 'no name',
    body: widget({}),
    code: 422,
    reason: 'Invalid',
    message: /metadata.name: Required value: name or generateName is required/,
  },
  {
    name: 'a name in capitals',
    body: widget({ name: 'A' }),
    code: 422,
    reason: 'Invalid',
    message: /metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of/,
  },
  {
    name: 'a name that is a path',
    body: widget({ name: '../b' }),
    code: 422,
    reason: 'Invalid',
    message: /metadata.name: Invalid value: "..\/b"/,
  },
  {
    name: 'a name that is too long',
    body: widget({ name: 'x'.repeat(254) }),
    code: 422,
    reason: 'Invalid',
    message: /must be no more than 253/,
  },
  {
    name: 'a name that is taken',
    body: widget({ name: 'a' }),
    code: 409,
    reason: 'AlreadyExists',
    message: `widgets.${GROUP} "a" already exists`,
  },
  {
    name: 'a label that is none',
    body: widget({ name: 'x', labels: { 'not a key': 'v' } }),
    code: 422,
    reason: 'Invalid',
    message: /metadata.labels: Invalid value: "not a key": name part must consist of/,
  },
  {
    name: 'a finalizer that is none',
    body: widget({ name: 'x', finalizers: ['not one'] }),
    code: 422,
    reason: 'Invalid',
    message: /metadata.finalizers: Invalid value: "not one": name part must consist of/,
  },
  {
    name: 'a resourceVersion on a new object',
    body: widget({ name: 'x', resourceVersion: '1' }),
    code: 500,
    message: 'resourceVersion should not be set on objects to be created',
  },
  {
    name: 'another namespace than the path',
    body: widget({ name: 'x', namespace: 'eu' }),
    code: 400,
    reason: bad,
    message:
      'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    name: 'another name than the path',
    method: 'PUT',
    path: one,
    body: widget({ name: 'b' }),
    code: 400,
    reason: bad,
    message: 'the name of the object (b) does not match the name on the URL (a)',
  },
  {
    name: 'a name in the path that is none',
    method: 'GET',
    path: `${path}/%25`,
    code: 400,
    reason: bad,
    message: /Name parameter invalid: "%": may not contain '%'/,
  },
  {
    name: 'a create in all namespaces',
    path: `/apis/${GROUP}/v1/widgets`,
    body: widget({ name: 'x' }),
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    name: 'a namespace for what has none',
    path: `/apis/${GROUP}/v1/namespaces/default/shelves`,
    body: { metadata: { name: 'x' }, room: 'a' },
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  },
];

const updates: Row[] = [
  {
    name: 'an update without a resourceVersion',
    method: 'PUT',
    path: one,
    body: widget({ name: 'a' }),
    code: 422,
    reason: 'Invalid',
    message: /metadata.resourceVersion: Invalid value: 0: must be specified for an update/,
  },
  {
    name: 'an update with an old resourceVersion',
    method: 'PUT',
    path: one,
    body: widget({ name: 'a', resourceVersion: '1' }),
    code: 409,
    reason: 'Conflict',
    message: /the object has been modified/,
  },
  {
    name: 'an update with a resourceVersion that is none',
    method: 'PUT',
    path: one,
    body: widget({ name: 'a', resourceVersion: 'x' }),
    code: 500,
    message: 'strconv.ParseUint: parsing "x": invalid syntax',
  },
  {
    name: 'an update of what is not there',
    method: 'PUT',
    path: `${path}/missing`,
    body: widget({ name: 'missing' }),
    code: 404,
    reason: 'NotFound',
    message: `widgets.${GROUP} "missing" not found`,
  },
  {
    name: 'a patch of a type that nobody reads',
    method: 'PATCH',
    path: one,
    body: '{}',
    contentType: 'application/json',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: /415: Unsupported Media Type|unknown format/,
  },
  {
    name: 'a patch that is no JSON',
    method: 'PATCH',
    path: one,
    body: '{',
    contentType: MERGE,
    code: 400,
    reason: bad,
    message: /invalid JSON patch/,
  },
  {
    name: 'a JSON patch that is no list',
    method: 'PATCH',
    path: one,
    body: '{}',
    contentType: JSON_PATCH,
    code: 400,
    reason: bad,
    message: /cannot unmarshal object into Go value of type/,
  },
  {
    name: 'a JSON patch of what is not there',
    method: 'PATCH',
    path: one,
    body: '[{"op":"remove","path":"/spec/nothing"}]',
    contentType: JSON_PATCH,
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    name: 'a JSON patch whose test fails',
    method: 'PATCH',
    path: one,
    body: '[{"op":"test","path":"/metadata/name","value":"b"}]',
    contentType: JSON_PATCH,
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    name: 'a JSON patch with too many operations',
    method: 'PATCH',
    path: one,
    body: JSON.stringify(Array(10_001).fill({ op: 'test', path: '/kind', value: 'Widget' })),
    contentType: JSON_PATCH,
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: /The allowed maximum operations in a JSON patch is 10000, got 10001/,
  },
  {
    name: 'a patch that makes something else of it',
    method: 'PATCH',
    path: one,
    body: '{"kind":"Shelf"}',
    contentType: MERGE,
    code: 422,
    reason: 'Invalid',
    message:
      /^ "" is invalid: patch: Invalid value: .*: no kind "Shelf" is registered|Shelf in version "v1" cannot be handled as a Widget/,
  },
  {
    name: 'a patch that changes the uid',
    method: 'PATCH',
    path: one,
    body: '{"metadata":{"uid":"other"}}',
    contentType: MERGE,
    code: 422,
    reason: 'Invalid',
    message: /metadata.uid: Invalid value: "other": field is immutable/,
  },
  {
    name: 'a patch that changes the name',
    method: 'PATCH',
    path: one,
    body: '{"metadata":{"name":"b"}}',
    contentType: MERGE,
    code: 400,
    reason: bad,
    message: /the name of the object \(b\) does not match the name on the URL \(a\)/,
  },
  {
    name: 'an apply without a manager',
    method: 'PATCH',
    path: one,
    body: widget({ name: 'a' }),
    contentType: 'application/apply-patch+yaml',
    code: 422,
    reason: 'Invalid',
    message: /fieldManager: Required value: is required for apply patch/,
  },
  {
    name: 'force without an apply',
    method: 'PATCH',
    path: `${one}?force=true`,
    body: '{}',
    contentType: MERGE,
    code: 422,
    reason: 'Invalid',
    message: /force: Forbidden: may not be specified for non-apply patch/,
  },
];

const options: Row[] = [
  {
    name: 'a dry run of only a part',
    path: `${path}?dryRun=Some`,
    body: widget({ name: 'x' }),
    code: 422,
    reason: 'Invalid',
    message: /dryRun: Unsupported value: "Some"|dryRun: Unsupported value: \["Some"\]/,
  },
  {
    name: 'a field validation that nobody knows',
    path: `${path}?fieldValidation=Hard`,
    body: widget({ name: 'x' }),
    code: 422,
    reason: 'Invalid',
    message: /fieldValidation: Unsupported value: "Hard": supported values: "", "Ignore"/,
  },
  {
    name: 'a manager with a name that cannot be shown',
    path: `${path}?fieldManager=%00`,
    body: widget({ name: 'x' }),
    code: 422,
    reason: 'Invalid',
    message: /fieldManager: Invalid value/,
  },
  {
    name: 'a timeout that is none',
    method: 'GET',
    path: `${path}?timeout=soon`,
    code: 400,
    reason: bad,
    message: /invalid duration|timeout/,
  },
  {
    name: 'two ways to say what becomes of dependents',
    method: 'DELETE',
    path: one,
    body: { orphanDependents: true, propagationPolicy: 'Orphan' },
    code: 422,
    reason: 'Invalid',
    message: /orphanDependents and deletionPropagation cannot be both set/,
  },
  {
    name: 'a propagation policy that nobody knows',
    method: 'DELETE',
    path: one,
    body: { propagationPolicy: 'Sideways' },
    code: 422,
    reason: 'Invalid',
    message: /propagationPolicy: Unsupported value: "Sideways"/,
  },
  {
    name: 'a delete of another uid',
    method: 'DELETE',
    path: one,
    body: { preconditions: { uid: 'other' } },
    code: 409,
    reason: 'Conflict',
    message: /the UID in the precondition \(other\) does not match the UID in record/,
  },
  {
    name: 'delete options that are something else',
    method: 'DELETE',
    path: one,
    body: { apiVersion: 'v1', kind: 'Status' },
    code: 400,
    reason: bad,
    message: /Status/,
  },
  {
    name: 'the delete of what is not there',
    method: 'DELETE',
    path: `${path}/missing`,
    code: 404,
    reason: 'NotFound',
    message: `widgets.${GROUP} "missing" not found`,
  },
];

const lists: Row[] = [
  { query: 'labelSelector=a%20b%20c', code: 400, message: /unable to parse requirement|found 'b'/ },
  { query: 'labelSelector=a%20in%20(', code: 400, message: /unable to parse requirement/ },
  {
    query: 'labelSelector=A!!',
    code: 400,
    message: /unable to parse requirement|unexpected|found/,
  },
  { query: 'fieldSelector=spec.colour', code: 400, message: /invalid selector: 'spec.colour'/ },
  {
    query: 'fieldSelector=spec.size%3D1',
    code: 400,
    message: /"spec.size" is not a known field selector/,
  },
  { query: 'continue=nothing', code: 400, message: /continue key is not valid/ },
  { query: 'continue=e30', code: 400, message: /continue key is not valid/ },
  {
    query: `continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../x"}').toString('base64url')}`,
    code: 400,
    message: /continue key is not valid/,
  },
  { query: 'limit=many', code: 400, message: /strconv.ParseInt: parsing "many": invalid syntax/ },
  { query: 'resourceVersion=x', code: 400, message: /resourceVersion|strconv.ParseUint/ },
  {
    query: 'resourceVersionMatch=Exact',
    code: 422,
    message:
      /resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided/,
  },
  {
    query: 'resourceVersionMatch=Sometimes&resourceVersion=1',
    code: 422,
    message: /resourceVersionMatch: Unsupported value: "Sometimes"/,
  },
  {
    query: 'resourceVersionMatch=Exact&resourceVersion=0',
    code: 422,
    message: /resourceVersionMatch "exact" is forbidden for resourceVersion "0"/,
  },
  {
    query: 'sendInitialEvents=true',
    code: 422,
    message: /sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list/,
  },
  {
    query: 'watch=true&sendInitialEvents=true',
    code: 422,
    message:
      /resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
  },
  { query: 'timeoutSeconds=x&watch=true', code: 400, message: /strconv.ParseInt: parsing "x"/ },
  {
    query:
      'resourceVersion=1&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0',
    code: 400,
    message: 'specifying resource version is not allowed when using continue',
  },
].map(({ query, code, message }) => ({
  name: `a list with ${query.slice(0, 60)}`,
  method: 'GET',
  path: `${path}?${query}`,
  code,
  message,
}));

let server: TestServer;

async function stateOf({ storage }: TestServer): Promise<string> {
  const { items, revision } = await storage.list('/registry/');
  const contents = JSON.stringify(items.map(({ key, value }) => [key, value.toString()]));
  return `${revision} ${createHash('sha256').update(contents).digest('hex')}`;
}

before(async () => {
  server = await startTestServer(everything);
  await server.client(Widget).create({ metadata: { name: 'a' }, spec: { tags: ['x'] } });
  await server.client(Shelf).create({ metadata: { name: 'a' }, room: 'a' });
});

for (const row of [...bodies, ...names, ...updates, ...options, ...lists]) {
  test(`refused: ${row.name}`, async () => {
    const { method = 'POST', path: at = path, body, contentType, accept } = row;
    const state = await stateOf(server);
    const response = await server.request(method, at, {
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
      ...(accept !== undefined && { headers: { Accept: accept } }),
    });
    const { status, reason, message = '' } = outcomeOf(response);
    assert.equal(status, row.code, response.text.slice(0, 500));
    if (row.reason !== undefined) assert.equal(reason, row.reason);
    if (typeof row.message === 'string') assert.equal(message, row.message);
    else assert.match(message, row.message);
    assert.equal(await stateOf(server), state, 'the store has changed');
    assert.deepEqual(server.bugs, []);
  });
}
