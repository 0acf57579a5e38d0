import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonError } from '../json/json-error.ts';
import { readTypeMeta, typeMetaFailure } from './type-meta.ts';

const anonymous =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const documents = [
  {
    name: 'both',
    document: { apiVersion: 'apps/v1', kind: 'Deployment' },
    want: 'apps/v1 Deployment',
  },
  { name: 'neither', document: {}, want: ' ' },
  { name: 'null is absent', document: { kind: null, apiVersion: 'v1' }, want: 'v1 ' },
  { name: 'no document', document: null, want: ' ' },
  {
    name: 'a kind that is a number',
    document: { kind: 5 },
    want: 'cannot unmarshal number into Go struct field .kind of type string',
  },
  {
    name: 'an apiVersion that is a list',
    document: { apiVersion: [] },
    want: 'cannot unmarshal array into Go struct field .apiVersion of type string',
  },
  {
    name: 'a list',
    document: [],
    want: `cannot unmarshal array into Go value of type ${anonymous}`,
  },
  {
    name: 'a text',
    document: 'x',
    want: `cannot unmarshal string into Go value of type ${anonymous}`,
  },
  {
    name: 'a big integer',
    document: 2n ** 60n,
    want: `cannot unmarshal number into Go value of type ${anonymous}`,
  },
];
for (const { name, document, want } of documents) {
  test(`the type of a document: ${name}`, () => {
    const meta = readTypeMeta(document);
    const prefix = "couldn't get version/kind; json parse error: json: ";
    assert.equal(
      meta.ok ? `${meta.apiVersion} ${meta.kind}` : meta.message,
      meta.ok ? want : prefix + want,
    );
  });
}

test('invalid JSON has the same error as an invalid type', () => {
  assert.equal(
    typeMetaFailure(new JsonError('syntax', 'unexpected end of JSON input')),
    "couldn't get version/kind; json parse error: unexpected end of JSON input",
  );
});
