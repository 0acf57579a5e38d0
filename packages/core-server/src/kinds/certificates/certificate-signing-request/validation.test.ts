import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from '@tributary/api/certificates-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { asField, goodRequest } from '../../../../test/certificate-request-fixture.ts';
import { validateApproval, validateRequest, validateRequestUpdate } from './validation.ts';

const REQUEST = goodRequest();
const TIME = '2001-01-01T00:00:00Z';

function csr(
  spec: Partial<CertificateSigningRequestSpec> = {},
  status: CertificateSigningRequestStatus = {},
): CertificateSigningRequest {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'a', resourceVersion: '1' },
    spec: { request: REQUEST, signerName: 'example.com/s', usages: ['client auth'], ...spec },
    status,
  };
}

function condition(type: string, more: object = {}): CertificateSigningRequestCondition {
  return { type, status: 'True', lastUpdateTime: TIME, lastTransitionTime: TIME, ...more };
}

const decided = (...types: readonly string[]) =>
  csr({}, { conditions: types.map((type) => condition(type)) });

const CONDITIONS = 'status.conditions: ';
const CERTIFICATE = 'status.certificate: ';
const ALL_USAGES =
  /^spec\.usages\[0\]: Unsupported value: "x": supported values: "any", "cert sign", .*, "timestamping"$/;

interface Case {
  readonly name: string;
  readonly next: CertificateSigningRequest;
  readonly live?: CertificateSigningRequest;
  readonly errors: readonly (string | RegExp)[];
}

function check(validate: (one: Case) => readonly string[], cases: readonly Case[]): void {
  for (const one of cases) {
    test(one.name, () => {
      const texts = validate(one);
      assert.equal(texts.length, one.errors.length, texts.join('\n'));
      for (const [index, error] of one.errors.entries()) {
        const text = texts[index] ?? '';
        if (typeof error === 'string') assert.equal(text, error);
        else assert.match(text, error);
      }
    });
  }
}

describe('a new request', () => {
  check(
    ({ next }) => validateRequest(next).map(fieldErrorText),
    [
      { name: 'with everything', next: csr({ expirationSeconds: 600 }), errors: [] },
      {
        name: 'with a name that is none, which only the server minds',
        next: { ...csr(), metadata: { name: 'A_b c' } },
        errors: [],
      },
      {
        name: 'without what is asked',
        next: csr({ request: null }),
        errors: ['spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST'],
      },
      {
        name: 'without a use',
        next: csr({ usages: [] }),
        errors: ['spec.usages: Required value'],
      },
      {
        name: 'with unknown and repeated uses',
        next: csr({ usages: ['x', 'x'] }),
        errors: [
          ALL_USAGES,
          /^spec\.usages\[1\]: Unsupported/,
          'spec.usages[1]: Duplicate value: "x"',
        ],
      },
      {
        name: 'for nobody in particular',
        next: csr({ signerName: 'kubernetes.io/legacy-unknown' }),
        errors: [
          'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
        ],
      },
      {
        name: 'for a short time',
        next: csr({ expirationSeconds: 599 }),
        errors: [
          'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
        ],
      },
    ],
  );
});

describe('an approval', () => {
  check(
    ({ next, live = csr() }) => validateApproval(next, live).map(fieldErrorText),
    [
      { name: 'approves', next: decided('Approved'), errors: [] },
      { name: 'says something of its own', next: decided('Mine'), errors: [] },
      {
        name: 'approves and denies',
        next: decided('Approved', 'Denied'),
        errors: [
          `${CONDITIONS}Invalid value: "Denied": Approved and Denied conditions are mutually exclusive`,
        ],
      },
      {
        name: 'approves what was both already',
        next: decided('Approved', 'Denied'),
        live: decided('Approved', 'Denied'),
        errors: [],
      },
      {
        name: 'says it twice',
        next: decided('Approved', 'Approved'),
        errors: ['status.conditions[1].type: Duplicate value: "Approved"'],
      },
      {
        name: 'does not approve',
        next: csr({}, { conditions: [condition('Approved', { status: 'False' })] }),
        errors: [
          'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
        ],
      },
      {
        name: 'says nothing',
        next: csr({}, { conditions: [condition('', { status: '' })] }),
        errors: [
          'status.conditions[0].type: Required value',
          'status.conditions[0].status: Required value',
        ],
      },
      {
        name: 'says something odd',
        next: csr({}, { conditions: [condition('Mine', { status: 'Maybe' })] }),
        errors: [
          'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
        ],
      },
      {
        name: 'takes a decision back',
        next: csr(),
        live: decided('Approved', 'Failed'),
        errors: [
          `${CONDITIONS}Forbidden: updates may not remove a condition of type "Approved"`,
          `${CONDITIONS}Forbidden: updates may not remove a condition of type "Failed"`,
        ],
      },
      {
        name: 'explains a decision',
        next: csr({}, { conditions: [condition('Approved', { reason: 'So' })] }),
        live: decided('Approved'),
        errors: [],
      },
      {
        name: 'issues',
        next: csr({}, { certificate: 'eA==' }),
        errors: [
          `${CERTIFICATE}Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block`,
          `${CERTIFICATE}Forbidden: updates may not set certificate content`,
        ],
      },
      {
        name: 'puts up with what was stored',
        next: csr({ usages: ['x', 'x'], signerName: 'kubernetes.io/legacy-unknown' }),
        live: csr({ usages: ['x', 'x'], signerName: 'kubernetes.io/legacy-unknown' }),
        errors: [],
      },
    ],
  );
});

describe('a status', () => {
  const junk = (type: string, bytes: string) => asField(Buffer.from(bytes), type);
  const certificate = (text: string) => csr({}, { certificate: text });
  const problem = (message: string) =>
    `${CERTIFICATE}Invalid value: "<certificate data>": ${message}`;
  check(
    ({ next, live = csr() }) => validateRequestUpdate(next, live).map(fieldErrorText),
    [
      { name: 'fails', next: decided('Failed'), errors: [] },
      {
        name: 'decides',
        next: decided('Denied'),
        errors: [`${CONDITIONS}Forbidden: updates may not add a condition of type "Denied"`],
      },
      {
        name: 'changes a decision',
        next: csr({}, { conditions: [condition('Denied', { reason: 'x' })] }),
        live: decided('Denied'),
        errors: [`${CONDITIONS}Forbidden: updates may not modify a condition of type "Denied"`],
      },
      {
        name: 'issues something else',
        next: certificate(junk('CERTIFICATE REQUEST', 'x')),
        errors: [problem('only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"')],
      },
      {
        name: 'issues nonsense',
        next: certificate(junk('CERTIFICATE', 'hello')),
        errors: [problem('x509: malformed certificate')],
      },
      {
        name: 'issues an empty block',
        next: certificate(junk('CERTIFICATE', '')),
        errors: [problem('found CERTIFICATE PEM block containing 0 certificates')],
      },
      {
        name: 'changes what was issued, even nonsense',
        next: certificate('eQ=='),
        live: certificate('eA=='),
        errors: [`${CERTIFICATE}Forbidden: updates may not modify existing certificate content`],
      },
    ],
  );
});
