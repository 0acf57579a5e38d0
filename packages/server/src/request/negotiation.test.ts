import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import {
  negotiate,
  negotiateMediaTypeOptions,
  requireBodyType,
  requireProducible,
} from './negotiation.ts';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const BETA_TABLE = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io';

interface Row {
  name: string;
  accept: string[];
  /** `kind apiVersion`, when it is one. */
  transform?: string;
  mediaType?: string;
  pretty?: boolean;
}

const optionRows: Row[] = [
  { name: 'no header', accept: [] },
  { name: 'an empty header', accept: [''] },
  { name: 'JSON', accept: [JSON_TYPE] },
  { name: 'JSON with a charset', accept: [`${JSON_TYPE};charset=utf-8`] },
  { name: 'anything', accept: ['*/*'] },
  { name: 'a range', accept: ['application/*'] },
  { name: 'YAML', accept: [YAML_TYPE], mediaType: YAML_TYPE },
  { name: 'the better one', accept: [`${JSON_TYPE};q=0.5,${YAML_TYPE}`], mediaType: YAML_TYPE },
  { name: 'a concrete one before a range', accept: [`*/*,${YAML_TYPE}`], mediaType: YAML_TYPE },
  { name: 'protobuf first', accept: [`application/vnd.kubernetes.protobuf,${JSON_TYPE}`] },
  { name: 'the last clause, as upstream parses it,', accept: [`${JSON_TYPE};q=0`] },
  { name: 'two lines', accept: ['text/html', `${JSON_TYPE};q=0.1`] },
  { name: 'indented', accept: [`${JSON_TYPE};pretty=1`], pretty: true },
  { name: 'indented by another word', accept: [`${JSON_TYPE};pretty=true`] },
  { name: 'a stream', accept: [`${JSON_TYPE};stream=watch`] },
  { name: 'an unknown stream, then JSON', accept: [`${YAML_TYPE};stream=x,${JSON_TYPE}`] },
  { name: 'a stream of YAML, then JSON', accept: [`${YAML_TYPE};stream=watch,${JSON_TYPE}`] },
  {
    name: 'an unknown version of the server, then JSON',
    accept: [`${YAML_TYPE};sv=v9,${JSON_TYPE}`],
  },
  { name: 'Table', accept: [TABLE], transform: 'Table meta.k8s.io/v1' },
  { name: 'Table of v1beta1', accept: [BETA_TABLE], transform: 'Table meta.k8s.io/v1beta1' },
  {
    name: 'what kubectl sends',
    accept: [`${TABLE},${BETA_TABLE},${JSON_TYPE}`],
    transform: 'Table meta.k8s.io/v1',
  },
  {
    name: 'what controllers of metadata send',
    accept: [
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    ],
    transform: 'PartialObjectMetadataList meta.k8s.io/v1',
  },
  {
    name: 'an unknown version of Table, then JSON',
    accept: ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json'],
  },
  {
    name: 'Table of an unknown group, then YAML',
    accept: [`application/json;as=Table;v=v1;g=x,${YAML_TYPE}`],
    mediaType: YAML_TYPE,
  },
  {
    name: 'a version of nothing, then YAML',
    accept: [`application/json;v=v1,${YAML_TYPE}`],
    mediaType: YAML_TYPE,
  },
];
for (const { name, accept, transform, mediaType = JSON_TYPE, pretty = false } of optionRows) {
  test(`${name} is negotiated`, () => {
    const options = negotiateMediaTypeOptions(accept.join(','), { transforms: 'allowed' });
    const found = options?.transform && `${options.transform.kind} ${options.transform.apiVersion}`;
    assert.deepEqual([options?.mediaType, found, options?.pretty], [mediaType, transform, pretty]);
  });
}

const nothing = [
  { name: 'a type that is not written', accept: 'text/html' },
  { name: 'nonsense', accept: 'nonsense' },
  { name: 'protobuf alone', accept: 'application/vnd.kubernetes.protobuf' },
  { name: 'an unknown transformation', accept: 'application/json;as=Poem;v=v1;g=meta.k8s.io' },
];
for (const { name, accept } of nothing) {
  test(`${name} has no options`, () => {
    assert.equal(negotiateMediaTypeOptions(accept, { transforms: 'allowed' }), undefined);
  });
}

test('a Status is not converted to a Table', () => {
  assert.equal(negotiateMediaTypeOptions(TABLE, { transforms: 'refused' }), undefined);
  assert.equal(
    negotiateMediaTypeOptions(`${TABLE},*/*`, { transforms: 'refused' })?.mediaType,
    JSON_TYPE,
  );
});

const routed = [
  { name: 'another type', accept: ['text/html'], streams: false },
  { name: 'a range, which the router does not know', accept: ['application/*'], streams: false },
  { name: 'nonsense', accept: ['nonsense'], streams: false },
  { name: 'another type of a list', accept: ['text/html'], streams: true },
];
const TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const STREAMS = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
for (const { name, accept, streams } of routed) {
  test(`${name} is rejected by the router`, () => {
    const available = streams ? `${TYPES}, ${STREAMS}` : TYPES;
    assertRefused(() => requireProducible(accept.join(','), { streams }), {
      code: 406,
      message: `406: Not Acceptable\n\nAvailable representations: ${available}`,
    });
  });
}

test('the router compares bare media types only', () => {
  requireProducible('application/json;as=Poem,x/y', { streams: false });
  requireProducible('text/html, */*;q=0.1', { streams: true });
  requireProducible('', { streams: true });
});

test('a document has a media type and no transform', () => {
  assert.equal(negotiate(YAML_TYPE), YAML_TYPE);
  assertRefused(() => negotiate(TABLE), {
    code: 406,
    message: `only the following media types are accepted: ${TYPES}`,
  });
});

test('request bodies are JSON or YAML, and JSON by default', () => {
  assert.equal(requireBodyType(undefined), JSON_TYPE);
  assert.equal(requireBodyType('application/json; charset=utf-8'), JSON_TYPE);
  assert.equal(requireBodyType('Application/YAML'), YAML_TYPE);
  assertRefused(() => requireBodyType('text/plain'), {
    code: 415,
    message: `the body of the request was in an unknown format - accepted media types include: ${TYPES}`,
  });
});

function assertRefused(call: () => unknown, want: { code: number; message: string }): void {
  assert.throws(call, (error) => {
    assert.ok(error instanceof StatusError);
    assert.deepEqual({ code: error.code, message: error.message }, want);
    return true;
  });
}
