/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  ValidatingWebhookConfiguration: 'Webhooks that accept or refuse requests, without changing them.',
  'ValidatingWebhookConfiguration.webhooks':
    'The webhooks. Those that a request matches are called at the same time; one refusal is enough.',

  MutatingWebhookConfiguration: 'Webhooks that may change objects before they are stored.',
  'MutatingWebhookConfiguration.webhooks':
    'The webhooks. Those that a request matches are called one after the other.',

  ValidatingWebhook: 'A webhook that accepts or refuses, and the requests it is asked about.',
  'ValidatingWebhook.name':
    'A domain name of at least three parts, such as images.policy.example.com; once per configuration.',
  'ValidatingWebhook.clientConfig': 'Where the webhook is, and whom it must prove to be.',
  'ValidatingWebhook.rules':
    'Which requests it is asked about: one rule must match. Never about webhooks and policies themselves.',
  'ValidatingWebhook.failurePolicy':
    'When the webhook cannot be asked: Fail (unless it is said) refuses the request, Ignore goes on.',
  'ValidatingWebhook.matchPolicy':
    'Equivalent (unless it is said): rules match a resource in all its versions. Exact: only as written.',
  'ValidatingWebhook.namespaceSelector':
    'Labels of the namespace, or of the object if that is one itself. Other cluster-wide objects match.',
  'ValidatingWebhook.objectSelector':
    'Labels that the object has before or after. Users can set labels, so this lets them opt out.',
  'ValidatingWebhook.sideEffects':
    'None, or NoneOnDryRun: none when request.dryRun is set. Old ones with Some or Unknown fail dry runs.',
  'ValidatingWebhook.timeoutSeconds':
    'How long an answer may take, 1 to 30 seconds, 10 unless it is said. Then failurePolicy decides.',
  'ValidatingWebhook.admissionReviewVersions':
    'Versions of AdmissionReview that it reads, the preferred first. One must be v1 or v1beta1.',
  'ValidatingWebhook.matchConditions':
    'Up to 64 conditions that must all be true, or the webhook is not called.',

  MutatingWebhook: 'A webhook that may change objects, and the requests it is asked about.',
  'MutatingWebhook.name':
    'A domain name of at least three parts, such as sidecars.mesh.example.com; once per configuration.',
  'MutatingWebhook.clientConfig': 'Where the webhook is, and whom it must prove to be.',
  'MutatingWebhook.rules':
    'Which requests it is asked about: one rule must match. Never about webhooks and policies themselves.',
  'MutatingWebhook.failurePolicy':
    'When the webhook cannot be asked: Fail (unless it is said) refuses the request, Ignore goes on.',
  'MutatingWebhook.matchPolicy':
    'Equivalent (unless it is said): rules match a resource in all its versions. Exact: only as written.',
  'MutatingWebhook.namespaceSelector':
    'Labels of the namespace, or of the object if that is one itself. Other cluster-wide objects match.',
  'MutatingWebhook.objectSelector':
    'Labels that the object has before or after. Users can set labels, so this lets them opt out.',
  'MutatingWebhook.sideEffects':
    'None, or NoneOnDryRun: none when request.dryRun is set. Old ones with Some or Unknown fail dry runs.',
  'MutatingWebhook.timeoutSeconds':
    'How long an answer may take, 1 to 30 seconds, 10 unless it is said. Then failurePolicy decides.',
  'MutatingWebhook.admissionReviewVersions':
    'Versions of AdmissionReview that it reads, the preferred first. One must be v1 or v1beta1.',
  'MutatingWebhook.reinvocationPolicy':
    'Never (unless it is said), or IfNeeded: asked again when others changed the object after it.',
  'MutatingWebhook.matchConditions':
    'Up to 64 conditions that must all be true, or the webhook is not called.',

  WebhookClientConfig: 'How a webhook is reached. Either a URL or a service.',
  'WebhookClientConfig.url':
    'An https:// address with host, port and path, without user, query or fragment. Not with service.',
  'WebhookClientConfig.service': 'A service of the cluster, reached by TLS. Not with url.',
  'WebhookClientConfig.caBundle':
    'Who must have signed the certificate of the webhook, as PEM. Empty: whom the server trusts anyway.',

  ServiceReference: 'A service that answers for a webhook.',
  'ServiceReference.namespace': 'The namespace of the service.',
  'ServiceReference.name': 'The name of the service.',
  'ServiceReference.path': 'The path that requests are sent to, such as /validate.',
  'ServiceReference.port': 'The port of the service, 443 unless it is said.',

  Rule: 'Resources, by group, version and name.',
  'Rule.apiGroups': 'Groups of the resources; "" is the core group, and * alone is every group.',
  'Rule.apiVersions': 'Versions of the resources; * alone is every version.',
  'Rule.resources':
    'Such as pods, pods/status, pods/* or */scale. * is all without subresources, */* all with them.',
  'Rule.scope':
    'Cluster, Namespaced, or * (unless it is said) for both. Namespaces themselves are Cluster.',

  RuleWithOperations: 'Operations, and the resources they are made on.',
  'RuleWithOperations.operations':
    'CREATE, UPDATE, DELETE and CONNECT, or * alone for all of them.',

  NamedRuleWithOperations: 'Operations, and the resources and objects they are made on.',
  'NamedRuleWithOperations.resourceNames': 'Names of the objects. Empty: objects of any name.',

  MatchCondition: 'A CEL expression that says whether a request is meant.',
  'MatchCondition.name': 'The name of the condition, different from the others. Logs call it so.',
  'MatchCondition.expression':
    'CEL that gives a bool. It knows object, oldObject, request and authorizer; in a policy also params.',

  ValidatingAdmissionPolicy:
    'Rules in CEL that accept or refuse requests. They apply only where a binding puts them to use.',
  'ValidatingAdmissionPolicy.spec': 'Which requests are judged, and by which rules.',
  'ValidatingAdmissionPolicy.status': 'What was found in its expressions. The server writes it.',

  ValidatingAdmissionPolicySpec: 'Which requests are judged, and by which rules.',
  'ValidatingAdmissionPolicySpec.paramKind':
    'The kind of objects with parameters. Without one, expressions have no params.',
  'ValidatingAdmissionPolicySpec.matchConstraints':
    'Which requests are judged; resourceRules are needed. Never those about policies and bindings.',
  'ValidatingAdmissionPolicySpec.validations':
    'What must hold, all of it. There must be one of these or of auditAnnotations.',
  'ValidatingAdmissionPolicySpec.failurePolicy':
    'When an expression fails or the policy is misconfigured: Fail (unless it is said), or Ignore.',
  'ValidatingAdmissionPolicySpec.auditAnnotations':
    'Up to 20 annotations for the audit event. There must be one of these or of validations.',
  'ValidatingAdmissionPolicySpec.matchConditions':
    'Up to 64 conditions that must all be true, or the policy does not apply.',
  'ValidatingAdmissionPolicySpec.variables':
    'Values for later expressions, as variables.name. One may use those before it.',

  ValidatingAdmissionPolicyStatus: 'What was found in the expressions. The server writes it.',
  'ValidatingAdmissionPolicyStatus.observedGeneration': 'The generation that was looked at.',
  'ValidatingAdmissionPolicyStatus.typeChecking':
    'What checking the types of the expressions gave. Empty: they are not checked yet.',
  'ValidatingAdmissionPolicyStatus.conditions': 'What is known of the policy.',

  TypeChecking: 'What checking the types of the expressions gave.',
  'TypeChecking.expressionWarnings': 'Expressions that do not fit the types they are used on.',

  ExpressionWarning: 'A doubt about one expression.',
  'ExpressionWarning.fieldRef': 'Where it is, such as spec.validations[0].expression.',
  'ExpressionWarning.warning': 'What is wrong, for each type that was tried.',

  ParamKind: 'The kind of objects with parameters.',
  'ParamKind.apiVersion': 'Group and version, such as example.com/v1.',
  'ParamKind.kind': 'The kind, such as ConfigMap.',

  Validation: 'One rule that a request must keep.',
  'Validation.expression':
    'CEL that must give true. It knows object (null on DELETE), oldObject (null on CREATE), request, params, namespaceObject, variables and authorizer.',
  'Validation.message':
    'What the user is told, in one line. Without it and messageExpression, the expression itself.',
  'Validation.reason':
    'The reason in the answer: Invalid (unless it is said), Forbidden or RequestEntityTooLarge.',
  'Validation.messageExpression':
    'CEL that gives the message as one line, before message. It knows all but authorizer.',

  AuditAnnotation: 'An annotation that a policy puts into the audit event of a request.',
  'AuditAnnotation.key':
    'Its key, up to 63 characters and unique in the policy. The event has it after the name of the policy and a slash.',
  'AuditAnnotation.valueExpression':
    'CEL of up to 5 KiB that gives a string, cut at 10 KiB. null or "": no annotation.',

  Variable: 'A value with a name, for the expressions of a policy.',
  'Variable.name': 'The name, an identifier in CEL; expressions say variables.name.',
  'Variable.expression':
    'CEL for the value, with what validations know. It is computed once, when it is first used.',

  MatchResources: 'Which requests a policy or a binding means. All that is said must hold.',
  'MatchResources.namespaceSelector':
    'Labels of the namespace, or of the object if that is one itself. Other cluster-wide objects match.',
  'MatchResources.objectSelector':
    'Labels that the object has before or after. Users can set labels, so this lets them opt out.',
  'MatchResources.resourceRules':
    'Operations on resources; one rule must match. A policy needs some; none in a binding means any.',
  'MatchResources.excludeResourceRules':
    'Operations on resources that are not meant, even if a rule of resourceRules matches.',
  'MatchResources.matchPolicy':
    'Equivalent (unless it is said): rules match a resource in all its versions. Exact: only as written.',

  ValidatingAdmissionPolicyBinding: 'Puts a ValidatingAdmissionPolicy to use, with parameters.',
  'ValidatingAdmissionPolicyBinding.spec': 'Which policy, for what, and what follows from it.',

  ValidatingAdmissionPolicyBindingSpec: 'Which policy, for what, and what follows from it.',
  'ValidatingAdmissionPolicyBindingSpec.policyName':
    'The name of the policy. While there is none, the binding does nothing.',
  'ValidatingAdmissionPolicyBindingSpec.paramRef':
    'The objects with parameters, of the paramKind of the policy. Without one, params is null.',
  'ValidatingAdmissionPolicyBindingSpec.matchResources':
    'To which of the requests that the policy matches it applies here. Empty: to all.',
  'ValidatingAdmissionPolicyBindingSpec.validationActions':
    'What follows when a rule is broken: Deny, Warn and Audit, at least one, not Deny with Warn.',

  ParamRef: 'Chooses objects with parameters, by name or by labels.',
  'ParamRef.name': 'The name of one object. Not with selector.',
  'ParamRef.namespace':
    'The namespace of the objects. Empty: that of the object in question. Not for cluster-wide kinds.',
  'ParamRef.selector':
    'Labels of the objects; {} is all. The policy is applied once with each. Not with name.',
  'ParamRef.parameterNotFoundAction':
    'When no object is found: Allow lets the request pass, Deny leaves it to failurePolicy. Required.',

  MutatingAdmissionPolicy:
    'Changes in CEL to objects before they are stored. They apply only where a binding puts them to use.',
  'MutatingAdmissionPolicy.spec': 'Which objects are changed, and how.',

  MutatingAdmissionPolicySpec: 'Which objects are changed, and how.',
  'MutatingAdmissionPolicySpec.paramKind':
    'The kind of objects with parameters. Without one, expressions have no params.',
  'MutatingAdmissionPolicySpec.matchConstraints':
    'Which requests are meant; resourceRules are needed, and DELETE cannot be one of their operations.',
  'MutatingAdmissionPolicySpec.variables':
    'Values for later expressions, as variables.name. One may use those before it.',
  'MutatingAdmissionPolicySpec.mutations': 'The changes, at least one, made in this order.',
  'MutatingAdmissionPolicySpec.failurePolicy':
    'When an expression fails or the policy is misconfigured: Fail (unless it is said) refuses the request, Ignore goes on.',
  'MutatingAdmissionPolicySpec.matchConditions':
    'Up to 64 conditions that must all be true, or the policy does not apply.',
  'MutatingAdmissionPolicySpec.reinvocationPolicy':
    'Never, or IfNeeded: applied again when others changed the object after it. Required.',

  Mutation: 'One change to an object.',
  'Mutation.patchType':
    'ApplyConfiguration or JSONPatch; the field of that name must be set, and not the other.',
  'Mutation.applyConfiguration': 'Fields to set, merged as by server-side apply.',
  'Mutation.jsonPatch': 'Operations of a JSON patch.',

  ApplyConfiguration: 'A change that says what fields should be.',
  'ApplyConfiguration.expression':
    'CEL that gives an object, such as Object{spec: Object.spec{replicas: 3}}, with what validations know. It cannot set atomic lists, maps or structs.',

  JSONPatch: 'A change as operations of a JSON patch.',
  'JSONPatch.expression':
    'CEL that gives a list such as [JSONPatch{op: "add", path: "/spec/x", value: 1}], with what validations know. jsonpatch.escapeKey escapes keys in paths.',

  MutatingAdmissionPolicyBinding: 'Puts a MutatingAdmissionPolicy to use, with parameters.',
  'MutatingAdmissionPolicyBinding.spec': 'Which policy, for what, with which parameters.',

  MutatingAdmissionPolicyBindingSpec: 'Which policy, for what, with which parameters.',
  'MutatingAdmissionPolicyBindingSpec.policyName':
    'The name of the policy. While there is none, the binding does nothing.',
  'MutatingAdmissionPolicyBindingSpec.paramRef':
    'The objects with parameters, of the paramKind of the policy. Without one, params is null.',
  'MutatingAdmissionPolicyBindingSpec.matchResources':
    'To which of the requests that the policy matches it applies here. Empty: to all.',
});
