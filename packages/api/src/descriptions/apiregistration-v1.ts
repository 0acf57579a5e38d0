/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  APIService: 'A version of an API group, and the server that answers for it.',
  APIServiceSpec: 'Which group version it is, who serves it, and where it stands among others.',
  'APIServiceSpec.service': 'Where the server is. Empty: this server answers itself.',
  'APIServiceSpec.group': 'The group.',
  'APIServiceSpec.version': 'The version.',
  'APIServiceSpec.insecureSkipTLSVerify':
    'Whether any certificate of the server is believed. Do not use it.',
  'APIServiceSpec.caBundle': 'Who must have signed the certificate of the server, as PEM.',
  'APIServiceSpec.groupPriorityMinimum':
    'Where the group stands: the highest number of its versions counts, and higher groups come first.',
  'APIServiceSpec.versionPriority':
    'Where the version stands in its group: higher numbers come first, equal ones as versions are ordered.',
  APIServiceStatus: 'Whether the server can be asked.',
  'APIServiceStatus.conditions': 'What is known of the server.',
  ServiceReference: 'A service, by its name.',
  'ServiceReference.namespace': 'The namespace of the service.',
  'ServiceReference.name': 'The name of the service.',
  'ServiceReference.port': 'The port of the service, 443 unless it is said.',
  APIServiceCondition: 'One thing that is known of the server.',
  'APIServiceCondition.type': 'What it is about: Available.',
  'APIServiceCondition.status': 'True, False or Unknown.',
  'APIServiceCondition.lastTransitionTime': 'When the status last became another one.',
  'APIServiceCondition.reason': 'Why, in one word for programs.',
  'APIServiceCondition.message': 'Why, for people.',
});
