/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  CertificateSigningRequest:
    'Asks for a certificate. It is issued by a signer once the request is approved.',
  CertificateSigningRequestSpec: 'What is asked for. It never changes after the request is made.',
  'CertificateSigningRequestSpec.request': 'The PKCS#10 request in PEM, in base64.',
  'CertificateSigningRequestSpec.signerName': 'Who should sign, as domain/name.',
  'CertificateSigningRequestSpec.expirationSeconds':
    'How long the certificate should be valid, at least ten minutes. Signers may give less.',
  'CertificateSigningRequestSpec.usages': 'What the key may be used for, such as client auth.',
  'CertificateSigningRequestSpec.username': 'Who made the request. The server fills it in.',
  'CertificateSigningRequestSpec.uid': 'The uid of who made the request. The server fills it in.',
  'CertificateSigningRequestSpec.groups':
    'The groups of who made the request. The server fills them in.',
  'CertificateSigningRequestSpec.extra':
    'What else is known of who made the request. The server fills it in.',

  CertificateSigningRequestStatus: 'What became of the request.',
  'CertificateSigningRequestStatus.conditions': 'Whether it is approved, denied or failed.',
  'CertificateSigningRequestStatus.certificate':
    'The issued chain in PEM, in base64. It is set once.',

  CertificateSigningRequestCondition: 'A decision about a request.',
  'CertificateSigningRequestCondition.type': 'Approved, Denied, Failed, or a word of the signer.',
  'CertificateSigningRequestCondition.status':
    'True, False or Unknown; for the first three always True.',
  'CertificateSigningRequestCondition.reason': 'Why, as one word for programs.',
  'CertificateSigningRequestCondition.message': 'Why, as a sentence for people.',
  'CertificateSigningRequestCondition.lastUpdateTime': 'When the decision was last written.',
  'CertificateSigningRequestCondition.lastTransitionTime': 'When the status last became another.',
});
