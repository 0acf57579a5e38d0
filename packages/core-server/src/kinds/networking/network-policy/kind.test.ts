/** Tests beyond the recorded responses in interop/core/rows/workloads.ts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IPBlock, NetworkPolicy } from '@tributary/api/networking-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts';

const policy = (ipBlock: IPBlock): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'a', namespace: 'eu', resourceVersion: '1' },
  spec: { podSelector: {}, egress: [{ to: [{ ipBlock }] }] },
});
const PLACE = 'spec.egress[0].to[0].ipBlock';
const NOT_WITHIN = 'must be a strict subset of `cidr`';

describe('an exception of a NetworkPolicy is a smaller range within its CIDR', () => {
  const cases = [
    { cidr: '10.0.0.0/8', except: '10.255.0.0/16', errors: [] },
    { cidr: '0.0.0.0/0', except: '192.168.0.0/16', errors: [] },
    { cidr: '2001:db8::/32', except: '2001:db8:1::/48', errors: [] },
    { cidr: '10.0.0.0/8', except: '11.0.0.0/16', errors: [NOT_WITHIN] },
    { cidr: '10.0.0.0/8', except: '10.0.0.0/8', errors: [NOT_WITHIN] },
    { cidr: '10.0.0.0/16', except: '10.0.0.0/8', errors: [NOT_WITHIN] },
    { cidr: '::/0', except: '10.0.0.0/8', errors: [NOT_WITHIN] },
  ];
  for (const { cidr, except, errors } of cases) {
    test(`${except} of ${cidr}`, () => {
      const found = validateNetworkPolicy(policy({ cidr, except: [except] })).map(fieldErrorText);
      const fieldPath = `${PLACE}.except[0]: Invalid value: "${except}": `;
      assert.deepEqual(
        found,
        errors.map((error) => fieldPath + error),
      );
    });
  }
});

test('a stored CIDR in lax form may stay, a new one is refused', () => {
  const lax = policy({ cidr: '10.0.0.1/8' });
  assert.deepEqual(validateNetworkPolicyUpdate(lax, lax), []);
  assert.equal(validateNetworkPolicyUpdate(policy({ cidr: '10.0.0.2/8' }), lax).length, 1);
});
