import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  ResourceAttributes,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from '@tributary/api/authorization-v1';
import { fieldErrorText, type ObjectMeta } from '@tributary/apimachinery';
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from './validation.ts';

function review(spec: SubjectAccessReviewSpec, metadata: ObjectMeta = {}): SubjectAccessReview {
  return { apiVersion: '', kind: '', metadata, spec, status: { allowed: false } };
}

const about = (more: ResourceAttributes = {}): SubjectAccessReviewSpec => ({
  user: 'alice',
  resourceAttributes: { verb: 'list', resource: 'pods', ...more },
});
const path = { path: '/<x>', verb: 'get' };
const shownPath = '{"Path":"/\\u003cx\\u003e","Verb":"get"}';
const NEITHER =
  'spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
const FIELD = 'spec.resourceAttributes.fieldSelector';
const LABEL = 'spec.resourceAttributes.labelSelector';
const REQUIRED_VALUES = "Required value: must be specified when `operator` is 'In' or 'NotIn'";
const NO_VALUES = "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

describe('validation of SubjectAccessReviews', () => {
  const cases: readonly {
    name: string;
    spec: SubjectAccessReviewSpec;
    metadata?: ObjectMeta;
    errors: readonly (string | RegExp)[];
  }[] = [
    { name: 'about a resource', spec: about(), errors: [] },
    {
      name: 'about a path, by a group',
      spec: { groups: ['g'], nonResourceAttributes: path },
      errors: [],
    },
    {
      name: 'about nothing and nobody',
      spec: {},
      errors: [
        NEITHER,
        'spec.user: Invalid value: "": at least one of user or group must be specified',
      ],
    },
    {
      name: 'about both',
      spec: { ...about(), nonResourceAttributes: path },
      errors: [
        `spec: Invalid value: ${shownPath}: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
      ],
    },
    {
      name: 'with metadata, which is shown in the order of Go',
      spec: about(),
      metadata: {
        labels: { b: 'c', a: '<' },
        name: 'x',
        ownerReferences: [{ uid: 'u', name: 'n', kind: 'K', apiVersion: 'v1' }],
        managedFields: [{ operation: 'Update', manager: 'm', fieldsV1: { 'f:spec': {} } }],
      },
      errors: [
        'metadata: Invalid value: {"name":"x","labels":{"a":"\\u003c","b":"c"},"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}],"managedFields":[{"manager":"m","operation":"Update","fieldsV1":{"f:spec":{}}}]}: must be empty',
      ],
    },
    {
      name: 'of which is known who wrote what',
      spec: about(),
      metadata: { managedFields: [] },
      errors: [],
    },
    {
      name: 'with selectors in both forms',
      spec: about({
        fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
        labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
      }),
      errors: [
        `${FIELD}.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
        `${LABEL}.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
      ],
    },
    {
      name: 'with selectors in neither form',
      spec: about({ fieldSelector: {}, labelSelector: {} }),
      errors: [
        `${FIELD}.requirements: Required value: when ${FIELD} is specified, requirements or rawSelector is required`,
        `${LABEL}.requirements: Required value: when ${LABEL} is specified, requirements or rawSelector is required`,
      ],
    },
    {
      name: 'with bad requirements',
      spec: about({
        fieldSelector: {
          requirements: [
            { key: '', operator: 'In' },
            { key: 'a', operator: 'Exists', values: ['x'] },
          ],
        },
        labelSelector: {
          requirements: [
            { key: 'a b', operator: 'NotIn' },
            { key: 'a', operator: 'DoesNotExist', values: ['x y'] },
          ],
        },
      }),
      errors: [
        `${FIELD}.requirements[0].key: Required value: must be specified`,
        `${FIELD}.requirements[0].values: ${REQUIRED_VALUES}`,
        `${FIELD}.requirements[1].values: ${NO_VALUES}`,
        `${LABEL}.requirements[0].values: ${REQUIRED_VALUES}`,
        /^spec\.resourceAttributes\.labelSelector\.requirements\[0\]\.key: Invalid value: "a b": name part/,
        `${LABEL}.requirements[1].values: ${NO_VALUES}`,
        /^spec\.resourceAttributes\.labelSelector\.requirements\[1\]\.values\[0\]: Invalid value: "x y": a valid label/,
      ],
    },
    {
      name: 'with operators of newer clients',
      spec: about({
        fieldSelector: { requirements: [{ key: 'a', operator: 'Odd' }] },
        labelSelector: { requirements: [{ key: 'a', operator: 'Odd', values: ['x'] }] },
      }),
      errors: [],
    },
  ];
  for (const { name, spec, metadata, errors } of cases) {
    test(name, () => {
      const texts = validateSubjectAccessReview(review(spec, metadata)).map(fieldErrorText);
      assert.equal(texts.length, errors.length, texts.join('\n'));
      for (const [index, error] of errors.entries()) {
        const text = texts[index] ?? '';
        if (typeof error === 'string') assert.equal(text, error);
        else assert.match(text, error);
      }
    });
  }
});

test('a SelfSubjectAccessReview has no subject', () => {
  const texts = validateSelfSubjectAccessReview(review({}, { name: 'x' })).map(fieldErrorText);
  assert.deepEqual(texts, [NEITHER, 'metadata: Invalid value: {"name":"x"}: must be empty']);
});

test('a LocalSubjectAccessReview has the namespace of the request', () => {
  const errorsOf = (spec: SubjectAccessReviewSpec, metadata: ObjectMeta) =>
    validateLocalSubjectAccessReview(review(spec, metadata)).map(fieldErrorText);
  assert.deepEqual(errorsOf(about({ namespace: 'eu' }), { namespace: 'eu' }), []);
  assert.deepEqual(errorsOf(about(), { namespace: 'eu', name: 'x' }), [
    'metadata: Invalid value: {"name":"x","namespace":"eu"}: must be empty except for namespace',
    'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
  ]);
  assert.deepEqual(errorsOf({ user: 'u', nonResourceAttributes: path }, { namespace: 'eu' }), [
    `spec.nonResourceAttributes: Invalid value: ${shownPath}: disallowed on this kind of request`,
  ]);
});
