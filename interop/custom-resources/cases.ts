/** Requests for objects whose versions a webhook converts. */
import {
  defined,
  get,
  given,
  list,
  patch,
  post,
  thing,
  things,
  versionOf,
  wholeSchema,
} from '../core/rows/custom-resources-words.ts';
import { TABLE } from '../core/rows/words.ts';
import type { JsonObject } from '../differential/json.ts';
import type { Row, Step } from '../differential/row.ts';
import { failingCases } from './failing-cases.ts';
import { behaviours, type Webhooks } from './webhook.ts';

const spec = (field: string): JsonObject => ({
  type: 'object',
  properties: { [field]: { type: 'integer' }, color: { type: 'string' } },
});
const subresources = { status: {} };
const v1 = versionOf('v1', wholeSchema(spec('size')), { subresources });
const v2 = versionOf('v2', wholeSchema(spec('length')), { storage: false, subresources });
const IN_V2 = { path: `${things('v2')}/a` };
const small = { spec: { size: 1 } };

/** The ways in which an object is converted. */
const everyWay: readonly Step[] = [
  get({ name: 'get', ...IN_V2 }),
  list({ path: things('v2') }),
  list({ name: 'table', path: things('v2'), headers: { accept: TABLE } }),
  post({}, { path: things('v2'), body: thing({ spec: { length: 5 } }, 'b', 'v2') }),
  get({ name: 'stored', path: `${things()}/b` }),
  patch('merge', { spec: { length: 7 } }, IN_V2),
  patch('apply', thing({ spec: { color: 'red' } }, 'a', 'v2'), {
    name: 'apply',
    query: { fieldManager: 'applier' },
    ...IN_V2,
  }),
  {
    name: 'watch',
    watch: { path: things('v2'), query: { watch: '1', resourceVersion: '{rv:given-a}' } },
    during: [patch('merge', { spec: { size: 9 } }, { name: 'change', setup: true })],
    events: 4,
  },
  { name: 'delete', method: 'DELETE', ...IN_V2 },
];

/** Where one conversion fails, what is asked for in the stored version goes on. */
const oneFailure: readonly Step[] = [
  get({ name: 'get', ...IN_V2 }),
  post({}, { path: things('v2'), body: thing({ spec: { length: 5 } }, 'b', 'v2') }),
  list({ path: things('v2') }),
  { name: 'delete', method: 'DELETE', ...IN_V2 },
  get({ name: 'unharmed' }),
];

function converted(
  name: string,
  client: JsonObject,
  steps: readonly Step[],
  reviews: readonly string[] = ['v1'],
): Row {
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: client, conversionReviewVersions: reviews },
  };
  return {
    name: `conversion: ${name}`,
    covers: { feature: 'custom resources' },
    steps: [...defined({ versions: [v1, v2], spec: { conversion } }), given(small), ...steps],
  };
}

const HEALTHY = ['healthy', 'slow', 'labels', 'red'];

export function conversionRows({ url, deadUrl, ca, otherCa }: Webhooks): Row[] {
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  const caBundle = base64(ca);
  return [
    ...Object.keys(behaviours).map((name) =>
      converted(
        name,
        { url: `${url}/${name}`, caBundle },
        HEALTHY.includes(name) ? everyWay : oneFailure,
      ),
    ),
    converted('refused', { url: `${deadUrl}/healthy`, caBundle }, oneFailure),
    converted('untrusted', { url: `${url}/healthy`, caBundle: base64(otherCa) }, oneFailure),
    converted('of the older reviews', { url: `${url}/healthy`, caBundle }, everyWay.slice(0, 1), [
      'v1beta1',
    ]),
    converted(
      'of a service that is not there',
      { service: { namespace: '{ns}', name: 'none' }, caBundle },
      oneFailure,
    ),
    ...failingCases.map(({ name, behaviour, steps }) => {
      const at = behaviour === undefined ? `${deadUrl}/` : `${url}/${behaviour}`;
      return converted(name, { url: at, caBundle }, steps);
    }),
  ];
}
