/** Our own rules; `interop/core/rows/api-services.ts` compares every rule of upstream with the original. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { APIService, APIServiceCondition } from '@tributary/api/apiregistration-v1';
import { aggregateText, type FieldError } from '@tributary/apimachinery';
import { aLocalApiService, anApiService } from '../../test/registration-fixture.ts';
import { annotations } from '../api-services/registration.ts';
import { alreadyServed } from './already-served.ts';
import { apiServiceColumns } from './api-service-columns.ts';
import { validateApiService } from './validate-api-service.ts';
import { validateBackend } from './validate-backend.ts';

const reported = (errors: readonly FieldError[]) =>
  errors.length === 0 ? '' : aggregateText(errors);
const isBuiltIn = (group: string, version: string) => group === 'apps' && version === 'v1';
const NAME = 'v1.a.example.com';
const annotated = (annotation: keyof typeof annotations, value: string) => ({
  metadata: { annotations: { [annotations[annotation]]: value } },
});

describe('upstream’s rules', () => {
  const rows: readonly [name: string, APIService, want: string][] = [
    ['another server’s', anApiService(NAME), ''],
    ['this server’s', aLocalApiService(NAME), ''],
    [
      'of another name',
      anApiService(NAME, { spec: { version: 'v2' } }),
      'metadata.name: Invalid value: "v1.a.example.com": must be `spec.version+"."+spec.group`: "v2.a.example.com"',
    ],
    [
      'with a bundle that nobody needs',
      aLocalApiService(NAME, { spec: { caBundle: 'AAAA' } }),
      'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
    ],
    [
      'with a priority beyond the highest',
      anApiService(NAME, { spec: { groupPriorityMinimum: 20_001 } }),
      'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
    ],
  ];
  for (const [name, object, want] of rows) {
    test(name, () => assert.equal(reported(validateApiService(object)), want));
  }
});

describe('annotations', () => {
  const form = 'must be https://HOST or https://HOST:PORT, without a path, a query or a user';
  const rows: readonly [name: string, APIService, want: string][] = [
    ['a URL', anApiService(NAME, annotated('url', 'https://127.0.0.1:7443')), ''],
    [
      'a URL with a path',
      anApiService(NAME, annotated('url', 'https://a/b')),
      `metadata.annotations[aggregation.tributary.dev/url]: Invalid value: "https://a/b": ${form}`,
    ],
    [
      'a URL without a service',
      aLocalApiService(NAME, annotated('url', 'https://a')),
      'metadata.annotations[aggregation.tributary.dev/url]: Forbidden: may only be set with spec.service, which says that another server is meant',
    ],
    [
      'a limit of nothing',
      anApiService(NAME, annotated('requestsInFlightMax', '0')),
      'metadata.annotations[aggregation.tributary.dev/max-requests-in-flight]: Invalid value: "0": must be a whole number from 1 to 9007199254740991',
    ],
    [
      'a choice that is none',
      anApiService(NAME, annotated('forwardsToken', 'yes')),
      'metadata.annotations[aggregation.tributary.dev/forward-bearer-token]: Invalid value: "yes": must be "true" or "false"',
    ],
  ];
  for (const [name, object, want] of rows) {
    test(name, () => assert.equal(reported(validateBackend(object, isBuiltIn)), want));
  }

  test('what was stored as it is may stay, and a new value may not', () => {
    const live = anApiService(NAME, annotated('watchesMax', 'x'));
    assert.equal(reported(validateBackend(live, isBuiltIn, live)), '');
    const next = anApiService(NAME, annotated('watchesMax', 'y'));
    assert.match(reported(validateBackend(next, isBuiltIn, live)), /max-watches/);
  });

  test('a URL does not stay behind when the service goes', () => {
    const live = anApiService(NAME, annotated('url', 'https://a'));
    const next = aLocalApiService(NAME, annotated('url', 'https://a'));
    assert.match(reported(validateBackend(next, isBuiltIn, live)), /Forbidden/);
    assert.equal(reported(validateBackend(next, isBuiltIn, next)), '');
  });
});

describe('what this server serves', () => {
  const refusal = 'spec.service: Forbidden: apps/v1 is served by this server itself';
  const own = aLocalApiService('v1.apps');
  const taken = anApiService('v1.apps');
  test('nobody else registers', () =>
    assert.equal(reported(validateBackend(taken, isBuiltIn)), refusal));
  test('nobody takes over', () => {
    assert.equal(reported(validateBackend(taken, isBuiltIn, own)), refusal);
  });
  test('may be said again', () => assert.equal(reported(validateBackend(own, isBuiltIn)), ''));
  test('of other versions, others may', () => {
    assert.equal(reported(validateBackend(anApiService('v2.apps'), isBuiltIn)), '');
  });
  test('was another’s before an upgrade: its status can still be written', () => {
    assert.equal(reported(validateBackend(taken, isBuiltIn, taken)), '');
  });
});

describe('a second claim', () => {
  const exists = 'apiservices.apiregistration.k8s.io "v1.a.example.com" already exists';
  const rows: readonly [name: string, APIService, want: string | undefined][] = [
    [
      'to what a service serves',
      anApiService(NAME),
      `${exists}: a.example.com/v1 is served by service wardle/api`,
    ],
    [
      'to what is served at a URL',
      anApiService(NAME, annotated('url', 'https://a:1')),
      `${exists}: a.example.com/v1 is served by service wardle/api at https://a:1`,
    ],
    [
      'to what this server serves',
      aLocalApiService('v1.apps'),
      'apiservices.apiregistration.k8s.io "v1.apps" already exists: apps/v1 is served by this server itself',
    ],
    ['to what nobody serves', aLocalApiService(NAME), undefined],
    [
      'to what is on its way out',
      anApiService(NAME, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      undefined,
    ],
  ];
  for (const [name, holder, want] of rows) {
    test(name, () => assert.equal(alreadyServed(holder, isBuiltIn)?.message, want));
  }
});

describe('columns', () => {
  const cellOf = (column: string, object: APIService) =>
    apiServiceColumns.find(({ name }) => name === column)?.cell(object);
  const services: readonly [APIService, string][] = [
    [aLocalApiService(NAME), 'Local'],
    [anApiService(NAME), 'wardle/api'],
    [anApiService(NAME, annotated('url', 'https://127.0.0.1:7443')), 'https://127.0.0.1:7443'],
  ];
  for (const [object, want] of services) {
    test(`Service: ${want}`, () => assert.equal(cellOf('Service', object), want));
  }
  const condition = (status: string, reason?: string): APIServiceCondition => ({
    type: 'Available',
    status,
    lastTransitionTime: null,
    ...(reason !== undefined && { reason }),
  });
  const available: readonly [APIServiceCondition[] | undefined, string][] = [
    [undefined, 'Unknown'],
    [[{ ...condition('True'), type: 'Other' }], 'Unknown'],
    [[condition('True', 'Passed')], 'True'],
    [[condition('False', 'ServiceNotFound')], 'False (ServiceNotFound)'],
    [[condition('False')], 'False'],
    [[condition('Unknown', 'Asleep')], 'Unknown (Asleep)'],
    [[condition('Unknown', '')], 'Unknown'],
  ];
  for (const [conditions, want] of available) {
    test(`Available: ${want} of ${JSON.stringify(conditions?.[0]?.reason)}`, () => {
      const object = { ...anApiService(NAME), status: conditions ? { conditions } : {} };
      assert.equal(cellOf('Available', object), want);
    });
  }
});
