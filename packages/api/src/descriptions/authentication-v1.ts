/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  TokenReview: 'Asks whose token this is.',
  TokenReviewSpec: 'The token, and whom it should be meant for.',
  'TokenReviewSpec.token': 'The bearer token.',
  'TokenReviewSpec.audiences': 'Whom the token should be meant for. Default: this API.',
  TokenReviewStatus: 'Whose token it is.',
  'TokenReviewStatus.authenticated': 'Whether it is the token of a known user.',
  'TokenReviewStatus.user': 'The user.',
  'TokenReviewStatus.audiences': 'Those of the audiences asked for that the token is meant for.',
  'TokenReviewStatus.error': 'Why the token could not be checked.',

  UserInfo: 'What is known of a user.',
  'UserInfo.username': 'The name, which no other user has.',
  'UserInfo.uid': 'Tells users apart that have had the same name.',
  'UserInfo.groups': 'The groups that the user is in.',
  'UserInfo.extra': 'What else the authenticator says.',

  TokenRequest: 'Asks for a token of a service account.',
  TokenRequestSpec: 'What the token should be.',
  'TokenRequestSpec.audiences': 'Whom the token is meant for. Default: this API.',
  'TokenRequestSpec.expirationSeconds':
    'How long it should be valid. The server may decide otherwise.',
  'TokenRequestSpec.boundObjectRef': 'An object whose deletion ends the token.',
  TokenRequestStatus: 'The token.',
  'TokenRequestStatus.token': 'The bearer token.',
  'TokenRequestStatus.expirationTimestamp': 'When it expires.',

  BoundObjectReference: 'An object that a token depends on.',
  'BoundObjectReference.kind': 'Pod, Node or Secret.',
  'BoundObjectReference.apiVersion': 'The version of the object.',
  'BoundObjectReference.name': 'The name of the object.',
  'BoundObjectReference.uid': 'The uid of the object.',

  SelfSubjectReview: 'Asks who is asking.',
  SelfSubjectReviewStatus: 'Who is asking.',
  'SelfSubjectReviewStatus.userInfo': 'The user, as the server sees it.',
  'TokenRequestSpec.attestations':
    'Statements about the requester, by key, that the token should carry.',
});
