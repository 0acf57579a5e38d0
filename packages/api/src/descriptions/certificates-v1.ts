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
  ClusterTrustBundle:
    'A set of X.509 trust anchors (root certificates) that any pod of the cluster may use.',
  'ClusterTrustBundle.spec': 'The signer, if any, and the trust anchors.',
  ClusterTrustBundleSpec: 'The signer, if any, and the trust anchors of a bundle.',
  'ClusterTrustBundleSpec.signerName':
    'The signer whose certificates this bundle verifies. A bundle with a signer needs permission to attest for it and a name that begins with the name of the signer; the field cannot be changed.',
  'ClusterTrustBundleSpec.trustBundle':
    'PEM certificates of the trust anchors. The order has no meaning.',
  PodCertificateRequest:
    'A request of a kubelet, in the name of a pod, for a certificate issued by a signer.',
  'PodCertificateRequest.spec':
    'The pod and the certificate that is requested. It cannot be changed after creation.',
  'PodCertificateRequest.status': 'The issued certificate, or why none was issued.',
  PodCertificateRequestSpec: 'The pod and the certificate that is requested.',
  'PodCertificateRequestSpec.signerName': 'The signer that is asked.',
  'PodCertificateRequestSpec.podName': 'The name of the pod that will use the certificate.',
  'PodCertificateRequestSpec.podUID': 'The uid of the pod.',
  'PodCertificateRequestSpec.serviceAccountName': 'The service account of the pod.',
  'PodCertificateRequestSpec.serviceAccountUID': 'The uid of the service account.',
  'PodCertificateRequestSpec.nodeName': 'The node on which the pod runs.',
  'PodCertificateRequestSpec.nodeUID': 'The uid of the node.',
  'PodCertificateRequestSpec.maxExpirationSeconds':
    'The longest accepted lifetime of the certificate. Signers may issue a shorter one.',
  'PodCertificateRequestSpec.stubPKCS10Request':
    'A PKCS#10 request in DER that carries the public key and proves possession of its private key.',
  'PodCertificateRequestSpec.unverifiedUserAnnotations':
    'Values that the author of the pod passes on to the signer. They are not verified.',
  PodCertificateRequestStatus: 'The issued certificate, or why none was issued.',
  'PodCertificateRequestStatus.conditions': 'Issued, Denied or Failed; at most one of them is set.',
  'PodCertificateRequestStatus.certificateChain':
    'The certificate and its intermediates in PEM, leaf first.',
  'PodCertificateRequestStatus.notBefore': 'When the certificate becomes valid.',
  'PodCertificateRequestStatus.beginRefreshAt':
    'When the kubelet should begin to renew the certificate.',
  'PodCertificateRequestStatus.notAfter': 'When the certificate expires.',
});
