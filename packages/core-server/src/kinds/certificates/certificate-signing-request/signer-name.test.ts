import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText, root } from '@tributary/apimachinery';
import { validateSignerName } from './signer-name.ts';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'";
const FORM = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/** The beginning of each error. */
const cases: readonly { signer: string; errors: readonly string[] }[] = [
  { signer: 'example.com/signer', errors: [] },
  { signer: 'kubernetes.io/kube-apiserver-client', errors: [] },
  { signer: '', errors: ['signer: Required value'] },
  { signer: 'example.com', errors: [`signer: Invalid value: "example.com": ${FORM}`] },
  { signer: 'example.com/a/b', errors: [`signer: Invalid value: "example.com/a/b": ${FORM}`] },
  {
    signer: 'local/a',
    errors: [
      'signer: Invalid value: "local": should be a domain with at least two segments separated by dots',
    ],
  },
  {
    signer: 'not ok/A_b.c_d',
    errors: [
      `signer: Invalid value: "not ok": validating label "not ok": ${LABEL}`,
      'signer: Invalid value: "not ok": should be a domain with at least two segments separated by dots',
      `signer: Invalid value: "A_b.c_d": validating label "A_b": ${SUBDOMAIN}`,
    ],
  },
  {
    signer: 'example.com/',
    errors: [`signer: Invalid value: "": validating label "": ${SUBDOMAIN}`],
  },
  {
    signer: `${'a.'.repeat(130)}com/x`,
    errors: ['signer: Too long: may not be more than 253 bytes'],
  },
  {
    signer: `example.com/${'a.'.repeat(300)}b`,
    errors: ['signer: Too long: may not be more than 571 bytes'],
  },
];

for (const { signer, errors } of cases) {
  test(`a signer called ${signer.slice(0, 40) || 'nothing'}`, () => {
    const texts = validateSignerName(root('signer'), signer).map(fieldErrorText);
    assert.equal(texts.length, errors.length, texts.join('\n'));
    for (const [index, error] of errors.entries()) {
      assert.ok(texts[index]?.startsWith(error), `${texts[index]}\n${error}`);
    }
  });
}
